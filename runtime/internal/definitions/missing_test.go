package definitions

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shapes is a kind with each form of field.
const shapes = `
fleet.example.com/v1/robots Robot fleet/v1.Robot
fleet/v1.Arm: joints=[][]fleet/v1.Joint length
fleet/v1.Joint: limit
fleet/v1.Robot: apiVersion kind metadata arms={}fleet/v1.Arm base=fleet/v1.Arm free template=fleet/v1.Template self=fleet/v1.Robot
fleet/v1.Template: apiVersion data kind metadata
`

func TestMissing(t *testing.T) {
	const joints = `"joints": {"type": "array", "items": {"type": "array", "items": {"type": "object", "properties": {"limit": {}}}}}`
	for name, test := range map[string]struct {
		// properties are those of the kind, and others more schemas.
		properties, others string
		expected           []string
	}{
		"nothing but metadata": {`"metadata": {}`, "", []string{"arms", "base", "free", "self", "template"}},
		"no schema at all":     {"", "", nil},
		"anything":             {`"arms": {}, "base": {}, "free": {}, "self": {}, "template": {}`, "", nil},
		"not described further": {
			`"arms": {"type": "object"}, "base": {"type": "object"}, "free": {"type": "object"}, "self": {}, "template": {"type": "string"}`,
			"", []string{"base.joints", "base.length"},
		},
		"free-form": {
			`"arms": {"x-kubernetes-preserve-unknown-fields": true},
			"base": {"type": "object", "x-kubernetes-preserve-unknown-fields": true,
				"properties": {"joints": {"items": {"items": {"type": "object"}}}}},
			"free": {"type": "string"}, "self": {"type": "string"},
			"template": {"type": "object", "additionalProperties": true}`,
			"", []string{"base.joints[][].limit"},
		},
		"embedded": {
			`"arms": {"type": "object", "additionalProperties": {"type": "object", "properties": {` + joints + `}}},
			"base": {"type": "object", "properties": {"length": {}, ` + joints + `}}, "free": {}, "self": {"type": "string"},
			"template": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {}}`,
			"", []string{"arms{}.length", "template.data"},
		},
		"references": {
			`"arms": {}, "base": {"$ref": "#/components/schemas/Arm"}, "free": {},
			"self": {"allOf": [{"$ref": "#/components/schemas/Robot"}]}, "template": {"$ref": "#/components/schemas/Nowhere"}`,
			`"Arm": {"properties": {"length": {}}}, "Loop": {"$ref": "#/components/schemas/Loop"}`, []string{"base.joints"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := &document{}
			require.NoError(t, json.Unmarshal([]byte(`{"components": {"schemas": {
				"Robot": {"x-kubernetes-group-version-kind": [{"group": "fleet.example.com", "version": "v1", "kind": "Robot"}],
				"properties": {`+test.properties+`}}, "Other": {"type": ["string", "null"]}`+prefixed(", ", test.others)+`}}}`), d))
			paths, known := missing(d, parse(shapes), fleet.WithResource("robots"))
			assert.True(t, known)
			assert.Equal(t, test.expected, append([]string(nil), paths...))
			paths, known = missing(d, parse(shapes), fleet.WithResource("docks"))
			assert.False(t, known)
			assert.Empty(t, paths)
			assert.Nil(t, d.resolve(&openAPI{Ref: "#/components/schemas/Loop"}))
		})
	}
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
