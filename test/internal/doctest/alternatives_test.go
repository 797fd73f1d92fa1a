package doctest_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBoldCells compares the bold cells of the table of alternatives, which say that others are better, with the list of sources below it.
func TestBoldCells(t *testing.T) {
	text, err := os.ReadFile(root.Path("README.md"))
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "\n## Next to the alternatives\n")
	require.True(t, found)
	table, rest, found := strings.Cut(section, "\n\n<!-- ")
	require.True(t, found)
	list, _, found := strings.Cut(rest, "\n-->\n")
	require.True(t, found)

	var bold, sources []string
	for _, cell := range regexp.MustCompile(`\*\*(.+?)\*\*`).FindAllStringSubmatch(table, -1) {
		bold = append(bold, regexp.MustCompile(`\[([^]]+)\]\([^)]+\)`).ReplaceAllString(cell[1], "$1"))
	}
	for _, line := range strings.Split(list, "\n")[1:] {
		name, source, _ := strings.Cut(line, ": ")
		assert.Regexp(t, `^(https://\S+( \(.+\))?|Test\w+)$`, source, name)
		sources = append(sources, name)
	}
	assert.Equal(t, bold, sources)
}
