//go:build race

package load

// The race detector makes parsing and printing ten times slower, and one file is parsed by one goroutine.
func init() { fileStep = 10 }
