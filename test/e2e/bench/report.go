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
	sync        *syncs
	comparisons []comparison
}

func (r *results) add(c comparison) { r.comparisons = append(r.comparisons, c) }

// facts say what was measured where.
type facts struct {
	objects, pairs, cores int
	os, arch, version     string
}

// syncs are the seconds and the bytes per object of an informer that keeps managed fields, and of one that does not.
type syncs struct{ kept, stripped []float64 }

// comparison is one quantity of both sides.
type comparison struct {
	what string
	// beside is what ours is compared with, if not with the loop that is written by hand.
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
	if r.sync != nil {
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
	t := table{header: []string{fmt.Sprintf("%d objects in one informer", r.facts.objects), "managed fields kept", "removed", "ratio", ""}, numbers: 1}
	kept, stripped := r.sync.kept, r.sync.stripped
	t.add("time to sync", seconds(kept[0]), seconds(stripped[0]), factor(kept[0]/stripped[0]), "")
	t.add("memory for each object", kibibytes(kept[1]), kibibytes(stripped[1]), factor(kept[1]/stripped[1]), "")
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
