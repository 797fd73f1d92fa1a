//go:build !linux

package sleepless

import (
	"sync/atomic"
	"time"
)

var (
	start = time.Now()
	// most is the largest time for which the machine seems to have been suspended: the clock on the wall may be set back.
	most atomic.Int64
)

// suspended returns by how much the clock on the wall has gone further than the monotonic clock since the process started.
func suspended() time.Duration {
	now := time.Now()
	slept := now.Round(0).Sub(start.Round(0)) - now.Sub(start)
	for {
		before := most.Load()
		if int64(slept) <= before || most.CompareAndSwap(before, int64(slept)) {
			return max(slept, time.Duration(before))
		}
	}
}
