package definitions

import (
	"encoding/json"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// document is the part of an OpenAPI v3 document that says which fields kinds have.
type document struct {
	Components struct {
		Schemas map[string]*openAPI `json:"schemas"`
	} `json:"components"`
}

// openAPI is the part of a schema that says which fields are stored.
type openAPI struct {
	Ref   string     `json:"$ref"`
	AllOf []*openAPI `json:"allOf"`
	// Type is a string, or anything else in documents that are not from Kubernetes.
	Type any `json:"type"`

	Properties           map[string]*openAPI `json:"properties"`
	Items                *openAPI            `json:"items"`
	AdditionalProperties *additional         `json:"additionalProperties"`

	Preserves bool                      `json:"x-kubernetes-preserve-unknown-fields"`
	Embedded  bool                      `json:"x-kubernetes-embedded-resource"`
	Kinds     []schema.GroupVersionKind `json:"x-kubernetes-group-version-kind"`
}

// additional is the schema of the values of a map, or a boolean: then it has no schema.
type additional struct{ values *openAPI }

// UnmarshalJSON implements json.Unmarshaler.
func (a *additional) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] != '{' {
		return nil
	}
	return json.Unmarshal(data, &a.values)
}

// kind returns the schema of a kind, or nil.
func (d *document) kind(kind schema.GroupVersionKind) *openAPI {
	for _, s := range d.Components.Schemas {
		if slices.Contains(s.Kinds, kind) {
			return s
		}
	}
	return nil
}

// resolve follows references between schemas.
func (d *document) resolve(s *openAPI) *openAPI {
	for range len(d.Components.Schemas) + 1 { // references may be circular
		switch {
		case s == nil:
			return nil
		case s.Ref != "":
			s = d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
		case s.Properties == nil && len(s.AllOf) == 1:
			s = s.AllOf[0]
		default:
			return s
		}
	}
	return nil
}
