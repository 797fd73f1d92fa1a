package harness

import (
	"fmt"
	"runtime"
	"slices"
)

// Side is one of several alternatives that are measured in turn.
type Side[S any] struct {
	Name string
	Run  func() (S, error)
}

// InTurn measures the sides in turn, so that other load on the machine affects all of them equally, and returns the samples of each
// side. The first round only warms up caches and does not count.
func InTurn[S any](s Session, what string, sides ...Side[S]) ([][]S, error) {
	samples := make([][]S, len(sides))
	for round := range s.Pairs + 1 {
		number := fmt.Sprintf("%d/%d", round, s.Pairs)
		if round == 0 {
			number = "warm-up"
		}
		fmt.Fprintf(s.Progress, "%s, %s:", what, number)
		for i, side := range sides {
			runtime.GC() // so the previous run's garbage does not count
			sample, err := side.Run()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", side.Name, err)
			}
			fmt.Fprintf(s.Progress, "  %s %v", side.Name, sample)
			if round > 0 {
				samples[i] = append(samples[i], sample)
			}
		}
		fmt.Fprintln(s.Progress)
	}
	return samples, nil
}

// Median returns the middle value, or the mean of the two middle values; 0 if there are no values.
func Median[V ~int64 | ~float64](values []V) V {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}
