package measure

import (
	"fmt"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// Steps are the CPU times of what controller-gen does for definitions, including the go commands that it runs.
type Steps struct {
	// Load finds the packages. It includes the start of the process.
	Load time.Duration
	// Check parses, checks types and reads markers.
	Check time.Duration
	// Schemas makes the definitions of kinds, and Encoding writes them.
	Schemas, Encoding time.Duration
}

// Total is the time of all steps.
func (s Steps) Total() time.Duration { return s.Load + s.Check + s.Schemas + s.Encoding }

// Share is the part of the time, between 0 and 1, that goes into schemas and encoding.
func (s Steps) Share() float64 { return float64(s.Schemas+s.Encoding) / float64(s.Total()) }

// String formats the total and the share, for messages while measuring.
func (s Steps) String() string {
	return fmt.Sprintf("%.2f s, %.0f %% for schemas and encoding", s.Total().Seconds(), 100*s.Share())
}

// MedianOfSteps returns the median of each step separately.
func MedianOfSteps(all []Steps) Steps {
	median := func(of func(Steps) time.Duration) time.Duration {
		var times []time.Duration
		for _, s := range all {
			times = append(times, of(s))
		}
		return harness.Median(times)
	}
	return Steps{
		Load:     median(func(s Steps) time.Duration { return s.Load }),
		Check:    median(func(s Steps) time.Duration { return s.Check }),
		Schemas:  median(func(s Steps) time.Duration { return s.Schemas }),
		Encoding: median(func(s Steps) time.Duration { return s.Encoding }),
	}
}
