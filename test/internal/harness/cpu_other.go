//go:build !unix

package harness

import "time"

// CPUTime returns 0: it is not available on this platform.
func CPUTime() time.Duration { return 0 }

// CPUTimeWithChildren returns 0: it is not available on this platform.
func CPUTimeWithChildren() time.Duration { return 0 }
