package smd

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// names are the words of random schemas, including those that YAML parses as other types than strings.
var names = []string{
	"a", "io.k8s.api.core.v1.Pod", "__untyped_atomic_", "x-y", "$ref", "on", "Null", "n", "1", "1e3", "0x1", "-", "*", "&a", "a: b", "a #b",
	" a", "é", "~",
	"true", "=", "{}", "[", "%", "@", "`", "'", `"`, `\`, "a/b", "2026-01-01", "1:30",
}

var defaults = []any{
	nil, "", "TCP", "no", int64(0), int64(-7), 0.5, 1e21, math.Inf(1), true, false, map[string]any{},
	map[string]any{"single": map[string]any{}}, []any{}, []any{int64(1), "a"},
}

// randomSchema returns definitions of all forms, nested a few levels deep.
type randomSchema struct{ *rand.Rand }

func (r randomSchema) name() string { return names[r.IntN(len(names))] }

func (r randomSchema) atom(depth int) (a schema.Atom) {
	if r.IntN(3) == 0 || depth == 0 {
		a.Scalar = new(schema.Scalar([]string{"string", "numeric", "boolean", "untyped"}[r.IntN(4)]))
	}
	if r.IntN(3) == 0 && depth > 0 {
		a.List = &schema.List{ElementType: r.typeRef(depth - 1), ElementRelationship: r.relationship()}
		for range r.IntN(3) {
			a.Keys = append(a.Keys, r.name())
		}
	}
	if r.IntN(3) == 0 && depth > 0 {
		a.Map = &schema.Map{ElementType: r.typeRef(depth - 1), ElementRelationship: r.relationship()}
		for i := range r.IntN(4) {
			a.Fields = append(a.Fields,
				schema.StructField{Name: fmt.Sprint(r.name(), i), Type: r.typeRef(depth - 1), Default: defaults[r.IntN(len(defaults))]})
		}
		if r.IntN(5) == 0 {
			discriminator := r.name()
			a.Unions = []schema.Union{{Discriminator: &discriminator,
				Fields: []schema.UnionField{{FieldName: r.name(), DiscriminatorValue: r.name()}}}}
		}
	}
	return a
}

func (r randomSchema) relationship() schema.ElementRelationship {
	return []schema.ElementRelationship{"", schema.Atomic, schema.Associative, schema.Separable}[r.IntN(4)]
}

func (r randomSchema) typeRef(depth int) (t schema.TypeRef) {
	switch r.IntN(4) {
	case 0:
		t = named(r.name())
	case 1, 2:
		t.Inlined = r.atom(depth)
	}
	if r.IntN(6) == 0 {
		relationship := schema.Atomic
		t.ElementRelationship, t.Nullable = &relationship, true
	}
	return t
}

// TestTextMatchesLibrary compares random schemas with what the yaml library writes.
func TestTextMatchesLibrary(t *testing.T) {
	for i := range 2000 {
		r := randomSchema{rand.New(rand.NewPCG(2026, uint64(i)))}
		var s schema.Schema
		for range 1 + r.IntN(3) {
			s.Types = append(s.Types, schema.TypeDef{Name: r.name(), Atom: r.atom(4)})
		}
		got := text(&s)
		var want bytes.Buffer
		want.WriteString("types:\n")
		encoder := yaml.NewEncoder(&want)
		encoder.SetIndent(2)
		encoder.CompactSeqIndent()
		require.NoError(t, encoder.Encode(s.Types))
		require.Equal(t, want.String(), got, "schema %d", i)
	}
}

func TestTextCanBeParsed(t *testing.T) {
	s := schema.Schema{Types: []schema.TypeDef{{Name: "b", Atom: schema.Atom{Scalar: new(schema.Scalar("string"))}}, {
		Name: "a", Atom: schema.Atom{Map: &schema.Map{
			Fields: []schema.StructField{{Name: "on", Type: named("b"), Default: "no"},
				{Name: "a\nb", Type: named("b"), Default: "several\u2028 \x00lines"}},
		}}}}}
	parser, err := typed.NewParser(typed.YAMLObject(text(&s)))
	require.NoError(t, err)
	assert.True(t, parser.Type("a").IsValid())
	for name, want := range map[string]string{"on": "no", "a\nb": "several\u2028 \x00lines"} {
		field, ok := parser.Schema.Types[0].FindField(name)
		require.True(t, ok, name)
		assert.Equal(t, want, field.Default)
	}
}
