//go:build unix

package measure

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns the peak resident size in bytes of a process and of the processes that it waited for.
func peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	size := int64(usage.Maxrss) //nolint:unconvert // 32 bits on some systems
	if runtime.GOOS == "darwin" {
		return size
	}
	return size * 1024
}
