package cli

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// ids makes identifiers, different ones for different names: kinds have no hyphens, and groups no underscores.
var ids = strings.NewReplacer("/", "_", ".", "_", "-", "__", "_", "___")

// labels escapes quotes, Markdown and HTML.
var labels = strings.NewReplacer(`"`, "#34;", "#", "#35;", "&", "#38;", "*", "#42;", "<", "#60;", ">", "#62;", "_", "#95;", "`", "#96;")

// flowchart returns a flowchart of kinds with their lookups, and of the kinds that they own or refer to, in the language of Mermaid, which
// forges render. The frame of a kind is double if it has a controller, and round if its client comes from elsewhere.
func flowchart(kinds []*model.Kind) string {
	lines, edges := map[string]string{"": "flowchart LR\n"}, "" // keys are full names of kinds, and what sorts before and after those
	node := func(name, start, end string) {
		group, kind, _ := strings.Cut(name, "/")
		lines[group+"/"] = "  subgraph " + ids.Replace("/"+group) + `["` + labels.Replace(group) + "\"]\n"
		lines[name] = "    " + ids.Replace(name) + start + labels.Replace(kind) + end + "\n"
		lines[group+"/~"] = "  end\n"
	}
	for _, k := range kinds {
		edge := func(arrow, label string, to model.Related) {
			node(to.FullName(), `(["`, `"])`)
			edges += "  " + ids.Replace(k.FullName()) + arrow + `|"` + labels.Replace(label) + `"| ` + ids.Replace(to.FullName()) + "\n"
		}
		c := cmp.Or(k.Controller, &model.Controller{})
		for _, o := range c.Owned {
			edge(" -->", "owns", o)
		}
		for _, r := range c.References {
			edge(" -.->", r.Text, r.To)
		}
	}
	for _, k := range kinds { // last, because related kinds may be among them
		start, end := `["`, `"]`
		if k.Controller != nil {
			start, end = `[["`, `"]]`
		}
		for _, index := range slices.Backward(k.Indexes) {
			end = "<br/>" + labels.Replace(index.Method) + end
		}
		node(k.FullName(), start, end)
	}
	var chart strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		chart.WriteString(lines[name])
	}
	return chart.String() + edges
}
