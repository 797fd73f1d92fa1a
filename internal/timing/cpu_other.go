//go:build !unix

package timing

import "time"

// cpuTime is not available on this platform.
func cpuTime() (user, system time.Duration, known bool) { return 0, 0, false }
