package harness

import (
	"fmt"
	"os"
	"strings"
)

// Mark names a generated part of a Markdown document, between the lines <!-- mark --> and <!-- /mark -->.
type Mark string

func (m Mark) start() string { return "<!-- " + string(m) + " -->" }
func (m Mark) end() string   { return "<!-- /" + string(m) + " -->" }

// Splice returns the document with the part replaced by text, or an error if it has no such part.
func (m Mark) Splice(document, text string) (string, error) {
	start, end := m.start(), m.end()
	before, rest, found := strings.Cut(document, start)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", fmt.Errorf("no %s … %s", start, end)
	}
	return before + start + "\n" + strings.Trim(text, "\n") + "\n" + end + after, nil
}

// InFile returns the content of a file with the part replaced by text. It does not write the file.
func (m Mark) InFile(name, text string) (string, error) {
	document, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	updated, err := m.Splice(string(document), text)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return updated, nil
}
