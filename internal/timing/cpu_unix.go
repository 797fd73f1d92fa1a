//go:build unix

package timing

import (
	"syscall"
	"time"
)

// cpuTime returns the CPU time of this process and of the child processes that it has waited for.
func cpuTime() (user, system time.Duration, known bool) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if syscall.Getrusage(who, &usage) != nil {
			return 0, 0, false
		}
		user += time.Duration(usage.Utime.Nano())
		system += time.Duration(usage.Stime.Nano())
	}
	return user, system, true
}
