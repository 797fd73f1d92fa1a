// Package lazy compiles patterns when they are first used, so that the program starts fast.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that compiles a pattern once, and returns it.
func Regexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
