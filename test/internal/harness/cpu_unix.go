//go:build unix

package harness

import (
	"syscall"
	"time"
)

// CPUTime returns the CPU time that this process has used so far.
func CPUTime() time.Duration { return used(syscall.RUSAGE_SELF) }

// CPUTimeWithChildren returns the CPU time that this process and those that it waited for have used so far.
func CPUTimeWithChildren() time.Duration {
	return used(syscall.RUSAGE_SELF) + used(syscall.RUSAGE_CHILDREN)
}

func used(by int) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(by, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
