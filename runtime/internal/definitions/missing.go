package definitions

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// missing returns the paths of the fields of a kind that a document lacks, such as "spec.joints[].limit". Known reports
// whether the document has the kind. If it has no schema for it, nothing is missing.
func missing(d *document, fields table, resource schema.GroupVersionResource) (paths []string, known bool) {
	k := fields.kinds[resource.GroupVersion().String()+"/"+resource.Resource]
	root := d.resolve(d.kind(resource.GroupVersion().WithKind(k.name)))
	if root == nil || len(root.Properties) == 0 {
		return nil, root != nil
	}
	c := comparison{document: d, types: fields.types, open: map[position]bool{}}
	c.object("", k.typ, root)
	paths = slices.DeleteFunc(c.missing, func(path string) bool { return slices.Contains(ofEveryObject, path) })
	slices.Sort(paths)
	return paths, true
}

// ofEveryObject are the fields that all kinds have, and embedded objects.
var ofEveryObject = []string{"apiVersion", "kind", "metadata"}

// comparison collects the paths of missing fields.
type comparison struct {
	document *document
	types    map[string][]field
	missing  []string
	// open are the positions around the current one: types may contain themselves.
	open map[position]bool
}

// position is a type of a table, and its schema.
type position struct {
	typ    string
	schema *openAPI
}

// value compares the value of the field at a path.
func (c *comparison) value(path, of string, s *openAPI) {
	if s = c.document.resolve(s); s == nil || of == "" {
		return
	}
	if elements, ok := strings.CutPrefix(of, "[]"); ok {
		c.value(path+"[]", elements, s.Items)
		return
	}
	if values, ok := strings.CutPrefix(of, "{}"); ok {
		if s.AdditionalProperties != nil {
			c.value(path+"{}", values, s.AdditionalProperties.values)
		}
		return
	}
	if s.Type == "object" || len(s.Properties) > 0 { // else it is of another type, or anything
		c.object(path+".", of, s)
	}
}

// object compares the fields of a type. Their paths begin with prefix.
func (c *comparison) object(prefix, typ string, s *openAPI) {
	here := position{typ, s}
	if c.open[here] {
		return
	}
	c.open[here] = true
	defer delete(c.open, here)
	for _, f := range c.types[typ] {
		below, has := s.Properties[f.name]
		switch {
		case has:
			c.value(prefix+f.name, f.of, below)
		case s.Preserves || s.AdditionalProperties != nil: // it is stored without a schema
		case s.Embedded && slices.Contains(ofEveryObject, f.name):
		default:
			c.missing = append(c.missing, prefix+f.name)
		}
	}
}
