package model

import "slices"

// constrained reports whether the go command may exclude a file whose name ends in _word.go: tests, and files for one platform.
// The platforms are those of "go tool dist list" and older ones that the go command still knows.
func constrained(word string) bool {
	return word == "test" || slices.Contains(platforms, word)
}

var platforms = []string{
	"aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux", "nacl", "netbsd",
	"openbsd", "plan9", "solaris", "wasip1", "windows", "zos",
	"386", "amd64", "amd64p32", "arm", "armbe", "arm64", "arm64be", "loong64", "mips", "mipsle", "mips64", "mips64le",
	"mips64p32", "mips64p32le", "ppc", "ppc64", "ppc64le", "riscv", "riscv64", "s390", "s390x", "sparc", "sparc64", "wasm",
}
