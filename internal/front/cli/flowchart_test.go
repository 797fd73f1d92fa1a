package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// The part of Mermaid's grammar that charts use. In labels, an escape is the only place for what Markdown and HTML have a meaning for.
const label = `"((?:[\w. /\[\]()|{}-]|#\d+;)*(?:<br/>\w+)*)"`

var (
	subgraph = regexp.MustCompile(`^  subgraph (\w+)\[` + label + `\]$`)
	nodes    = regexp.MustCompile(`^    (\w+)(?:\[\[` + label + `\]\]|\[` + label + `\]|\(\[` + label + `\]\))$`)
	edge     = regexp.MustCompile(`^  (\w+) (?:-->|-\.->)\|` + label + `\| (\w+)$`)
)

// assertParses checks that a chart is valid, and that it has numbers of nodes and edges.
func assertParses(t *testing.T, chart string, wantNodes, wantEdges int) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(chart, "\n"), "\n")
	require.Equal(t, "flowchart LR", lines[0])
	ids, edges, open := map[string]bool{}, 0, false
	declare := func(id string) {
		assert.False(t, ids[id], "the identifier %s is used twice", id)
		ids[id] = true
	}
	groups := 0
	for _, line := range lines[1:] {
		switch {
		case subgraph.MatchString(line):
			assert.False(t, open, line)
			open = true
			groups++
			declare(subgraph.FindStringSubmatch(line)[1])
		case line == "  end":
			assert.True(t, open, "the end of no group")
			open = false
		case nodes.MatchString(line):
			assert.True(t, open, "outside of a group: %s", line)
			declare(nodes.FindStringSubmatch(line)[1])
		case edge.MatchString(line):
			ends := edge.FindStringSubmatch(line)
			assert.True(t, ids[ends[1]] && ids[ends[3]], "an edge of unknown nodes: %s", line)
			edges++
		default:
			assert.Fail(t, "not in the grammar", line)
		}
	}
	assert.False(t, open)
	assert.Equal(t, wantNodes, len(ids)-groups)
	assert.Equal(t, wantEdges, edges)
}

// kind returns a kind of a group.
func kind(group, version, name string) *model.Kind {
	return &model.Kind{Name: name, Version: &model.Version{Name: version, Group: &model.Group{Name: group}}}
}

// related returns a kind as others refer to it.
func related(group, version, name string) model.Related {
	return model.Related{Group: group, GoVersion: version, Name: name}
}

// TestNames has names that look alike as identifiers, mean something in Mermaid, or have text of which labels are escaped.
func TestFlowchartNames(t *testing.T) {
	var kinds []*model.Kind
	for _, group := range []string{"end", "a.b", "a-b", "a--b", "a.v1", "a", "default", "", "o", "x.style"} {
		for _, name := range []string{"End", "V1_X", "V1__X", "X", "X_", "Graph"} {
			k := kind(group, "v1", name)
			k.Controller = &model.Controller{
				Owned: []model.Related{related("end", "V1", "End")},
				References: []model.Reference{
					{To: related("", "V1", "Secret"), Text: "a_b[*].c_d[*].`e`"},
					{To: related(group, "V1", name), Text: `"<b>#1 & |x|{y}(z)`},
				},
			}
			k.Indexes = []model.Index{{Method: "ByX"}, {Method: "ByY"}}
			kinds = append(kinds, k)
		}
	}
	assertParses(t, flowchart(kinds), 60+1, 60*3)
}

// TestFrames has a kind that another API of the same module refers to as shipped.
func TestFlowchartFrames(t *testing.T) {
	robot, task := kind("example.com", "v1", "Robot"), kind("example.com", "v1", "Task")
	robot.Controller = &model.Controller{Owned: []model.Related{related("example.com", "V1", "Task"), related("other", "V1beta1", "Pod")}}
	for _, kinds := range [][]*model.Kind{{robot, task}, {task, robot}} {
		chart := flowchart(kinds)
		assertParses(t, chart, 3, 2)
		assert.Contains(t, chart, `[["v1.Robot"]]`)
		assert.Contains(t, chart, `Task["v1.Task"]`)
		assert.Contains(t, chart, `(["v1beta1.Pod"])`)
	}
}

func TestEmptyFlowchart(t *testing.T) {
	assertParses(t, flowchart(nil), 0, 0)
}
