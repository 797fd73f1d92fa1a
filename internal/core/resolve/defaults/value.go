package defaults

import (
	"encoding/json"
	"go/types"
	"reflect"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
)

// value adds the default of a type to its node, from markers and, behind pointers, from markers of the
// types. Without a node, it makes a node if there is a default. pkg is the package that references without an import path refer to.
func (b *builder) value(node *model.DefaultNode, t *shape.Type, markers marker.Set, pkg string) *model.DefaultNode {
	m, found := b.only(markers)
	if !found && pointers(t) > 0 {
		m, found = nested(t)
	}
	if !found {
		b.reportValue(t)
		return node
	}
	if !reference(m) {
		var value any
		if err := json.Unmarshal([]byte(m.Value), &value); err != nil {
			b.diags.AddHint(m.ValuePos(0), `write texts in quotes: +default="text"`, "+default=%s is not JSON: %w", m.Value, err)
			return node
		}
		if value != nil && reflect.DeepEqual(value, zeros[t.String()]) {
			return node
		}
	}
	if node == nil {
		node = &model.DefaultNode{Only: true}
	}
	node.Default = b.defaultOf(t, m, pkg)
	return node
}

// zeros are the JSON values that need no code, by type. Names for these types are other types.
var zeros = map[string]any{
	"uint": 0., "uint8": 0., "uint16": 0., "uint32": 0., "uint64": 0., "int": 0., "int8": 0., "int16": 0., "int32": 0., "int64": 0.,
	"byte": 0., "float64": 0., "float32": 0., "bool": false, "time.Time": "", "string": "", "[]byte": "",
}

// only returns the marker with a default. Two are a mistake.
func (b *builder) only(markers marker.Set) (marker.Marker, bool) {
	all := markers.All(marker.Default)
	switch {
	case len(all) > 1:
		b.diags.AddHint(all[1].Pos, "remove one of them", "there is another +%s at %s", marker.Default, diag.Line(all[0].Pos))
	case len(all) == 1 && all[0].Value != "":
		return all[0], true
	case len(all) == 1:
		b.diags.Warn(all[0].Pos, "write a value, as in +default=1, or remove it", "marker +%s has no effect without a value", marker.Default)
	}
	return marker.Marker{}, false
}

// pointers returns the number of pointers that lead from a type to a value.
func pointers(t *shape.Type) int { return len(pointees(t)) }

// pointees returns the types that a chain of pointers leads to.
func pointees(t *shape.Type) (all []*shape.Type) {
	for {
		switch t.Kind {
		case shape.Name:
			t = t.Below()
		case shape.Pointer:
			t = t.Elem()
			all = append(all, t)
		default:
			return all
		}
	}
}

// end returns what names and pointers lead to.
func end(t *shape.Type) *shape.Type {
	if all := pointees(t); len(all) > 0 {
		t = all[len(all)-1]
	}
	return t.Bare()
}

// nested returns the first marker with a default on the types that a chain of names and pointers leads through.
func nested(t *shape.Type) (marker.Marker, bool) {
	for {
		if all := t.Closest().All(marker.Default); len(all) == 1 && all[0].Value != "" {
			return all[0], true
		}
		switch t.Kind {
		case shape.Name:
			t = t.Below()
		case shape.Pointer:
			t = t.Elem()
		default:
			return marker.Marker{}, false
		}
	}
}

// reference reports whether a marker names a constant or a variable.
func reference(m marker.Marker) bool { return referred(m) != "" }

// referred returns the identifier that a marker refers to, maybe after an import path and a dot; "" if the default is JSON.
func referred(m marker.Marker) string {
	text, opens := strings.CutPrefix(m.Value, "ref(")
	text, closes := strings.CutSuffix(text, ")")
	if !opens || !closes || strings.Contains(text, `"`) {
		return ""
	}
	return text
}

// defaultOf returns the default in a marker, or nil after reporting that it does not fit the type.
func (b *builder) defaultOf(t *shape.Type, m marker.Marker, pkg string) *model.DefaultValue {
	made := &model.DefaultValue{Value: m.Value}
	base := end(t)
	basic := base.Basic()
	switch {
	case basic != nil && reference(m):
		made.Reference = true
		made.Value = b.symbol(m, pkg, basic)
	case basic != nil:
		made.Value = b.literal(m, t, basic)
	default:
		made.Unmarshal = b.names.Of("encoding/json", "Unmarshal")
		if !b.decodes(m, t) {
			return nil
		}
	}
	if made.Value == "" {
		return nil
	}
	if basic != nil && pointers(t) == 0 {
		made.Zero = zeroOf(basic)
	}
	if basic != nil {
		b.typed(made, t, m)
	}
	return made
}

// zeroOf returns the zero value of a type as a Go expression.
func zeroOf(basic *types.Basic) string {
	switch info := basic.Info(); {
	case info&types.IsBoolean != 0:
		return "false"
	case info&types.IsString != 0:
		return `""`
	}
	return "0"
}

// typed adds the types that the code for a default names.
func (b *builder) typed(made *model.DefaultValue, t *shape.Type, m marker.Marker) {
	all := pointees(t)
	if len(all) == 0 && made.Reference {
		made.Type = b.text(t, m)
	}
	for i, pointee := range all {
		next := model.DefaultPointee{Converted: i+1 < len(all) && pointee.String() != "*"+all[i+1].String()}
		if next.Converted || i+1 == len(all) {
			next.Type = b.text(pointee, m)
		}
		made.Pointers = append(made.Pointers, next)
	}
}

// text formats a type for the file.
func (b *builder) text(t *shape.Type, m marker.Marker) string {
	text, hidden := b.names.Text(t.GoType)
	if hidden != "" {
		b.diags.AddHint(m.Pos, "export it, or set the default in a handwritten function",
			"the default cannot be set: %s is not exported by its package", hidden)
	}
	return text
}
