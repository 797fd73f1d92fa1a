// Package sleepless has a clock that goes on while the machine is suspended. The monotonic clock of package time, which timers follow,
// stands still then, and a process would go on to write after its lease has ended.
package sleepless

import "time"

// Now returns the time. Only differences of such times mean anything.
func Now() time.Time { return time.Now().Add(suspended()) }

// Since returns the time since an earlier Now.
func Since(t time.Time) time.Duration { return Now().Sub(t) }
