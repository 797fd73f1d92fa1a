package conformance

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writeCompatibility names the document that TestModules writes its table into.
var writeCompatibility = flag.String("compatibility", "", "document to write the table of modules into")

// compatibilityDoc is the document with the table of modules.
const compatibilityDoc = "../../docs/compatibility.md"

// compatibility is a row of the table.
type compatibility struct {
	Module, Version, ClientGo string
	// Generator is the release that generated the clients; "" for that of client-go.
	Generator           string
	Kinds, Packages     int
	Additions, Outdated int
	Time                time.Duration
}

// identity is the part of a row that does not depend on a run.
func (c compatibility) identity() string {
	clientGo := c.ClientGo
	if c.Generator != "" {
		clientGo += ", clients for " + c.Generator
	}
	return fmt.Sprintf("| `%s` | %s | %s |", c.Module, c.Version, clientGo)
}

func (c compatibility) String() string {
	result := "equal"
	switch {
	case c.Additions == 1:
		result = "1 addition"
	case c.Additions > 1:
		result = strconv.Itoa(c.Additions) + " additions"
	}
	if c.Outdated > 0 {
		result += fmt.Sprintf("; %d outdated left out", c.Outdated)
	}
	return fmt.Sprintf("%s %d | %d | %s | %.0f s |", c.identity(), c.Kinds, c.Packages, result, c.Time.Seconds())
}

const (
	tableBegin = "<!-- made by make compatibility -->\n"
	tableEnd   = "<!-- end -->\n"
	tableHead  = "| module | version | client-go | kinds | packages | exported API | time |\n|---|---|---|---|---|---|---|\n"
)

// writeTable replaces the rows of the compared modules in the document and keeps the others.
func writeTable(t *testing.T, name string, compared map[string]compatibility) {
	t.Helper()
	before, old, after := cutTable(t, name, tableBegin)
	table := tableHead
	for _, m := range shippingModules {
		if row, known := compared[m.name]; known {
			table += row.String() + "\n"
			continue
		}
		for line := range strings.Lines(old) {
			if strings.HasPrefix(line, m.requirement(t).identity()) {
				table += line
			}
		}
	}
	require.NoError(t, os.WriteFile(name, []byte(before+table+after), 0o644))
}

// cutTable returns what a document has before a table, the table, and what is after it, with its marks in the first and the last.
func cutTable(t *testing.T, name, begin string) (before, table, after string) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	table, after, foundEnd := strings.Cut(rest, tableEnd)
	require.True(t, found && foundEnd, "%s lacks the marks around a table: %s", name, begin)
	return before + begin, table, tableEnd + after
}

// TestCompatibilityDoc compares the modules and versions in the document with the tested ones.
func TestCompatibilityDoc(t *testing.T) {
	needsFinal(t)
	_, table, _ := cutTable(t, compatibilityDoc, tableBegin)
	var documented, tested []string
	for line := range strings.Lines(strings.TrimPrefix(table, tableHead)) {
		cells := strings.SplitAfterN(line, "|", 5)
		documented = append(documented, strings.TrimSpace(strings.Join(cells[:min(4, len(cells))], "")))
	}
	used := map[string]bool{}
	for _, m := range shippingModules {
		tested = append(tested, m.requirement(t).identity())
		used[filepath.Join("testdata", "modules", m.name)] = true
	}
	assert.Equal(t, tested, documented, "run make compatibility")
	for _, m := range helpedModules {
		used[filepath.FromSlash(m.pinned)] = true
	}
	entries, err := os.ReadDir("testdata/modules")
	require.NoError(t, err)
	for _, entry := range entries {
		assert.Contains(t, used, filepath.Join("testdata", "modules", entry.Name()), "each directory is in a row")
	}
}

const (
	helpersBegin = "<!-- made by make compatibility: defaults and conversions -->\n"
	helpersHead  = "| module | version | equal files with defaults | equal files with conversions |\n|---|---|--:|--:|\n"
)

// TestShippedDoc compares the table of defaults and conversions in the document with the tested modules, or writes the table.
func TestShippedDoc(t *testing.T) {
	needsFinal(t)
	var table strings.Builder
	table.WriteString(helpersHead)
	for _, m := range helpedModules {
		version := requiredVersions(t, m.pinned)[m.path]
		require.NotEmpty(t, version, "%s requires %s", m.pinned, m.path)
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", m.path, version, m.defaults, m.conversions)
	}
	if name := *writeCompatibility; name != "" {
		before, _, after := cutTable(t, name, helpersBegin)
		require.NoError(t, os.WriteFile(name, []byte(before+table.String()+after), 0o644))
	}
	_, documented, _ := cutTable(t, compatibilityDoc, helpersBegin)
	assert.Equal(t, table.String(), documented, "run make compatibility")
}

var kindsIn = regexp.MustCompile(`, (\d+) kinds? in `)

// countKinds reads the number of kinds from our program's summary.
func countKinds(t *testing.T, summary string) int {
	t.Helper()
	match := kindsIn.FindStringSubmatch(summary)
	require.NotNil(t, match, summary)
	kinds, err := strconv.Atoi(match[1])
	require.NoError(t, err)
	return kinds
}
