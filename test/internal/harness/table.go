package harness

import "strings"

// Table is a Markdown table.
type Table struct {
	Header []string
	// Numbers is the first right-aligned column. Those after it are too, except for the last.
	Numbers int
	rows    [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// String formats the table, with a line break at the end.
func (t *Table) String() string {
	rule := make([]string, len(t.Header))
	for i := range rule {
		if rule[i] = "---"; i >= t.Numbers && i < len(rule)-1 {
			rule[i] = "---:"
		}
	}
	var b strings.Builder
	for _, row := range append([][]string{t.Header, rule}, t.rows...) {
		for _, cell := range row {
			b.WriteString(strings.TrimRight("| "+cell, " ") + " ")
		}
		b.WriteString("|\n")
	}
	return b.String()
}
