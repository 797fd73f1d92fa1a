package doctest_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The part of Mermaid's grammar for flowcharts that the pages use: subgraphs of nodes with quoted labels, then edges.
const label = `"(?:[\w., :;/'-]|<br/>)+"`

var (
	node     = regexp.MustCompile(`^( +)(\w+)(?:\[` + label + `\]|\[\(` + label + `\)\]|\[\[` + label + `\]\])$`)
	subgraph = regexp.MustCompile(`^  subgraph (\w+)\[` + label + `\]$`)
	edge     = regexp.MustCompile(`^  (\w+) (?:-->|-\.->)(?:\|` + label + `\|)? (\w+)$`)
)

// TestPictures parses the Mermaid pictures of the pages: each line is in the grammar, each name is declared once and before its edges,
// and each node has an edge.
func TestPictures(t *testing.T) {
	count := 0
	for _, b := range root.Blocks(t, root.Pages(t)...) {
		if b.Language != "mermaid" {
			continue
		}
		count++
		names, edges, inside := map[string]bool{}, map[string]bool{}, false
		declare := func(name string) {
			assert.False(t, names[name], "%s: %s is declared twice", b, name)
			assert.NotContains(t, []string{"end", "graph", "flowchart", "subgraph", "style", "class", "click", "default"}, name, b.String())
			names[name] = true
		}
		first, rest, _ := strings.Cut(strings.TrimSuffix(b.Code, "\n"), "\n")
		assert.Regexp(t, `^flowchart (LR|TB)$`, first, b.String())
		for line := range strings.SplitSeq(rest, "\n") {
			switch found := node.FindStringSubmatch(line); {
			case found != nil:
				assert.Equal(t, inside, found[1] == "    ", "%s: indentation: %s", b, line)
				declare(found[2])
			case subgraph.MatchString(line):
				assert.False(t, inside, "%s: %s", b, line)
				inside = true
				name := subgraph.FindStringSubmatch(line)[1]
				declare(name)
				edges[name] = true
			case line == "  end":
				assert.True(t, inside, "%s: end without subgraph", b)
				inside = false
			case edge.MatchString(line):
				for _, name := range edge.FindStringSubmatch(line)[1:] {
					assert.True(t, names[name], "%s: unknown node %s", b, name)
					edges[name] = true
				}
			default:
				assert.Fail(t, "not in the grammar", "%s: %s", b, line)
			}
		}
		assert.False(t, inside, "%s: subgraph without end", b)
		assert.Equal(t, names, edges, "%s: nodes without edges", b)
	}
	assert.NotZero(t, count)
}
