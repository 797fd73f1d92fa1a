package crdfake

import (
	"context"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// version is a version of a CustomResourceDefinition, as strict clientsets use it. A version that the definition lacks has no
// structural schema.
type version struct {
	definition  *apiextensionsv1.CustomResourceDefinitionVersion
	names       apiextensionsv1.CustomResourceDefinitionNames
	structural  *structuralschema.Structural
	rules       rules
	statusRules rules
	// converter has the types of all versions of the definition, for managed fields.
	converter managedfields.TypeConverter
}

// TypeConverter returns the types of the definition for managed fields. It is nil for a version that the definition lacks.
func (v *version) TypeConverter() managedfields.TypeConverter { return v.converter }

// rules is the validation part of the API server's strategies.
type rules interface {
	Validate(ctx context.Context, object runtime.Object) field.ErrorList
	ValidateUpdate(ctx context.Context, object, old runtime.Object) field.ErrorList
}

func newVersion(
	crd *apiextensionsv1.CustomResourceDefinition,
	definition *apiextensionsv1.CustomResourceDefinitionVersion,
) (*version, error) {
	v := &version{definition: definition, names: crd.Spec.Names}
	internal := &apiextensions.JSONSchemaProps{}
	err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(definition.Schema.OpenAPIV3Schema, internal, nil)
	if err != nil {
		return nil, err
	}
	if v.structural, err = structuralschema.NewStructural(internal); err != nil {
		return nil, err
	}
	if err := v.makeRules(crd, internal); err != nil {
		return nil, err
	}
	return v, nil
}

// makeRules sets the validation rules from the API server's strategies.
func (v *version) makeRules(crd *apiextensionsv1.CustomResourceDefinition, internal *apiextensions.JSONSchemaProps) error {
	validator, _, err := validation.NewSchemaValidator(internal)
	if err != nil {
		return err
	}
	var status *apiextensions.CustomResourceSubresourceStatus
	var statusValidator validation.SchemaValidator
	hasStatus, hasScale := v.Subresources()
	if hasStatus {
		status = &apiextensions.CustomResourceSubresourceStatus{}
		if schema, ok := internal.Properties["status"]; ok {
			if statusValidator, _, err = validation.NewSchemaValidator(&schema); err != nil {
				return err
			}
		}
	}
	var scale *apiextensions.CustomResourceSubresourceScale
	if hasScale {
		scale = &apiextensions.CustomResourceSubresourceScale{}
		err := apiextensionsv1.Convert_v1_CustomResourceSubresourceScale_To_apiextensions_CustomResourceSubresourceScale(
			v.definition.Subresources.Scale, scale, nil,
		)
		if err != nil {
			return err
		}
	}
	kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.definition.Name, Kind: crd.Spec.Names.Kind}
	strategy := customresource.NewStrategy(
		typer{},
		crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
		kind,
		validator,
		statusValidator,
		v.structural,
		status,
		scale,
		v.definition.SelectableFields,
	)
	v.rules, v.statusRules = strategy, customresource.NewStatusStrategy(strategy)
	return nil
}

// typer determines the kind of an object from its content.
type typer struct{}

// ObjectKinds implements runtime.ObjectTyper.
func (typer) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	return []schema.GroupVersionKind{object.GetObjectKind().GroupVersionKind()}, false, nil
}

// Recognizes implements runtime.ObjectTyper.
func (typer) Recognizes(schema.GroupVersionKind) bool { return true }

// Prune removes unknown fields and returns their paths.
func (v *version) Prune(object map[string]any) (unknown []string) {
	if v.structural == nil {
		return nil
	}
	u := &unstructured.Unstructured{Object: object}
	kind, apiVersion, metadata := u.GetKind(), u.GetAPIVersion(), object["metadata"]
	options := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	unknown = pruning.PruneWithOptions(object, v.structural, true, options)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, v.structural)
	err, dropped := objectmeta.CoerceWithOptions(nil, object, v.structural, false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if err == nil { // otherwise validation reports it
		unknown = append(unknown, dropped...)
	}
	u.SetKind(kind)
	u.SetAPIVersion(apiVersion)
	if metadata != nil {
		object["metadata"] = metadata
	}
	return unknown
}

// Default sets missing fields to their defaults.
func (v *version) Default(object map[string]any) {
	if v.structural != nil {
		defaulting.Default(object, v.structural)
	}
}

// Validate returns the validation errors of a new or updated object.
func (v *version) Validate(object, old map[string]any, subresource string) field.ErrorList {
	if v.rules == nil {
		return nil
	}
	ctx, is := context.Background(), &unstructured.Unstructured{Object: object}
	switch {
	case old == nil:
		return v.rules.Validate(ctx, is)
	case subresource == "status":
		return v.statusRules.ValidateUpdate(ctx, is, &unstructured.Unstructured{Object: old})
	}
	return v.rules.ValidateUpdate(ctx, is, &unstructured.Unstructured{Object: old})
}

// Version reports whether the version is served, and whether it is the storage version.
func (v *version) Version() (served, storage bool) { return v.definition.Served, v.definition.Storage }

// Subresources reports whether the version has a status and a scale subresource.
func (v *version) Subresources() (status, scale bool) {
	of := v.definition.Subresources
	return of != nil && of.Status != nil, of != nil && of.Scale != nil
}

// ScalePaths returns the paths of the fields that the scale subresource reads and writes.
func (v *version) ScalePaths() (specReplicas, statusReplicas, selector string) {
	scale := v.definition.Subresources.Scale
	if scale.LabelSelectorPath != nil {
		selector = *scale.LabelSelectorPath
	}
	return scale.SpecReplicasPath, scale.StatusReplicasPath, selector
}

// Names returns the singular, short names and categories for discovery.
func (v *version) Names() (singular string, shortNames, categories []string) {
	return v.names.Singular, v.names.ShortNames, v.names.Categories
}

// SelectableFields returns the fields that field selectors can use in addition to metadata.
func (v *version) SelectableFields() []string {
	var names []string
	for _, selectable := range v.definition.SelectableFields {
		names = append(names, strings.TrimPrefix(selectable.JSONPath, "."))
	}
	return names
}
