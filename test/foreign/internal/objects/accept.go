// Package objects makes random objects that a CustomResourceDefinition accepts.
package objects

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/crdfake"
)

// Version is a version of a definition, with the API server's own rules for its objects.
type Version struct {
	schema.GroupVersionKind
	Resource   string
	Namespaced bool
	// HasStatus is true if the status is written separately.
	HasStatus bool
	Schema    *apiextensionsv1.JSONSchemaProps
	rules     rules
}

// rules are the methods of the schemas that crdfake passes to a tracker.
type rules = interface {
	Prune(object map[string]any) (unknown []string)
	Default(object map[string]any)
	Validate(object, old map[string]any, subresource string) field.ErrorList
	Version() (served, storage bool)
	Subresources() (status, scale bool)
	ScalePaths() (specReplicas, statusReplicas, selector string)
	Names() (singular string, shortNames, categories []string)
	SelectableFields() []string
}

// Versions returns the served versions of a definition.
func Versions(crd *apiextensionsv1.CustomResourceDefinition) ([]Version, error) {
	known := recorder{rules: map[string]rules{}}
	for _, v := range crd.Spec.Versions {
		known.kinds = append(known.kinds, schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind})
	}
	if err := crdfake.Use(client{known}, crd); err != nil {
		return nil, err
	}
	var all []Version
	for i, v := range crd.Spec.Versions {
		if !v.Served {
			continue
		}
		all = append(all, Version{
			GroupVersionKind: known.kinds[i],
			Resource:         crd.Spec.Names.Plural,
			Namespaced:       crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
			HasStatus:        v.Subresources != nil && v.Subresources.Status != nil,
			Schema:           v.Schema.OpenAPIV3Schema,
			rules:            known.rules[v.Name],
		})
	}
	return all, nil
}

// Stored returns what the API server makes of an object: it drops unknown fields and sets defaults. The error says why the server
// would reject the object.
func (v Version) Stored(object map[string]any) (map[string]any, field.ErrorList) {
	stored := deepCopy(object).(map[string]any)
	v.rules.Prune(stored)
	v.rules.Default(stored)
	return stored, v.rules.Validate(deepCopy(stored).(map[string]any), nil, "")
}

// client passes a tracker to crdfake that records the schemas.
type client struct{ tracker recorder }

// Tracker implements crdfake.Client.
func (c client) Tracker() testing.ObjectTracker { return c.tracker }

type recorder struct {
	testing.ObjectTracker // nil: crdfake calls only the methods below

	kinds []schema.GroupVersionKind
	rules map[string]rules
}

// Kinds returns the kinds that crdfake sets schemas for.
func (r recorder) Kinds() []schema.GroupVersionKind { return r.kinds }

// SetSchema records the schema of a version.
func (r recorder) SetSchema(kind schema.GroupVersionKind, to rules) error {
	r.rules[kind.Version] = to
	return nil
}

// deepCopy copies a JSON value.
func deepCopy(value any) any {
	switch v := value.(type) {
	case map[string]any:
		copied := make(map[string]any, len(v))
		for key, element := range v {
			copied[key] = deepCopy(element)
		}
		return copied
	case []any:
		copied := make([]any, len(v))
		for i, element := range v {
			copied[i] = deepCopy(element)
		}
		return copied
	}
	return value // JSON has no other values that can be modified
}
