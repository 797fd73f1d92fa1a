package foreign

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/structural"
)

type schemaProps = apiextensionsv1.JSONSchemaProps

// accepts reports whether servers take a schema for structural.
func accepts(t *testing.T, s *schemaProps) bool {
	t.Helper()
	var internal apiextensions.JSONSchemaProps
	require.NoError(t, apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(s, &internal, nil))
	converted, err := schema.NewStructural(&internal)
	return err == nil && len(schema.ValidateStructural(nil, converted)) == 0
}

// agrees compares our check with that of servers.
func agrees(t *testing.T, s *schemaProps, want bool) bool {
	t.Helper()
	problems := structural.Check(s)
	text, err := json.Marshal(s)
	require.NoError(t, err)
	return assert.Equal(t, want, len(problems) == 0, "%s %+v", text, problems)
}

// TestStructural compares the check for structural schemas with that of servers, by schemas of one property and others.
func TestStructural(t *testing.T) {
	const both = "{type: integer}, {type: string}"
	properties := map[bool][]string{
		true: {
			"type: string", "type: object", "type: array, items: {type: string}", "x-kubernetes-preserve-unknown-fields: true",
			"x-kubernetes-int-or-string: true", "type: string, x-kubernetes-int-or-string: true", "type: object, title: x, description: x",
			"type: object, nullable: true", "type: object, default: {}", "type: object, example: x, externalDocs: {url: x}",
			"type: object, additionalProperties: true", "type: object, additionalProperties: false", "type: object, patternProperties: {}",
			"type: object, additionalProperties: {type: string}", "type: array, items: {type: string}, uniqueItems: true",
			"type: string, items: {type: string}", "type: string, properties: {b: {type: string}}", "type: string, pattern: '^a$'",
			"type: array, x-kubernetes-list-type: map, items: {type: string}", "type: string, x-kubernetes-map-type: atomic",
			"x-kubernetes-int-or-string: true, anyOf: [" + both + "]", "x-kubernetes-int-or-string: true, allOf: [{anyOf: [" + both + "]}]",
			"x-kubernetes-int-or-string: true, allOf: [{anyOf: [" + both + "], maxLength: 3}, {maxLength: 4}]",
			"x-kubernetes-int-or-string: true, anyOf: [" + both + "], allOf: [{anyOf: [" + both + "]}]",
			"type: array, items: {x-kubernetes-int-or-string: true, anyOf: [" + both + "]}",
			"type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true",
			"type: object, x-kubernetes-embedded-resource: true, properties: {kind: {type: string}, metadata: {type: object, title: x}}",
			"type: object, properties: {metadata: {type: string}, kind: {type: integer}}",
			"type: object, anyOf: [{required: [b]}, {properties: {b: {maxLength: 1}}}]", "type: object, anyOf: [{additionalProperties: false}]",
			"type: string, anyOf: [" + both + "]", "type: array, items: {type: string}, anyOf: [{items: {maxLength: 1}}]",
			"type: string, oneOf: [{enum: [a]}, {format: b, minLength: 3, pattern: c}]", "type: string, not: {not: {nullable: false}}",
		},
		false: {
			"", "type: array", "type: array, items: {}", "type: array, items: [{type: string}]", "type: array, items: {type: array}",
			"type: object, properties: {b: {}}", "type: object, additionalProperties: {}", "type: string, items: {}",
			"x-kubernetes-preserve-unknown-fields: false", "type: object, id: x", "type: object, $schema: x", "$ref: x", "type: string, pattern: (",
			"type: object, patternProperties: {b: {type: string}}", "type: object, dependencies: {b: [c]}", "type: object, definitions: {b: {}}",
			"type: array, items: {type: string}, additionalItems: false", "type: array, x-kubernetes-preserve-unknown-fields: true",
			"x-kubernetes-int-or-string: true, x-kubernetes-preserve-unknown-fields: true", "type: object, not: {properties: {metadata: {}}}",
			"x-kubernetes-int-or-string: true, x-kubernetes-embedded-resource: true, properties: {b: {type: string}}",
			"x-kubernetes-int-or-string: true, anyOf: [{type: string}, {type: integer}]", "x-kubernetes-int-or-string: true, oneOf: [" + both + "]",
			"x-kubernetes-int-or-string: true, anyOf: [" + both + ", {maxLength: 1}]", "x-kubernetes-int-or-string: true, anyOf: [{type: integer}]",
			"x-kubernetes-int-or-string: true, anyOf: [{type: integer, minimum: 1}, {type: string}]",
			"x-kubernetes-int-or-string: true, allOf: [{maxLength: 3}, {anyOf: [" + both + "]}]",
			"x-kubernetes-int-or-string: true, allOf: [{not: {anyOf: [" + both + "]}}]",
			"x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true", "type: object, x-kubernetes-embedded-resource: true",
			"type: string, x-kubernetes-embedded-resource: true, properties: {b: {type: string}}",
			"type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, additionalProperties: false",
			"type: object, x-kubernetes-embedded-resource: true, properties: {kind: {type: object}}",
			"type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {x-kubernetes-preserve-unknown-fields: true}}",
			"type: object, x-kubernetes-embedded-resource: true, properties: {b: {type: string}}, not: {not: {properties: {metadata: {}}}}",
		},
	}
	for _, keyword := range []string{
		"title: x", "description: x", "default: 1", "nullable: true", "type: object", "additionalProperties: {type: string}",
		"additionalProperties: true", "x-kubernetes-preserve-unknown-fields: true", "x-kubernetes-embedded-resource: true",
		"x-kubernetes-int-or-string: true", "x-kubernetes-list-type: set", "x-kubernetes-list-map-keys: [b]", "x-kubernetes-map-type: atomic",
		"x-kubernetes-validations: [{rule: b}]", "id: x", "pattern: (", "items: [{}]", "properties: {b: {title: x}}", "items: {title: x}",
		"not: {title: x}", "x-kubernetes-preserve-unknown-fields: false",
	} {
		for _, condition := range []string{"allOf: [{%}]", "anyOf: [{}, {%}]", "oneOf: [{%}]", "not: {%}"} {
			properties[false] = append(properties[false], "type: object, "+strings.Replace(condition, "%", keyword, 1))
		}
	}
	roots := map[bool][]string{
		true: {
			"{type: object}", "{x-kubernetes-preserve-unknown-fields: true}", "{x-kubernetes-int-or-string: true}", "{type: object, nullable: true}",
			"{type: object, properties: {kind: {type: string}, metadata: {type: object, default: {}, properties: {name: {type: string, pattern: a}}}}}",
			"{type: object, properties: {kind: {type: string}}, anyOf: [{properties: {kind: {maxLength: 3}}}]}",
			"{type: object, items: {type: string}, anyOf: [{items: {maxLength: 1}}]}",
			"{type: object, properties: {a: {type: array, items: {type: string}}}, not: {anyOf: [{properties: {a: {items: {maxLength: 1}}}}]}}",
		},
		false: {
			"{}", "{type: string}", "{type: string, x-kubernetes-preserve-unknown-fields: true}", "{type: object, additionalProperties: true}",
			"{type: object, properties: {apiVersion: {type: integer}}}", "{type: object, properties: {metadata: {type: string}}}",
			"{type: object, anyOf: [{properties: {kind: {maxLength: 3}}}]}", "{type: object, properties: {a: {type: string}}, not: {properties: {a: {items: {}}}}}",
			"{type: object, properties: {a: {type: object, additionalProperties: {type: string}}}, oneOf: [{properties: {a: {properties: {b: {}}}}}]}",
			"{type: object, x-kubernetes-preserve-unknown-fields: true, allOf: [{anyOf: [{properties: {a: {}}}]}]}",
			"{type: object, properties: {metadata: {type: object}}, not: {properties: {metadata: {}}}}",
		},
	}
	for _, keyword := range []string{
		"title: x", "description: x", "nullable: true", "additionalProperties: false", "x-kubernetes-preserve-unknown-fields: true", "required: [name]",
		"properties: {labels: {type: object}}", "minProperties: 0", "not: {}", "anyOf: [{required: [name]}]", "x-kubernetes-map-type: atomic",
		"example: x", "items: {type: string}", "uniqueItems: true", "format: x", "enum: [{}]",
	} {
		roots[false] = append(roots[false], "{type: object, properties: {metadata: {type: object, "+keyword+"}}}")
	}
	for want, all := range properties {
		for _, property := range all {
			roots[want] = append(roots[want], "{type: object, properties: {a: {"+property+"}}}")
		}
	}
	for want, all := range roots {
		for _, text := range all {
			var s schemaProps
			require.NoError(t, yaml.UnmarshalStrict([]byte(text), &s), text)
			assert.Equal(t, want, accepts(t, &s), "what servers do: %s", text)
			agrees(t, &s, want)
		}
	}
}

// TestStructuralDefinitions checks the definitions of the projects, and variants of them with random keywords in random places.
func TestStructuralDefinitions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	accepted, refused := 0, 0
	for _, p := range corpus(t) {
		for _, crd := range p.crds {
			for _, v := range crd.Spec.Versions {
				agrees(t, v.Schema.OpenAPIV3Schema, true)
				for range 100 {
					variant := v.Schema.OpenAPIV3Schema.DeepCopy()
					mutate(random, variant)
					want := accepts(t, variant)
					if !agrees(t, variant, want) {
						return
					}
					if want {
						accepted++
					} else {
						refused++
					}
				}
			}
		}
	}
	t.Logf("%d variants are structural, %d are not", accepted, refused)
	assert.NotZero(t, accepted)
	assert.NotZero(t, refused)
}

// mutate changes a random part of a schema.
func mutate(random *rand.Rand, s *schemaProps) {
	if names := slices.Sorted(maps.Keys(s.Properties)); len(names) > 0 && random.IntN(4) > 0 {
		name := names[random.IntN(len(names))]
		property := s.Properties[name]
		mutate(random, &property)
		s.Properties[name] = property
		return
	}
	below := []*schemaProps{s}
	for _, conditions := range [][]schemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range conditions {
			below = append(below, &conditions[i])
		}
	}
	if s.Not != nil {
		below = append(below, s.Not)
	}
	if s.Items != nil && s.Items.Schema != nil {
		below = append(below, s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		below = append(below, s.AdditionalProperties.Schema)
	}
	if chosen := below[random.IntN(len(below))]; chosen != s {
		mutate(random, chosen)
		return
	}
	changes[random.IntN(len(changes))](s)
	if random.IntN(3) == 0 {
		mutate(random, s)
	}
}

// changes are changes of a schema. Some keep it structural, depending on where it is.
var changes = []func(s *schemaProps){
	func(s *schemaProps) { s.Type = "" },
	func(s *schemaProps) { s.Type = "object" },
	func(s *schemaProps) { s.Type = "array" },
	func(s *schemaProps) { s.Description, s.Title = "", "" },
	func(s *schemaProps) { s.Description = "x" },
	func(s *schemaProps) { s.Pattern = "(" },
	func(s *schemaProps) { s.Pattern = "a" },
	func(s *schemaProps) { s.Nullable = !s.Nullable },
	func(s *schemaProps) { s.XIntOrString = !s.XIntOrString },
	func(s *schemaProps) { s.XEmbeddedResource = !s.XEmbeddedResource },
	func(s *schemaProps) { s.XPreserveUnknownFields = new(true) },
	func(s *schemaProps) { s.XPreserveUnknownFields = nil },
	func(s *schemaProps) { s.Properties = nil },
	func(s *schemaProps) { s.Items = nil },
	func(s *schemaProps) {
		s.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &schemaProps{Type: "string"}}
	},
	func(s *schemaProps) {
		s.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &schemaProps{Type: "string"}}
	},
	func(s *schemaProps) {
		s.AnyOf = []schemaProps{{Type: "integer"}, {Type: "string"}}
	},
	func(s *schemaProps) { s.Not = &schemaProps{Properties: onlyNames(s)} },
	func(s *schemaProps) {
		s.AllOf = append(s.AllOf, schemaProps{AnyOf: []schemaProps{{Type: "integer"}, {Type: "string"}}})
	},
	func(s *schemaProps) {
		s.OneOf = append(s.OneOf, schemaProps{Properties: map[string]schemaProps{"spec": {}}})
	},
	func(s *schemaProps) {
		s.Properties = maps.Clone(s.Properties)
		if s.Properties == nil {
			s.Properties = map[string]schemaProps{}
		}
		s.Properties["metadata"] = schemaProps{Type: "object"}
	},
}

// onlyNames returns the names of properties, without restrictions.
func onlyNames(s *schemaProps) map[string]schemaProps {
	names := map[string]schemaProps{}
	for name := range s.Properties {
		names[name] = schemaProps{MaxLength: new(int64(1))}
	}
	return names
}
