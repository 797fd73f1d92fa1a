//go:build !unix

package harness

import "time"

// CPUTime returns 0: it is not available on this platform.
func CPUTime() time.Duration { return 0 }

// ChildCPUTime returns 0: it is not available on this platform.
func ChildCPUTime() time.Duration { return 0 }
