//go:build unix

package harness

import (
	"syscall"
	"time"
)

// CPUTime returns the CPU time that this process has used so far.
func CPUTime() time.Duration { return used(syscall.RUSAGE_SELF) }

// ChildCPUTime returns the CPU time of all processes that this process has waited for, with the descendants that these waited for.
func ChildCPUTime() time.Duration { return used(syscall.RUSAGE_CHILDREN) }

// used returns the CPU time of this process or of its children, or 0 if it is unknown.
func used(who int) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(who, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
