package main

import (
	"fmt"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// results are the rows of a run, with the names of the fakes in the order of the columns.
type results struct {
	rows           []row
	columns        []string
	pairs, objects int
	machine        string
}

// row has the medians of an operation, by contestant. Missing measurements are omitted.
type row struct {
	name    string
	factor  float64
	medians map[string]time.Duration
}

// ratio returns the ratio of the strict fake's time to the plain fake's.
func (r row) ratio() float64 {
	plain := r.medians[plainName]
	if plain == 0 {
		return 0
	}
	return float64(r.medians[strictName]) / float64(plain)
}

func (r row) target() string {
	if r.factor == 0 {
		return "< " + duration(newLimit)
	}
	return fmt.Sprintf("≤ %g×", r.factor)
}

// miss describes how the target is missed; "" if it is met.
func (r row) miss(slack float64) string {
	switch strict := r.medians[strictName]; {
	case r.factor == 0 && strict >= time.Duration(float64(newLimit)*slack):
		return fmt.Sprintf("%s: %s, not %s", r.name, duration(strict), r.target())
	case r.factor > 0 && r.ratio() > r.factor*slack:
		return fmt.Sprintf("%s: %.2f× %s, not %s", r.name, r.ratio(), plainName, r.target())
	}
	return ""
}

// Misses describes the missed targets.
func (r *results) Misses(slack float64) []string {
	var misses []string
	for _, row := range r.rows {
		if miss := row.miss(slack); miss != "" {
			misses = append(misses, miss)
		}
	}
	return misses
}

// Markdown formats the rows as a table, with an explanation.
func (r *results) Markdown() string {
	header := append(append([]string{""}, r.columns...), strictName+" / "+plainName, "target")
	t := harness.Table{Header: header, Numbers: 1}
	for _, row := range r.rows {
		cells := []string{row.name}
		for _, column := range r.columns {
			cell := ""
			if value, ok := row.medians[column]; ok {
				cell = duration(value)
			}
			cells = append(cells, cell)
		}
		t.Add(append(cells, fmt.Sprintf("%.2f×", row.ratio()), row.target())...)
	}
	return t.String() + fmt.Sprintf("\nCPU time, medians of %d runs of each fake in turn, with %d objects in the last three rows. %s.\n",
		r.pairs, r.objects, r.machine)
}

// duration formats a duration with three digits, in µs or ms.
func duration(d time.Duration) string {
	value, unit := float64(d)/float64(time.Microsecond), "µs"
	if value >= 1000 {
		value, unit = value/1000, "ms"
	}
	digits := 0
	switch {
	case value < 10:
		digits = 2
	case value < 100:
		digits = 1
	}
	return fmt.Sprintf("%.*f %s", digits, value, unit)
}
