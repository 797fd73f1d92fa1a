// Package heap paces the garbage collector of a process that lives for a second.
//
// Go's default, a heap that may double, begins at 4 MiB and collects dozens of times on the way to the size that a run needs
// anyway. A run has a budget instead: nothing is collected while the heap fits into it. What a collection leaves decides when
// the next one is due, so that a run that needs more than the budget is paced in proportion to its live heap again.
package heap

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// atLeast is the percentage by which a heap may grow if it does not fit the budget.
const atLeast = 60

// Pace collects garbage only as the heap reaches a budget in bytes. It does nothing if the user has set GOGC.
func Pace(budget uint64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	const least = 4 << 20 // where the runtime begins to collect at 100 percent
	debug.SetGCPercent(int(min(100*budget/least, math.MaxInt32)))
	afterCollection(func() { debug.SetGCPercent(percent(budget, live())) })
}

// percent returns by how much a heap may grow.
func percent(budget, live uint64) int {
	if live == 0 || live >= budget {
		return atLeast
	}
	return max(atLeast, int(100*(budget-live)/live))
}

// afterCollection calls f after each collection.
func afterCollection(f func()) {
	runtime.AddCleanup(new([1 << 10]byte), func(struct{}) {
		f()
		afterCollection(f)
	}, struct{}{})
}

// live returns the bytes that the last collection left.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
