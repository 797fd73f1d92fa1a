// Package measure runs processes and measures their cost.
package measure

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// Sample is the cost of a process, including the processes that it started and waited for.
type Sample struct {
	Wall, CPU time.Duration
	// Memory is the peak resident size in bytes of the largest process, not the sum of several.
	Memory int64
}

// String formats the elapsed time, for messages while measuring.
func (s Sample) String() string { return fmt.Sprintf("%.2f s", s.Wall.Seconds()) }

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
	return Sample{harness.Median(walls), harness.Median(cpus), harness.Median(memories)}
}
