package main

import (
	"fmt"
	"strings"
)

// tablesMark marks the tables in a README.
const tablesMark = "bench controllers"

// noise is how many times slower than the other side ours may seem: medians of the same thing differ by as much.
const noise = 1.1

// results are the outcome of a run. What was not measured is left out.
type results struct {
	facts       facts
	syncs       []syncing
	comparisons []comparison
}

func (r *results) add(c comparison) { r.comparisons = append(r.comparisons, c) }

// facts say what was measured where.
type facts struct {
	objects, pairs, cores int
	os, arch, version     string
}

// syncing is how an informer gets all objects: the seconds until it has synced, and the bytes for each object.
type syncing struct {
	what           string
	seconds, bytes float64
	// most is the share of the first one's memory that it may take; 0 for no target.
	most float64
}

// comparison is one quantity of both sides.
type comparison struct {
	what string
	// beside names the other side, unless it is the handwritten loop.
	beside       string
	theirs, ours float64
	unit         func(float64) string
	moreIsBetter bool
	// allocations are theirs and ours, where they are known.
	allocations *[2]float64
	// target says that ours must not be slower.
	target bool
}

// ratio is how many times better ours is.
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
	return c.what + ", beside " + c.beside
}

// misses says which targets were missed. A slack of 2 lets ours be twice as slow; allocations know no such excuse.
func (r *results) misses(slack float64) []string {
	var misses []string
	for _, s := range r.syncs {
		first := r.syncs[0]
		if s.most > 0 && s.bytes > s.most*first.bytes {
			misses = append(misses, fmt.Sprintf("%s: %s for each object, not %s", s.what, kibibytes(s.bytes), kibibytes(s.most*first.bytes)))
		}
		if s.most > 0 && s.seconds > noise*slack*first.seconds {
			misses = append(misses, fmt.Sprintf("%s: %s to sync, not %s", s.what, seconds(s.seconds), seconds(first.seconds)))
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

// markdown shows the results as tables, with what one has to know to read them.
func (r *results) markdown() string {
	var parts []string
	if len(r.syncs) > 0 {
		parts = append(parts, r.syncTable())
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
	if len(lists) > 0 {
		parts = append(parts, listTable(lists))
	}
	return strings.Join(append(parts, r.facts.String()), "\n")
}

func (f facts) String() string {
	return fmt.Sprintf("Measured by `make bench`: medians of %d runs of each side in turn, with %d workloads, on a real API server in a\n"+
		"process of its own on the same machine. %d cores, %s/%s, %s.\n",
		f.pairs, f.objects, f.cores, f.os, f.arch, f.version)
}

func (r *results) syncTable() string {
	t := table{header: []string{fmt.Sprintf("%d objects in one informer", r.facts.objects), "time to sync", "memory for each object", "memory saved", "target"}, numbers: 1}
	first := r.syncs[0]
	for _, s := range r.syncs {
		target := ""
		if s.most > 0 {
			target = fmt.Sprintf("at least %.0f %%, not slower", 100*(1-s.most))
		}
		t.add(s.what, seconds(s.seconds), kibibytes(s.bytes), fmt.Sprintf("%.0f %%", 100*(1-s.bytes/first.bytes)), target)
	}
	return t.String()
}

func loopTable(rows []comparison) string {
	t := table{header: []string{"a reconcile that does nothing", "written by hand", "generated", "ratio", "target"}, numbers: 1}
	for _, c := range rows {
		t.add(c.what, c.unit(c.theirs), c.unit(c.ours), factor(c.ratio()), c.targetText())
	}
	return t.String()
}

func listTable(rows []comparison) string {
	t := table{header: []string{"reads from the cache", "beside", "theirs", "generated", "ratio", "target"}, numbers: 2}
	for _, c := range rows {
		theirs, ours := c.unit(c.theirs), c.unit(c.ours)
		if c.allocations != nil {
			theirs, ours = theirs+", "+allocations(c.allocations[0]), ours+", "+allocations(c.allocations[1])
		}
		t.add(c.what, c.beside, theirs, ours, factor(c.ratio()), c.targetText())
	}
	return t.String()
}

func (c comparison) targetText() string {
	if !c.target {
		return ""
	}
	return "not slower"
}

// table is a Markdown table. The columns from number numbers on are aligned to the right, but for the last.
type table struct {
	header  []string
	rows    [][]string
	numbers int
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) String() string {
	rule := make([]string, len(t.header))
	for i := range rule {
		if rule[i] = "---"; i >= t.numbers && i < len(rule)-1 {
			rule[i] = "---:"
		}
	}
	var b strings.Builder
	for _, row := range append([][]string{t.header, rule}, t.rows...) {
		for _, cell := range row {
			b.WriteString(strings.TrimRight("| "+cell, " ") + " ")
		}
		b.WriteString("|\n")
	}
	return b.String()
}

func factor(ratio float64) string { return fmt.Sprintf("%.2f×", ratio) }

func seconds(s float64) string { return fmt.Sprintf("%.2f s", s) }

func milliseconds(s float64) string { return fmt.Sprintf("%.2f ms", s*1000) }

func microseconds(s float64) string { return fmt.Sprintf("%.2f µs", s*1e6) }

func nanoseconds(ns float64) string { return fmt.Sprintf("%.0f ns", ns) }

func perSecond(n float64) string { return fmt.Sprintf("%.0f /s", n) }

func kibibytes(bytes float64) string { return fmt.Sprintf("%.1f KiB", bytes/1024) }

func allocations(n float64) string { return fmt.Sprintf("%.0f allocs", n) }
