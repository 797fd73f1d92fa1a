package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// Markdown formats the results as tables, with an explanation.
func (r Results) Markdown() string {
	var parts []string
	if len(r.Comparisons) > 0 {
		parts = append(parts, r.comparisonTable())
	}
	if len(r.Projects) > 0 {
		parts = append(parts, r.Projects.table(r.Facts), r.Projects.stepTable(r.Facts))
	}
	if len(r.Reruns) > 0 {
		parts = append(parts, r.rerunTable())
	}
	if r.Growth != nil {
		parts = append(parts, r.Growth.table())
	}
	if r.Compilation != nil {
		parts = append(parts, r.Compilation.table(r.Facts))
	}
	if r.Cold != nil {
		parts = append(parts, r.Cold.table(r.Facts))
	}
	return strings.Join(append(parts, r.Facts.String()), "\n")
}

// String describes how the numbers were measured.
func (f Facts) String() string {
	return fmt.Sprintf("Measured by `make bench`: medians of %d runs of each side in turn; whole processes, from start to exit, on the wall\n"+
		"clock unless it says otherwise; upstream's programs, already built, one after the other; the peak of the largest\n"+
		"process. %s.\n",
		f.Pairs, f.Machine)
}

// quantity is a measured quantity.
type quantity struct {
	name  string
	text  func(measure.Sample) string
	times func(a, b measure.Sample) float64
}

var quantities = []quantity{
	{"time", func(s measure.Sample) string { return seconds(s.Wall) }, func(a, b measure.Sample) float64 { return times(a.Wall, b.Wall) }},
	{"CPU time", func(s measure.Sample) string { return seconds(s.CPU) }, func(a, b measure.Sample) float64 { return times(a.CPU, b.CPU) }},
	{"peak memory", func(s measure.Sample) string { return mib(s.Memory) },
		func(a, b measure.Sample) float64 { return times(a.Memory, b.Memory) }},
}

func (r Results) comparisonTable() string {
	t := harness.Table{
		Header:  []string{"", "", "code-generator " + r.Facts.CodeGenerator, "informer-gen-lite", "ratio", "target"},
		Numbers: 2,
	}
	for _, c := range r.Comparisons {
		upstream, ours := c.Upstream.Median(), c.Ours.Median()
		targets := []string{"", "", ""}
		if c.Faster > 0 {
			targets[0] = fmt.Sprintf("at least %.0f×", c.Faster)
		}
		if c.Memory > 0 {
			targets[2] = "at most " + mib(c.Memory)
		}
		input := c.Input
		for i, q := range quantities {
			t.Add(input, q.name, q.text(upstream), q.text(ours), fmt.Sprintf("%.1f×", q.times(upstream, ours)), targets[i])
			input = ""
		}
	}
	return t.String()
}

func (r Results) rerunTable() string {
	t := harness.Table{Header: []string{"", "", "first run", "again", "ratio", "target"}, Numbers: 2}
	for _, rerun := range r.Reruns {
		first, second := rerun.First.Median(), rerun.Second.Median()
		input, target := rerun.Input+", "+rerun.Changed, ""
		if rerun.Limit > 0 {
			target = "at most " + seconds(rerun.Limit)
		}
		for _, q := range quantities {
			t.Add(input, q.name, q.text(first), q.text(second), fmt.Sprintf("%.2f", q.times(second, first)), target)
			input, target = "", ""
		}
	}
	return t.String()
}

func (g *Growth) table() string {
	t := harness.Table{Header: []string{"kinds", "time", "per kind", "CPU time per kind", "peak memory", "target"}}
	for i, size := range g.Sizes {
		ours := size.Ours.Median()
		var targets []string
		if i > 0 {
			targets = append(targets, fmt.Sprintf("CPU time at most %.1f× the line above", g.Margin))
		}
		if size.Kinds == g.LimitAt {
			targets = append(targets, "time at most "+seconds(g.Limit))
		}
		if i == len(g.Sizes)-1 {
			targets = append(targets, fmt.Sprintf("time at most that at %d", g.Base))
		}
		t.Add(strconv.Itoa(size.Kinds), seconds(ours.Wall), milliseconds(size.wallPerKind()), milliseconds(size.cpuPerKind()),
			mib(ours.Memory), strings.Join(targets, "; "))
	}
	return t.String()
}

func (c *Cold) table(facts Facts) string {
	header := []string{"from an empty build cache", "", "code-generator " + facts.CodeGenerator, "informer-gen-lite", "ratio", "target"}
	t := harness.Table{Header: header, Numbers: 2}
	upstream, ours := c.Upstream.Median(), c.Ours.Median()
	t.Add(c.Input, "CPU time", seconds(upstream.CPU), seconds(ours.CPU), fmt.Sprintf("%.2f×", c.cheaper()), "at least 1×")
	t.Add("", "time", seconds(upstream.Wall), seconds(ours.Wall), fmt.Sprintf("%.2f×", times(upstream.Wall, ours.Wall)), "")
	return t.String()
}

// compilationRow is a compared quantity: CPU time, because go commands run many processes concurrently, or size.
type compilationRow struct {
	name, upstream, ours string
	// ratio is our value divided by upstream's.
	ratio float64
}

func (c *Compilation) rows() []compilationRow {
	cpu := func(name string, upstream, ours measure.Samples) compilationRow {
		theirs, own := upstream.Median().CPU, ours.Median().CPU
		return compilationRow{name, seconds(theirs), seconds(own), times(own, theirs)}
	}
	return []compilationRow{
		cpu("go build, CPU time", c.Upstream.Build, c.Ours.Build),
		cpu("go vet, CPU time", c.Upstream.Vet, c.Ours.Vet),
		{"size of the program", kib(c.Upstream.Size), kib(c.Ours.Size), times(c.Ours.Size, c.Upstream.Size)},
	}
}

func (c *Compilation) table(facts Facts) string {
	t := harness.Table{Header: []string{"", "", "code-generator " + facts.CodeGenerator, "informer-gen-lite", "ratio", "target"}, Numbers: 2}
	input := c.Input
	for _, row := range c.rows() {
		t.Add(input, row.name, row.upstream, row.ours, fmt.Sprintf("%.3f", row.ratio), fmt.Sprintf("at most %.2f", c.Margin))
		input = ""
	}
	return t.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) }

func kib(bytes int64) string { return fmt.Sprintf("%d KiB", bytes>>10) }

func mib(bytes int64) string { return fmt.Sprintf("%.0f MiB", float64(bytes)/mebibyte) }
