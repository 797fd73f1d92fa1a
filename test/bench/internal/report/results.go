// Package report presents measurements as tables and compares them with the targets.
package report

import (
	"fmt"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
)

const mebibyte = 1 << 20

// Results are the results of a run. Missing measurements are omitted.
type Results struct {
	Facts       Facts
	Comparisons []Comparison
	Projects    Projects
	Reruns      []Rerun
	Growth      *Growth
	Cold        *Cold
	Compilation *Compilation
}

// Facts describe the setup of the measurements.
type Facts struct {
	// CodeGenerator is upstream's version.
	CodeGenerator string
	// ControllerGen is the version of controller-gen.
	ControllerGen string
	// Pairs is the number of repetitions of each measurement.
	Pairs int
	// Machine describes the machine and the Go version.
	Machine string
}

// Comparison is the cost of generating from one input, for both sides.
type Comparison struct {
	Input          string
	Upstream, Ours measure.Samples
	// Faster is the required speedup of our program; 0 for none.
	Faster float64
	// Memory is the maximum peak memory of our program, in bytes; 0 for no limit.
	Memory int64
}

// Rerun is the cost of our program's first run and of a later one.
type Rerun struct {
	// Input is the input of the generator, Changed the change before the second run.
	Input, Changed string
	First, Second  measure.Samples
	// Limit is the maximum time of the second run; 0 for no limit.
	Limit time.Duration
}

// Growth is the cost of our program for increasing numbers of kinds.
type Growth struct {
	// Sizes are in ascending order.
	Sizes []Size
	// Margin is the maximum growth factor of the CPU time per kind from one size to the next. More than 1 only allows for noise.
	Margin float64
	// Base is the number of kinds whose elapsed time per kind the largest size may not exceed.
	Base int
	// Limit is the maximum time for LimitAt kinds.
	Limit   time.Duration
	LimitAt int
}

// Cold is the cost of compiling the programs of both sides with an empty build cache. The target is that ours takes at most as much CPU
// time.
type Cold struct {
	Input          string
	Upstream, Ours measure.Samples
}

// cheaper returns upstream's CPU time divided by ours.
func (c *Cold) cheaper() float64 { return times(c.Upstream.Median().CPU, c.Ours.Median().CPU) }

// Compilation is the cost of compiling the output of both sides.
type Compilation struct {
	Input          string
	Upstream, Ours Compiled
	// Margin is the maximum ratio of CPU time and size to upstream's. More than 1 only allows for noise.
	Margin float64
}

// Compiled is the cost for users of generated code.
type Compiled struct {
	// Build compiles and links a program that uses one kind, Vet checks all packages.
	Build, Vet measure.Samples
	// Size is the size of the program, in bytes.
	Size int64
}

// Size is a number of kinds.
type Size struct {
	Kinds int
	Ours  measure.Samples
}

// wallPerKind and cpuPerKind return the time per kind.
func (s Size) wallPerKind() time.Duration { return s.Ours.Median().Wall / time.Duration(s.Kinds) }
func (s Size) cpuPerKind() time.Duration  { return s.Ours.Median().CPU / time.Duration(s.Kinds) }

// times returns a divided by b.
func times[V ~int64](a, b V) float64 { return float64(a) / float64(b) }

func scaled(d time.Duration, by float64) time.Duration { return time.Duration(float64(d) * by) }

// Misses describes the missed targets, one sentence each. A slack of 2 allows twice the time of each target, for busy machines;
// it does not apply to limits of memory in bytes.
func (r Results) Misses(slack float64) []string {
	var misses []string
	miss := func(format string, args ...any) { misses = append(misses, fmt.Sprintf(format, args...)) }
	for _, c := range r.Comparisons {
		upstream, ours := c.Upstream.Median(), c.Ours.Median()
		if faster := times(upstream.Wall, ours.Wall); faster < c.Faster/slack {
			miss("%s: %.1f times faster, not %.1f times", c.Input, faster, c.Faster/slack)
		}
		if c.Memory > 0 && ours.Memory > c.Memory {
			miss("%s: a peak of %s, not at most %s", c.Input, mib(ours.Memory), mib(c.Memory))
		}
	}
	misses = append(misses, r.Projects.misses(slack)...)
	for _, rerun := range r.Reruns {
		if took, limit := rerun.Second.Median().Wall, scaled(rerun.Limit, slack); limit > 0 && took > limit {
			miss("%s, %s: %s, not at most %s", rerun.Input, rerun.Changed, seconds(took), seconds(limit))
		}
	}
	if r.Growth != nil {
		misses = append(misses, r.Growth.misses(slack)...)
	}
	if c := r.Cold; c != nil && c.cheaper() < 1/slack {
		miss("%s: %.2f times the CPU time of upstream's", c.Input, 1/c.cheaper())
	}
	if c := r.Compilation; c != nil {
		for _, row := range c.rows() {
			if row.ratio > c.Margin {
				miss("%s, %s: %.3f times upstream's, not at most %.2f times", c.Input, row.name, row.ratio, c.Margin)
			}
		}
	}
	return misses
}

// misses compares the CPU time per kind of each size with that of the previous size. Elapsed time, which varies more for long
// runs on a busy machine, is only compared with that of one small size.
func (g *Growth) misses(slack float64) []string {
	var misses []string
	last := g.Sizes[len(g.Sizes)-1]
	for i, size := range g.Sizes {
		if i > 0 {
			before := g.Sizes[i-1]
			if grown := times(size.cpuPerKind(), before.cpuPerKind()); grown > g.Margin*slack {
				misses = append(misses, fmt.Sprintf("%d kinds: the CPU time per kind is %.2f times that of %d kinds, not at most %.2f times",
					size.Kinds, grown, before.Kinds, g.Margin*slack))
			}
		}
		if took, limit := size.Ours.Median().Wall, scaled(g.Limit, slack); size.Kinds == g.LimitAt && took > limit {
			misses = append(misses, fmt.Sprintf("%d kinds: %s, not at most %s", size.Kinds, seconds(took), seconds(limit)))
		}
		if grown := times(last.wallPerKind(), size.wallPerKind()); size.Kinds == g.Base && grown > slack {
			misses = append(misses, fmt.Sprintf("%d kinds: the time per kind is %.2f times that of %d kinds, not at most %.2f times",
				last.Kinds, grown, size.Kinds, slack))
		}
	}
	return misses
}
