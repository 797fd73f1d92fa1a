package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

var caseLink = regexp.MustCompile(`\[(\w+)\]\((\w+)\.txtar\)`)

// TestCaseIndex checks that the index lists exactly the existing cases. With -update, its second part is regenerated from the
// descriptions in the cases.
func TestCaseIndex(t *testing.T) {
	index := filepath.Join(casesDir, "README.md")
	text, err := os.ReadFile(index)
	require.NoError(t, err)
	byHand, others, found := strings.Cut(string(text), "\n| case | |\n|---|---|\n")
	require.True(t, found, "the index ends in a table of all other cases")

	indexed := map[string]bool{}
	for _, link := range caseLink.FindAllStringSubmatch(byHand, -1) {
		assert.Equal(t, link[1], link[2])
		assert.FileExists(t, filepath.Join(casesDir, link[2]+".txtar"))
		indexed[link[2]] = true
	}
	want := otherCases(t, indexed)
	if *update {
		text := strings.TrimSuffix(string(text), others) + want
		require.NoError(t, os.WriteFile(index, []byte(text), 0o644))
		return
	}
	assert.Equal(t, want, others, "go test ./internal/front/cli -run CaseIndex -update")
}

// otherCases returns the rows of the cases that are not indexed yet.
func otherCases(t *testing.T, indexed map[string]bool) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(casesDir, "*.txtar"))
	require.NoError(t, err)
	var rows strings.Builder
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if indexed[name] {
			continue
		}
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		text, _, _ := strings.Cut(string(archive.Comment), "\nargs:")
		text = strings.Join(strings.Fields(text), " ")
		require.NotEmpty(t, text, "%s does not say what it is about", file)
		fmt.Fprintf(&rows, "| [%s](%s.txtar) | %s |\n", name, name, strings.TrimSuffix(text, "."))
	}
	return rows.String()
}
