package main

import (
	"fmt"
	"strings"
	"time"
)

// tableMark marks the table in a document.
const tableMark = "bench fakes"

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

func misses(rows []row, slack float64) (all []string) {
	for _, r := range rows {
		if miss := r.miss(slack); miss != "" {
			all = append(all, miss)
		}
	}
	return all
}

// markdown returns the rows as a table.
func markdown(rows []row, columns []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| | %s | %s / %s | target |\n|---|%s---:|---|\n", strings.Join(columns, " | "), strictName, plainName, strings.Repeat("---:|", len(columns)))
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s |", r.name)
		for _, column := range columns {
			if value, ok := r.medians[column]; ok {
				fmt.Fprintf(&b, " %s |", duration(value))
			} else {
				b.WriteString(" |")
			}
		}
		fmt.Fprintf(&b, " %.2f× | %s |\n", r.ratio(), r.target())
	}
	return b.String()
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
