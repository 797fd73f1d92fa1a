package report

import (
	"fmt"
	"strings"
)

// The lines between which the tables stand in a README.
const (
	spliceStart = "<!-- bench -->"
	spliceEnd   = "<!-- /bench -->"
)

// Splice replaces what stands between the two marks in a document.
func Splice(document, text string) (string, error) {
	before, rest, found := strings.Cut(document, spliceStart)
	_, after, closed := strings.Cut(rest, spliceEnd)
	if !found || !closed {
		return "", fmt.Errorf("no %s … %s to write the tables between", spliceStart, spliceEnd)
	}
	return before + spliceStart + "\n" + strings.Trim(text, "\n") + "\n" + spliceEnd + after, nil
}
