package cli

import (
	"fmt"
	"io"
	"runtime/metrics"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// timings measures the stages of a run. A nil timings measures nothing.
type timings struct {
	stages []*stageCost
	since  cost
}

// addTimings adds the flag for timings.
func addTimings(cmd *cobra.Command, timed *bool) {
	cmd.Flags().BoolVar(timed, "timings", false, "print what each stage costs: time, CPU time, and allocated memory")
}

// measured returns the app with timings, if they were asked for.
func (a app) measured(timed bool) app {
	if timed {
		a.timings = &timings{}
	}
	return a
}

// stageCost is what a stage has cost, of all outputs together.
type stageCost struct {
	name string
	cost
}

// cost is a point in time, or the difference between two.
type cost struct {
	wall time.Duration
	// user and system are the CPU time of this process and of the go command, known is false where it cannot be measured.
	user, system time.Duration
	known        bool
	// allocated is in bytes.
	allocated uint64
}

var processStart = time.Now()

func currentCost() cost {
	c := cost{wall: time.Since(processStart)}
	c.user, c.system, c.known = cpuTime()
	allocated := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(allocated)
	c.allocated = allocated[0].Value.Uint64()
	return c
}

// at ends the current stage and begins another; "" begins none.
func (t *timings) at(name string) {
	if t == nil {
		return
	}
	now := currentCost()
	if n := len(t.stages); n > 0 {
		t.stages[n-1].add(now, t.since)
	}
	t.since = now
	for i, s := range t.stages { // of an output before: the current stage is the last
		if s.name == name {
			t.stages = append(append(t.stages[:i:i], t.stages[i+1:]...), s)
			return
		}
	}
	t.stages = append(t.stages, &stageCost{name: name})
}

func (c *cost) add(to, from cost) {
	c.wall += to.wall - from.wall
	c.user += to.user - from.user
	c.system += to.system - from.system
	c.known = to.known
	c.allocated += to.allocated - from.allocated
}

// print ends the current stage and prints a table of all stages.
func (t *timings) print(w io.Writer) {
	if t == nil {
		return
	}
	t.at("")
	var total stageCost
	total.name = "total"
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "stage\twall\tuser\tsystem\tallocated\t")
	for _, s := range t.stages[:len(t.stages)-1] {
		total.add(s.cost, cost{})
		s.print(table)
	}
	total.print(table)
	_ = table.Flush() // to a buffer or the terminal
}

func (s *stageCost) print(w io.Writer) {
	cpu := func(d time.Duration) string {
		if !s.known {
			return "-"
		}
		return fmt.Sprintf("%.3fs", d.Seconds())
	}
	fmt.Fprintf(w, "%s\t%.3fs\t%s\t%s\t%.1f MiB\t\n", s.name, s.wall.Seconds(), cpu(s.user), cpu(s.system), float64(s.allocated)/(1<<20))
}
