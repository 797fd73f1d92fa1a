// Package heap tunes the garbage collector for a process that lives for a second.
//
// By default, the heap may double before a collection, starting at 4 MiB, so collections run dozens of times before the heap reaches the
// size that a run needs anyway. With a budget, nothing is collected while the heap fits into it. After a collection, the live heap decides
// when the next one is due, so runs that need more than the budget are paced in proportion to their live heap again.
package heap

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// atLeast is the minimum growth in percent of a heap that exceeds the budget.
const atLeast = 60

// Pace delays garbage collection until the heap reaches a budget in bytes. It does nothing if the user has set GOGC.
func Pace(budget uint64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	const least = 4 << 20 // the runtime's minimum heap at 100 percent
	debug.SetGCPercent(int(min(100*budget/least, math.MaxInt32)))
	afterCollection(func() { debug.SetGCPercent(percent(budget, live())) })
}

// percent returns the allowed growth of a heap.
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

// live returns the bytes in use after the last collection.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
