// Package splice replaces generated parts of Markdown documents, which are between the lines <!-- mark --> and <!-- /mark -->.
package splice

import (
	"fmt"
	"os"
	"strings"
)

// Start returns the line before a part.
func Start(mark string) string { return "<!-- " + mark + " -->" }

// End returns the line after a part.
func End(mark string) string { return "<!-- /" + mark + " -->" }

// Text returns the document with the part replaced by text, or an error if it has no such part.
func Text(document, mark, text string) (string, error) {
	start, end := Start(mark), End(mark)
	before, rest, found := strings.Cut(document, start)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", fmt.Errorf("no %s … %s", start, end)
	}
	return before + start + "\n" + strings.Trim(text, "\n") + "\n" + end + after, nil
}

// File returns the content of a file with the part replaced by text. It does not write the file.
func File(name, mark, text string) (string, error) {
	document, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	updated, err := Text(string(document), mark, text)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return updated, nil
}
