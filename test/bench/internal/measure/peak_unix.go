//go:build unix

package measure

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns the peak resident size in bytes of a process and of those that it waited for.
func peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin" || runtime.GOOS == "ios":
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) * 1024
}
