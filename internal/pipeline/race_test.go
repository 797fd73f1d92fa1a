//go:build race

package pipeline

// The race detector makes a seed six times slower, and nearly all of them take the same path.
func init() { seedStep = 23 }
