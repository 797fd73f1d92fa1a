// Package measure runs processes and measures their cost.
package measure

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// Sample is the cost of a process, including the processes that it started and waited for.
type Sample struct {
	Wall, CPU time.Duration
	// Memory is the peak resident size in bytes of the largest process, not the sum of several.
	Memory int64
}

// Then returns the cost of running both sequentially.
func (s Sample) Then(next Sample) Sample {
	return Sample{s.Wall + next.Wall, s.CPU + next.CPU, max(s.Memory, next.Memory)}
}

// Run runs a command to completion. The error of a failing command includes its output.
func Run(cmd *exec.Cmd) (Sample, error) {
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return Sample{}, fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, said.Bytes())
	}
	state := cmd.ProcessState
	return Sample{wall, state.UserTime() + state.SystemTime(), peak(state)}, nil
}

// Samples are repeated measurements of the same thing.
type Samples []Sample

// Median returns the median of each quantity separately.
func (s Samples) Median() Sample {
	var walls, cpus []time.Duration
	var memories []int64
	for _, sample := range s {
		walls, cpus = append(walls, sample.Wall), append(cpus, sample.CPU)
		memories = append(memories, sample.Memory)
	}
	return Sample{median(walls), median(cpus), median(memories)}
}

// median returns the middle value, or the mean of the two middle values; 0 if there are no values.
func median[V ~int64](values []V) V {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	middle := len(values) / 2
	if len(values)%2 == 0 {
		return (values[middle-1] + values[middle]) / 2
	}
	return values[middle]
}
