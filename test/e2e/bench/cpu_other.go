//go:build !unix

package main

import "time"

// cpuTime is not available on this platform.
func cpuTime() time.Duration { return 0 }
