// Package timing measures the cost of the stages of a run: elapsed time, CPU time and allocated memory.
package timing

import (
	"fmt"
	"io"
	"runtime/metrics"
	"text/tabwriter"
	"time"
)

// Stages measures the stages of a run. A nil Stages measures nothing.
type Stages struct {
	stages []*stageCost
	since  cost
}

// stageCost is the cost of a stage over all outputs.
type stageCost struct {
	name string
	cost cost
}

// cost is a point in time, or the difference between two.
type cost struct {
	wall time.Duration
	// user and system are the CPU time of this process and of the go command; known is false if it cannot be measured.
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

// At ends the current stage and begins another; "" begins none.
func (t *Stages) At(name string) {
	if t == nil {
		return
	}
	now := currentCost()
	if n := len(t.stages); n > 0 {
		t.stages[n-1].cost.add(now, t.since)
	}
	t.since = now
	for i, s := range t.stages { // from an earlier output: the current stage is the last
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

// Print ends the current stage and prints a table of all stages.
func (t *Stages) Print(w io.Writer) {
	if t == nil {
		return
	}
	t.At("")
	total := stageCost{name: "total"}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "stage\twall\tuser\tsystem\tallocated\t")
	for _, s := range t.stages[:len(t.stages)-1] {
		total.cost.add(s.cost, cost{})
		s.print(table)
	}
	total.print(table)
	_ = table.Flush() // to a buffer or the terminal
}

func (s *stageCost) print(w io.Writer) {
	cpu := func(d time.Duration) string {
		if !s.cost.known {
			return "-"
		}
		return fmt.Sprintf("%.3fs", d.Seconds())
	}
	fmt.Fprintf(w, "%s\t%.3fs\t%s\t%s\t%.1f MiB\t\n",
		s.name, s.cost.wall.Seconds(), cpu(s.cost.user), cpu(s.cost.system), float64(s.cost.allocated)/(1<<20))
}
