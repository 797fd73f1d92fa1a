//go:build race

package output

// The race detector makes the start of a process several times slower.
func init() { kills = 40 }
