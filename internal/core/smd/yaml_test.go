package smd

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

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
