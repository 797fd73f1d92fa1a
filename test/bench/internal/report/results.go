// Package report says what the measurements mean: as tables, and against the targets.
package report

import (
	"fmt"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
)

const mebibyte = 1 << 20

// Results are the outcome of a run. What was not measured is left out.
type Results struct {
	Facts       Facts
	Comparisons []Comparison
	Reruns      []Rerun
	Growth      *Growth
	Cold        *Cold
	Compilation *Compilation
}

// Facts say what was measured where.
type Facts struct {
	// CodeGenerator is upstream's version.
	CodeGenerator string
	// Pairs is how often each measurement was made.
	Pairs int
	// Go is the version that built the programs, and that ours asks for packages.
	Go, OS, Arch string
	Cores        int
}

// Comparison is what both sides took to generate from one input.
type Comparison struct {
	Input          string
	Upstream, Ours measure.Samples
	// Faster is how many times faster ours has to be.
	Faster float64
	// Memory is how much ours may take at its peak, in bytes; 0 for no limit.
	Memory int64
}

// Rerun is what ours takes for the first run, and for another after that.
type Rerun struct {
	// Input is what is generated from, Changed what has changed before the second run.
	Input, Changed string
	First, Second  measure.Samples
	// Limit is what the second may take.
	Limit time.Duration
}

// Growth is what ours takes for more and more kinds.
type Growth struct {
	// Sizes are in ascending order.
	Sizes []Size
	// Margin is how many times the CPU time per kind of one size the CPU time per kind of the next may be. More than 1
	// only makes room for noise.
	Margin float64
	// Base is the number of kinds whose time per kind on the wall clock the largest size may not exceed.
	Base int
	// Limit is what LimitAt kinds may take.
	Limit   time.Duration
	LimitAt int
}

// Cold is what both sides took once, with the building of their programs from an empty cache. There is no target.
type Cold struct {
	Input          string
	Upstream, Ours measure.Sample
}

// Compilation is what the compiler made of the output of both sides, once.
type Compilation struct {
	Input          string
	Upstream, Ours Compiled
	// Margin is how many times upstream's the CPU time and the size may be. More than 1 only makes room for noise.
	Margin float64
}

// Compiled is what users of generated code pay.
type Compiled struct {
	// Build compiles and links a program that uses one kind, Vet checks all packages.
	Build, Vet measure.Sample
	// Size is that of the program, in bytes.
	Size int64
}

// Size is a number of kinds.
type Size struct {
	Kinds int
	Ours  measure.Samples
}

// wallPerKind and cpuPerKind are what one kind takes.
func (s Size) wallPerKind() time.Duration { return s.Ours.Median().Wall / time.Duration(s.Kinds) }
func (s Size) cpuPerKind() time.Duration  { return s.Ours.Median().CPU / time.Duration(s.Kinds) }

// times says how many times b fits into a.
func times[V ~int64](a, b V) float64 { return float64(a) / float64(b) }

func scaled(d time.Duration, by float64) time.Duration { return time.Duration(float64(d) * by) }

// Misses says which targets the results miss, in a sentence each. A slack of 2 lets every time be twice what the target
// says, for machines on which others work as well; memory knows no such excuse.
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
	for _, rerun := range r.Reruns {
		if took, limit := rerun.Second.Median().Wall, scaled(rerun.Limit, slack); took > limit {
			miss("%s, %s: %s, not at most %s", rerun.Input, rerun.Changed, seconds(took), seconds(limit))
		}
	}
	if r.Growth != nil {
		misses = append(misses, r.Growth.misses(slack)...)
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

// misses holds the CPU time per kind of each size against that of the size before. The time on the wall clock, of which
// long runs lose more on a busy machine, is only held against that of one small size.
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
