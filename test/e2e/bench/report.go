package main

import (
	"fmt"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// noise is the maximum slowdown that counts as equal: medians of the same code differ by as much.
const noise = 1.1

// results are the results of a run. Missing measurements are omitted.
type results struct {
	facts       facts
	syncs, next []syncing
	shards      []shard
	exchanges   []exchange
	references  []reference
	comparisons []comparison
}

func (r *results) add(c comparison) { r.comparisons = append(r.comparisons, c) }

// facts describe the setup of the measurements.
type facts struct {
	objects, secrets, pairs int
	machine                 string
}

// syncing is the cost of syncing an informer: the seconds until it has all objects, and the bytes per object.
type syncing struct {
	what           string
	seconds, bytes float64
	// most is the maximum memory relative to the first informer; 0 for no target.
	most float64
	// beside is the number of the informer that it may not be slower than.
	beside int
}

// shard is the cost of an informer with a part of the objects: the bytes received until it has synced, and those of its memory.
type shard struct {
	what             string
	received, memory float64
	// most are the maxima of both relative to the first informer; 0 for no target.
	most [2]float64
}

// memoryAllowance is the memory of connections and watches, in bytes, which does not depend on the number of objects.
const memoryAllowance = 2e6

// exchange is the bytes that an informer with many arcs receives until it has synced, and when one arc is exchanged.
type exchange struct {
	what          string
	start, change float64
	// most is the maximum for the change, relative to the start; 0 for no target.
	most float64
}

// reference is the cost of a way to watch objects that others refer to.
type reference struct {
	what string
	// began has the seconds from a write to the begin of the reconcile, at the 50th and 99th percentile, and read the seconds until it
	// has the object, at the 50th.
	began [2]float64
	read  float64
	bytes float64
	// most is the maximum memory relative to the first way; 0 for no target.
	most float64
}

// comparison is one quantity of both sides.
type comparison struct {
	what string
	// beside is the name of the other side, unless it is the handwritten loop.
	beside       string
	theirs, ours float64
	unit         func(float64) string
	moreIsBetter bool
	// allocations are theirs and ours, if known.
	allocations *[2]float64
	// target is true if ours must not be slower.
	target bool
}

// ratio returns how many times better ours is.
func (c comparison) ratio() float64 {
	if c.moreIsBetter {
		return c.ours / c.theirs
	}
	return c.theirs / c.ours
}

func (c comparison) title() string {
	if c.beside == "" {
		return c.what
	}
	return c.what + ", compared with " + c.beside
}

// Misses describes the missed targets. A slack of 2 allows ours to be twice as slow; it does not apply to allocations.
func (r *results) Misses(slack float64) []string {
	var misses []string
	for _, rows := range [][]syncing{r.syncs, r.next} {
		for _, s := range rows {
			if most := s.most * rows[0].bytes; s.most > 0 && s.bytes > most {
				misses = append(misses, fmt.Sprintf("%s: %s for each object, not %s", s.what, kibibytes(s.bytes), kibibytes(most)))
			}
			if most := rows[s.beside].seconds; s.most > 0 && s.seconds > noise*slack*most {
				misses = append(misses, fmt.Sprintf("%s: %s to sync, not %s", s.what, seconds(s.seconds), seconds(most)))
			}
		}
	}
	misses = append(misses, r.shardMisses()...)
	for _, ref := range r.references {
		if most := ref.most * r.references[0].bytes; ref.most > 0 && ref.bytes > most {
			misses = append(misses, fmt.Sprintf("%s: %s, not %s", ref.what, megabytes(ref.bytes), megabytes(most)))
		}
	}
	for _, c := range r.comparisons {
		if !c.target {
			continue
		}
		if least := 1 / noise / slack; c.ratio() < least {
			misses = append(misses, fmt.Sprintf("%s: %s, not %s: %.2f times as fast, not %.2f times",
				c.title(), c.unit(c.ours), c.unit(c.theirs), c.ratio(), least))
		}
		if c.allocations != nil && c.allocations[1] > c.allocations[0] {
			misses = append(misses, fmt.Sprintf("%s: %.0f allocations, not %.0f", c.title(), c.allocations[1], c.allocations[0]))
		}
	}
	return misses
}

// shardMisses describes the missed targets of shards.
func (r *results) shardMisses() (misses []string) {
	for _, s := range r.shards {
		if most := s.most[0] * r.shards[0].received; s.most[0] > 0 && s.received > most {
			misses = append(misses, fmt.Sprintf("%s: %s received, not %s", s.what, megabytes(s.received), megabytes(most)))
		}
		if most := s.most[1]*r.shards[0].memory + memoryAllowance; s.most[1] > 0 && s.memory > most {
			misses = append(misses, fmt.Sprintf("%s: %s of memory, not %s", s.what, megabytes(s.memory), megabytes(most)))
		}
	}
	for _, e := range r.exchanges {
		if most := e.most * e.start; e.most > 0 && e.change > most {
			misses = append(misses, fmt.Sprintf("%d arcs, of which %s: %s received, not %s", manyArcs, e.what, megabytes(e.change), megabytes(most)))
		}
	}
	return misses
}

// Markdown formats the results as tables, with an explanation.
func (r *results) Markdown() string {
	var parts []string
	for _, rows := range [][]syncing{r.syncs, r.next} {
		if len(rows) > 0 {
			parts = append(parts, r.syncTable(rows))
		}
	}
	var loops, lists []comparison
	for _, c := range r.comparisons {
		if c.beside == "" {
			loops = append(loops, c)
		} else {
			lists = append(lists, c)
		}
	}
	if len(loops) > 0 {
		parts = append(parts, loopTable(loops))
	}
	if len(r.references) > 0 {
		parts = append(parts, r.referenceTable())
	}
	if len(r.shards) > 0 {
		parts = append(parts, r.shardTable())
	}
	if len(r.exchanges) > 0 {
		parts = append(parts, exchangeTable(r.exchanges))
	}
	if len(lists) > 0 {
		parts = append(parts, listTable(lists))
	}
	return strings.Join(append(parts, r.facts.String()), "\n")
}

func (f facts) String() string {
	return fmt.Sprintf("Measured by `make bench`: medians of %d runs of each side in turn, with %d workloads, on a real API server in a\n"+
		"process of its own on the same machine. %s.\n",
		f.pairs, f.objects, f.machine)
}

func (r *results) syncTable(rows []syncing) string {
	t := harness.Table{
		Header: []string{
			fmt.Sprintf("%d objects in one informer", r.facts.objects),
			"time to sync",
			"memory for each object",
			"memory saved",
			"target",
		},
		Numbers: 1,
	}
	for _, s := range rows {
		target := ""
		if s.most > 0 {
			target = fmt.Sprintf("at least %.0f %%, not slower", 100*(1-s.most))
			if s.beside > 0 {
				target += " than " + rows[s.beside].what
			}
		}
		t.Add(s.what, seconds(s.seconds), kibibytes(s.bytes), percent(1-s.bytes/rows[0].bytes), target)
	}
	return t.String()
}

func (r *results) shardTable() string {
	t := harness.Table{
		Header: []string{
			fmt.Sprintf("%d objects in buckets", r.facts.objects), "received until synced", "of all", "memory", "of all", "target",
		},
		Numbers: 1,
	}
	for _, s := range r.shards {
		target := ""
		if s.most[0] > 0 {
			target = fmt.Sprintf("received at most %s, memory at most %s + %s", share(s.most[0]), share(s.most[1]), megabytes(memoryAllowance))
		}
		t.Add(s.what, megabytes(s.received), share(s.received/r.shards[0].received),
			megabytes(s.memory), share(s.memory/r.shards[0].memory), target)
	}
	return t.String()
}

func exchangeTable(rows []exchange) string {
	t := harness.Table{
		Header: []string{
			fmt.Sprintf("%d arcs of %d buckets", manyArcs, arcSize), "received until synced", "received for the change", "of the start", "target",
		},
		Numbers: 1,
	}
	for _, e := range rows {
		target := ""
		if e.most > 0 {
			target = "at most " + hundredths(e.most)
		}
		t.Add(e.what, megabytes(e.start), megabytes(e.change), hundredths(e.change/e.start), target)
	}
	return t.String()
}

func (r *results) referenceTable() string {
	t := harness.Table{
		Header: []string{
			fmt.Sprintf("%d Secrets, of which %d are referred to", r.facts.secrets, referred),
			"write to reconcile, p50",
			"p99",
			"write to its object, p50",
			"memory",
			"target",
		},
		Numbers: 1,
	}
	for _, ref := range r.references {
		target := ""
		if ref.most > 0 {
			target = fmt.Sprintf("memory at least %.0f %% lower", 100*(1-ref.most))
		}
		t.Add(ref.what, milliseconds(ref.began[0]), milliseconds(ref.began[1]), milliseconds(ref.read), megabytes(ref.bytes), target)
	}
	return t.String()
}

func loopTable(rows []comparison) string {
	t := harness.Table{Header: []string{"a reconcile that does nothing", "handwritten", "generated", "ratio", "target"}, Numbers: 1}
	for _, c := range rows {
		t.Add(c.what, c.unit(c.theirs), c.unit(c.ours), factor(c.ratio()), c.targetText())
	}
	return t.String()
}

func listTable(rows []comparison) string {
	t := harness.Table{Header: []string{"reads from the cache", "compared with", "theirs", "generated", "ratio", "target"}, Numbers: 2}
	for _, c := range rows {
		theirs, ours := c.unit(c.theirs), c.unit(c.ours)
		if c.allocations != nil {
			theirs, ours = theirs+", "+allocations(c.allocations[0]), ours+", "+allocations(c.allocations[1])
		}
		t.Add(c.what, c.beside, theirs, ours, factor(c.ratio()), c.targetText())
	}
	return t.String()
}

func (c comparison) targetText() string {
	if !c.target {
		return ""
	}
	return "not slower"
}

// percent returns a share without the sign that a rounded zero may have.
func percent(share float64) string {
	return strings.Replace(fmt.Sprintf("%.0f %%", 100*share), "-0 ", "0 ", 1)
}

func factor(ratio float64) string { return fmt.Sprintf("%.2f×", ratio) }

func share(ratio float64) string { return fmt.Sprintf("%.2f", ratio) }

func hundredths(ratio float64) string { return fmt.Sprintf("%.2f %%", 100*ratio) }

func seconds(s float64) string { return fmt.Sprintf("%.2f s", s) }

func milliseconds(s float64) string { return fmt.Sprintf("%.2f ms", s*1000) }

func microseconds(s float64) string { return fmt.Sprintf("%.2f µs", s*1e6) }

func nanoseconds(ns float64) string { return fmt.Sprintf("%.0f ns", ns) }

func perSecond(n float64) string { return fmt.Sprintf("%.0f /s", n) }

func kibibytes(bytes float64) string { return fmt.Sprintf("%.1f KiB", bytes/1024) }

func megabytes(bytes float64) string { return fmt.Sprintf("%.1f MB", bytes/1e6) }

func allocations(n float64) string { return fmt.Sprintf("%.0f allocs/op", n) }
