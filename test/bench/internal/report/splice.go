package report

import (
	"fmt"
	"strings"
)

// The lines around the tables in a README.
const (
	spliceStart = "<!-- bench -->"
	spliceEnd   = "<!-- /bench -->"
)

// Splice replaces the text between the two marks in a document.
func Splice(document, text string) (string, error) {
	before, rest, found := strings.Cut(document, spliceStart)
	_, after, closed := strings.Cut(rest, spliceEnd)
	if !found || !closed {
		return "", fmt.Errorf("no %s … %s to write the tables between", spliceStart, spliceEnd)
	}
	return before + spliceStart + "\n" + strings.Trim(text, "\n") + "\n" + spliceEnd + after, nil
}
