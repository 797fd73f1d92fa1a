//go:build unix

package harness

import (
	"syscall"
	"time"
)

// CPUTime returns the CPU time that this process has used so far.
func CPUTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
