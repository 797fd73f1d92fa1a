package sleepless

import (
	"time"

	"golang.org/x/sys/unix"
)

// jitter is more than the time between two readings of clocks. Less was no suspension.
const jitter = 100 * time.Millisecond

// suspended returns for how long the machine has been suspended since it started.
func suspended() time.Duration {
	var boot, awake unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil || unix.ClockGettime(unix.CLOCK_MONOTONIC, &awake) != nil {
		return 0
	}
	return (time.Duration(boot.Nano()) - time.Duration(awake.Nano())).Truncate(jitter)
}
