package foreign

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/structural"
)

// warnings are what is odd about the schemas of a version, by kind and message. A message appears once for each kind, at the first place,
// and names the others.
type warnings struct{ nodes map[warned][]*node }

type warned struct{ kind, message, hint string }

// add adds a warning about a node.
func (w *warnings) add(n *node, hint, format string, args ...any) {
	if w.nodes == nil {
		w.nodes = map[warned][]*node{}
	}
	key := warned{n.names[0], fmt.Sprintf(format, args...), hint}
	w.nodes[key] = append(w.nodes[key], n)
}

// check warns about parts of a schema that its Go type does not express, and that the list or map that holds it does not.
func (w *warnings) check(n, holder *node) {
	rules := n.unmarked()
	if holder != nil {
		maps.Copy(rules, n.unmarkedUse(holder))
	}
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		w.add(n, "", "no marker expresses %s: it is in a comment, and only servers check it", rule)
	}
	isOpen := structural.Preserves(n.schema) || n.schema.AdditionalProperties != nil && n.schema.AdditionalProperties.Allows
	if n.form == object && isOpen && len(n.names) > 1 {
		w.add(n, "update such objects with Patch or Apply",
			"the schema keeps unknown fields, which the struct does not have: an update with the typed client drops them")
	}
}

// shown is the number of places that a warning names.
const shown = 3

func (w *warnings) list() (diags diag.List) {
	for key, nodes := range w.nodes {
		slices.SortFunc(nodes, func(a, b *node) int { return slices.Compare(a.names, b.names) })
		var places []string
		for _, n := range nodes[:min(len(nodes), shown)] {
			places = append(places, strings.Join(n.names, "."))
		}
		if more := len(nodes) - shown; more > 0 {
			places = append(places, fmt.Sprintf("and %d more", more))
		}
		diags.Warn(nodes[0].definition.At(nodes[0].path...), key.hint, "%s: %s", strings.Join(places, ", "), key.message)
	}
	return diags
}
