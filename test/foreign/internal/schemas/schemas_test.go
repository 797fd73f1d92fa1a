package schemas

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

func flatten(t *testing.T, text string) Schema {
	t.Helper()
	var schema apiextensionsv1.JSONSchemaProps
	require.NoError(t, yaml.UnmarshalStrict([]byte(text), &schema))
	flat, err := Flatten(&schema)
	require.NoError(t, err)
	return flat
}

func TestCompare(t *testing.T) {
	want := flatten(t, `
type: object
description: the original
required: [b, a]
properties:
  a: {type: string, enum: [y, x]}
  b: {type: array, items: {type: integer, minimum: 1, oneOf: [{description: one, maximum: 3}]}}
  c: {type: object, additionalProperties: {type: string, maxLength: 3}}
  gone: {type: boolean}
`)
	have := flatten(t, `
type: object
required: [a, b]
properties:
  a: {type: string, enum: [x, y]}
  b: {type: array, items: {type: integer, minimum: 2, oneOf: [{maximum: 3}]}}
  c: {type: object, additionalProperties: {type: string, maxLength: 3}}
`)
	differences, equal, total := Compare(want, have)
	assert.Equal(t, 5, equal)
	assert.Equal(t, 7, total)
	require.Len(t, differences, 2)
	assert.Equal(t, `.b[] minimum: want 1, have 2`, differences[0].String())
	assert.Equal(t, `.gone : want {"type":"boolean"}, have null`, differences[1].String())

	open := Explain(differences, []Reason{{"it is gone", func(d Difference) bool { return d.Have == nil }}})
	assert.Equal(t, "it is gone", differences[1].Reason)
	require.Len(t, open, 1)
	assert.Equal(t, ".b[]", open[0].Path)
}
