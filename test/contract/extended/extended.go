// Package extended adds to the definition of gateways what the definitions of the examples do not have, for the server of the tests and for
// strict fakes.
package extended

import (
	"encoding/json"
	"maps"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Name is the name of the definition that Definitions changes.
const Name = "gateways.fleet.example.com"

// additions are properties of gateways, by the parent: a status with defaults, and free-form fields. The Go type has no field for the
// latter, so probes only see them in managed fields and errors.
var additions = map[string]string{
	"spec": `{
		"options": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
		"anything": {"x-kubernetes-preserve-unknown-fields": true},
		"number": {"type": "number"},
		"size": {"x-kubernetes-int-or-string": true},
		"manifest": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
		"typedManifest": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"spec": {"type": "object",
			"x-kubernetes-map-type": "atomic", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}}}`,
	"status": `{"addresses": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set", "default": ["192.0.2.1"]}}`,
}

// Definitions changes the definition of gateways among the definitions of the examples.
func Definitions(crds ...*apiextensionsv1.CustomResourceDefinition) error {
	for _, crd := range crds {
		if crd.Name != Name {
			continue
		}
		root := crd.Spec.Versions[0].Schema.OpenAPIV3Schema
		for parent, text := range additions {
			var properties map[string]apiextensionsv1.JSONSchemaProps
			if err := json.Unmarshal([]byte(text), &properties); err != nil {
				return err
			}
			schema := root.Properties[parent]
			maps.Copy(schema.Properties, properties)
			if parent == "status" {
				schema.Default = &apiextensionsv1.JSON{Raw: []byte("{}")}
			}
			root.Properties[parent] = schema
		}
	}
	return nil
}
