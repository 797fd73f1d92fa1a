package smd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"go.yaml.in/yaml/v4"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// text returns a schema in YAML, in the layout of code-generator: types and fields are sorted by name, with the general types at the end,
// and lists are not indented.
//
// It writes the structure itself, in the format of the yaml library: for the schema of k8s.io/api, the library would take a tenth
// of the CPU time of a run. The library still writes unusual values.
func text(s *schema.Schema) string {
	slices.SortFunc(s.Types, func(x, y schema.TypeDef) int {
		if general := isGeneral(x.Name); general != isGeneral(y.Name) {
			return map[bool]int{true: 1, false: -1}[general]
		}
		return cmp.Compare(x.Name, y.Name)
	})
	var w writer
	w.WriteString("types:\n")
	for _, t := range s.Types {
		if t.Map != nil {
			slices.SortFunc(t.Fields, byName)
		}
		w.item(0, func(indent int) {
			w.value(indent, "name", t.Name)
			w.atom(indent, t.Atom)
		})
	}
	return w.String()
}

// isGeneral reports whether a type stands for all types without a definition.
func isGeneral(name string) bool { return strings.HasPrefix(name, "__untyped_") }

// writer writes block style: each level is indented by two more spaces, and lists by none.
type writer struct{ bytes.Buffer }

func (w *writer) key(indent int, key string) {
	w.indent(indent)
	w.WriteString(key)
	w.WriteByte(':')
}

func (w *writer) indent(indent int) { w.WriteString(strings.Repeat(" ", indent)) }

// value writes a key with a string, unless the string is empty.
func (w *writer) value(indent int, key, value string) {
	if value != "" {
		w.key(indent, key)
		w.WriteByte(' ')
		w.WriteString(scalarText(value))
		w.WriteByte('\n')
	}
}

// mapping writes a key with the mapping that body writes.
func (w *writer) mapping(indent int, key string, body func(indent int)) {
	w.key(indent, key)
	start := w.Len()
	w.WriteByte('\n')
	body(indent + 2)
	if w.Len() == start+1 {
		w.Truncate(start)
		w.WriteString(" {}\n")
	}
}

// item writes an element of a list: the mapping that body writes.
func (w *writer) item(indent int, body func(indent int)) {
	start := w.Len()
	body(indent + 2)
	w.Bytes()[start+indent] = '-'
}

func (w *writer) atom(indent int, a schema.Atom) {
	if a.Scalar != nil {
		w.value(indent, "scalar", string(*a.Scalar))
	}
	if a.List != nil {
		w.mapping(indent, "list", func(indent int) {
			w.typeRef(indent, "elementType", a.List.ElementType)
			w.value(indent, "elementRelationship", string(a.List.ElementRelationship))
			w.keys(indent, a.Keys)
		})
	}
	if a.Map != nil {
		w.mapping(indent, "map", func(indent int) { w.mapType(indent, a.Map) })
	}
}

func (w *writer) keys(indent int, keys []string) {
	if len(keys) > 0 {
		w.key(indent, "keys")
		w.WriteByte('\n')
	}
	for _, key := range keys {
		w.indent(indent)
		w.WriteString("- " + scalarText(key) + "\n")
	}
}

func (w *writer) mapType(indent int, m *schema.Map) {
	if len(m.Fields) > 0 {
		w.key(indent, "fields")
		w.WriteByte('\n')
	}
	for _, field := range m.Fields {
		w.item(indent, func(indent int) {
			w.value(indent, "name", field.Name)
			w.typeRef(indent, "type", field.Type)
			w.defaultValue(indent, field.Default)
		})
	}
	if len(m.Unions) > 0 {
		w.rest(indent, "unions", m.Unions)
	}
	w.typeRef(indent, "elementType", m.ElementType)
	w.value(indent, "elementRelationship", string(m.ElementRelationship))
}

func (w *writer) typeRef(indent int, key string, t schema.TypeRef) {
	if t == (schema.TypeRef{}) {
		return
	}
	w.mapping(indent, key, func(indent int) {
		if t.NamedType != nil {
			w.value(indent, "namedType", *t.NamedType)
		}
		w.atom(indent, t.Inlined)
		if t.ElementRelationship != nil {
			w.value(indent, "elementRelationship", string(*t.ElementRelationship))
		}
		if t.Nullable {
			w.key(indent, "nullable")
			w.WriteString(" true\n")
		}
	})
}

// defaultValue writes the default of a field.
func (w *writer) defaultValue(indent int, value any) {
	var encoded string
	switch v := value.(type) {
	case nil:
		return
	case string:
		encoded = scalarText(v)
	case bool, int64:
		encoded = fmt.Sprint(v)
	case map[string]any:
		if len(v) == 0 {
			encoded = "{}"
		}
	}
	if encoded == "" {
		w.rest(indent, "default", value)
		return
	}
	w.key(indent, "default")
	w.WriteString(" " + encoded + "\n")
}

// rest writes a key with an arbitrary value, using the library.
func (w *writer) rest(indent int, key string, value any) {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	_ = encoder.Encode(map[string]any{key: value}) // plain data can be encoded
	for line := range strings.Lines(b.String()) {
		w.indent(indent)
		w.WriteString(line)
	}
}

var (
	plainScalar = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_./-]*$`) })
	// notString matches the words that YAML 1.1 or 1.2 parses as other types than strings.
	notString = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(y|n|yes|no|on|off|true|false|null)$`) })
)

// scalarText formats a string as a scalar on one line.
func scalarText(s string) string {
	if plainScalar().MatchString(s) && !notString().MatchString(s) {
		return s
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		if b, err := yaml.Marshal(s); err == nil && bytes.Count(b, []byte("\n")) == 1 {
			return strings.TrimSuffix(string(b), "\n")
		}
	}
	b, _ := json.Marshal(s) //nolint:errchkjson // strings can be encoded, and JSON is YAML
	return string(b)
}
