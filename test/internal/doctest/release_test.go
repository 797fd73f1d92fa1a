package doctest_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// releaseGuide lists the files that name the newest release of client-go.
const releaseGuide = "docs/new-release.md"

// required are files with requirements, and what was made or recorded.
var required = regexp.MustCompile(`\.(mod|sum)$|/testdata/|^testdata/|/generated/|^(docs/(compatibility|a-switch)|test/e2e/bench/README)\.md$`)

// TestNewRelease looks for files that name the newest release, and compares them with the guide for the next one.
func TestNewRelease(t *testing.T) {
	guide, err := os.ReadFile(root.Path(releaseGuide))
	require.NoError(t, err)
	_, table, found := strings.Cut(string(guide), "\n| file | what |\n|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	var listed []string
	for row := range strings.Lines(table) {
		cell, _, _ := strings.Cut(strings.TrimPrefix(row, "|"), "|")
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
			listed = append(listed, name[1])
		}
	}
	assert.LessOrEqual(t, len(listed), 12)

	list := exec.Command("git", "ls-files", "-z")
	list.Dir = root.Path(".")
	out, err := list.Output()
	require.NoError(t, err)
	minor := model.NewestTarget.Minor
	named := regexp.MustCompile(fmt.Sprintf(`\bv?[01]\.%d\b( s|×| %%| MB| MiB)?`, minor)) // figures are no releases
	var naming []string
	for name := range bytes.SplitSeq(bytes.TrimRight(out, "\x00"), []byte{0}) {
		text, err := os.ReadFile(root.Path(string(name)))
		if err == nil && !required.Match(name) && !bytes.Contains(text, []byte{0}) && slices.ContainsFunc(named.FindAllSubmatch(text, -1), isRelease) {
			naming = append(naming, string(name))
		}
	}
	slices.Sort(listed)
	assert.Equal(t, listed, naming)
}

func isRelease(match [][]byte) bool { return len(match[1]) == 0 }
