package doctest_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	link    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fenced  = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	inline  = regexp.MustCompile("`[^`\n]*`")
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinks follows the links of all pages to files of the repository, and requires docs/index.md to link every page of docs.
func TestLinks(t *testing.T) {
	anchors := map[string]map[string]bool{}
	linked := map[string]bool{}
	for _, page := range walked(t, ".md") {
		if strings.HasPrefix(page, "internal/") {
			continue // the template of a page in docs
		}
		for _, found := range link.FindAllStringSubmatch(inline.ReplaceAllString(prose(t, page), ""), -1) {
			target, anchor, _ := strings.Cut(found[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			name := page
			if target != "" {
				name = path.Join(path.Dir(page), target)
			}
			if page == "docs/index.md" {
				linked[name] = true
			}
			if _, err := os.Stat(root.Path(name)); !assert.NoError(t, err, "%s: link to %s", page, found[1]) || anchor == "" {
				continue
			}
			if anchors[name] == nil {
				anchors[name] = headings(prose(t, name))
			}
			assert.True(t, anchors[name][anchor], "%s: link to %s: no such heading", page, found[1])
		}
	}
	pages, err := filepath.Glob(root.Path("docs/*.md"))
	require.NoError(t, err)
	for _, page := range pages {
		if name := "docs/" + filepath.Base(page); name != "docs/index.md" {
			assert.True(t, linked[name], "docs/index.md: no link to %s", name)
		}
	}
}

// prose returns a page without its code blocks.
func prose(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(root.Path(page))
	require.NoError(t, err)
	return fenced.ReplaceAllString(string(text), "")
}

// headings returns the anchors that forges give to the headings of a page.
func headings(text string) map[string]bool {
	anchors := map[string]bool{}
	for _, found := range heading.FindAllStringSubmatch(text, -1) {
		title := link.ReplaceAllString(found[1], "") // of [text](link), the text counts
		anchors[strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(title), ""), " ", "-")] = true
	}
	return anchors
}
