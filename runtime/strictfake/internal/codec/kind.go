// Package codec knows the kinds of a strict fake: it converts objects between Go and JSON form and between the versions of their
// kind, applies schemas (pruning, defaults, validation, selectable fields), and keeps managed fields.
//
// A Codec has the kinds. It is not safe for concurrent use: the lock of the store guards it. Schemas and conversion functions are
// called with that lock.
package codec

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
)

// The subresources that kinds can have.
const (
	Status = "status"
	Scale  = "scale"
	resize = "resize"
)

// Schema is the schema of one version of a kind. Its methods take objects in JSON form. It is an alias, so that packages can
// implement it without importing this one.
type Schema = interface {
	// Prune removes unknown fields and returns their paths.
	Prune(object map[string]any) (unknown []string)
	// Default sets unset fields that have a default.
	Default(object map[string]any)
	// Validate validates a new object, or an update if old is not nil. The subresource is "", "status" or "scale". The metadata of
	// updates has already been validated.
	Validate(object, old map[string]any, subresource string) field.ErrorList
	// Version reports whether the version is served, and whether it is the storage version.
	Version() (served, storage bool)
	// Subresources reports whether the kind has the subresources status and scale.
	Subresources() (status, scale bool)
	// ScalePaths returns the paths of the fields of a scale, such as ".spec.replicas". The selector may be empty.
	ScalePaths() (specReplicas, statusReplicas, selector string)
	// Names returns the other names in discovery.
	Names() (singular string, shortNames, categories []string)
	// SelectableFields returns the selectable fields in addition to the metadata, such as "spec.nodeName".
	SelectableFields() []string
}

// Description describes a version of a kind.
type Description struct {
	schema.GroupVersionKind
	// Resource is the plural in the paths of the API.
	Resource string
	// Namespaced is set if objects are in namespaces.
	Namespaced bool
	// HasStatus is set if the status is a subresource.
	HasStatus bool
	// HasScale is set if the kind has the subresource scale.
	HasScale bool
	// Fields are the selectable fields in addition to the metadata, such as "spec.nodeName".
	Fields []string
	// BuiltIn is set for kinds of Kubernetes. They accept updates without a resource version, and strategic merge patches.
	BuiltIn bool
	// NoGeneration is set for kinds without a metadata.generation.
	NoGeneration bool
	// ReturnsDeleted is set for kinds whose deletion is answered with the object that is gone, and not with a status.
	ReturnsDeleted bool
	// Virtual is set for kinds that servers answer, but do not store.
	Virtual bool
	// Rules are the rules for a kind of Kubernetes, or nil.
	Rules *builtin.Kind
}

// Kind is a version of a kind that is served.
type Kind struct {
	Description
	// apiVersion is the group and version as objects have them.
	apiVersion string
	scheme     *runtime.Scheme
	converter  managedfields.TypeConverter
	codec      *Codec
	schema     Schema
	// custom is set if the schema is not derived from the Go type.
	custom   bool
	managers map[string]*managedfields.FieldManager
}

// GroupResource returns the resource without its version.
func (k *Kind) GroupResource() schema.GroupResource {
	return schema.GroupResource{Group: k.Group, Resource: k.Resource}
}

// StoredAs returns the resource in the store: the kind's own, or the resource of the same kind in another group.
func (k *Kind) StoredAs() schema.GroupResource { return builtin.StoredAs(k.GroupResource()) }

// GroupVersionResource returns the resource.
func (k *Kind) GroupVersionResource() schema.GroupVersionResource {
	return k.GroupVersion().WithResource(k.Resource)
}

// Schema returns the schema.
func (k *Kind) Schema() Schema { return k.schema }

// HasCustomSchema reports whether the schema is not derived from the Go type, but was set by Codec.SetSchema.
func (k *Kind) HasCustomSchema() bool { return k.custom }

// IsServed reports whether the schema serves the version.
func (k *Kind) IsServed() bool {
	served, _ := k.schema.Version()
	return served
}

// Has reports whether the kind has a subresource.
func (k *Kind) Has(subresource string) bool {
	status, scale := k.schema.Subresources()
	switch subresource {
	case Status:
		return status
	case Scale:
		return scale
	}
	return k.Rules != nil && k.Rules.Subresource(subresource) != nil
}

// Allows reports whether a subresource that the kind has accepts a verb.
func (k *Kind) Allows(subresource, verb string) bool {
	if k.Rules != nil {
		if known := k.Rules.Subresource(subresource); known != nil {
			return slices.Contains(known.Verbs, verb)
		}
	}
	return verb == "get" || verb == "update" || verb == "patch"
}

// PatchTypes are the patch types that custom resources accept.
var PatchTypes = []string{string(types.JSONPatchType), string(types.MergePatchType), string(types.ApplyYAMLPatchType)}

// Takes reports whether the kind accepts a patch type.
func (k *Kind) Takes(patch types.PatchType) bool {
	return slices.Contains(PatchTypes, string(patch)) || patch == types.StrategicMergePatchType && k.BuiltIn
}

// New returns an empty Go object.
func (k *Kind) New() (runtime.Object, error) { return k.scheme.New(k.GroupVersionKind) }

// NewList returns an empty Go list.
func (k *Kind) NewList() (runtime.Object, error) {
	return k.scheme.New(k.GroupVersion().WithKind(k.Kind + "List"))
}

// Empty returns an empty object in JSON form.
func (k *Kind) Empty() *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetGroupVersionKind(k.GroupVersionKind)
	return u
}

// Prepare removes the fields that clients cannot set from a new object, and sets the fields that a server sets.
func (k *Kind) Prepare(u *unstructured.Unstructured) {
	if k.Rules == nil || k.custom {
		k.DropStatus(u, nil)
		return
	}
	k.Rules.Prepare(u)
}

// Limit restores the fields of the old object that an update of the object or of a subresource cannot change. It reports whether it
// knows them: it does for kinds of Kubernetes.
func (k *Kind) Limit(u, old *unstructured.Unstructured, subresource string) bool {
	if k.Rules == nil || k.custom {
		return false
	}
	builtin.Restore(u, old, k.Rules.KeptBy(subresource))
	if subresource == resize {
		wanted, _ := u.Object["spec"].(map[string]any) // nil without a spec
		before, _ := old.Object["spec"].(map[string]any)
		u.Object["spec"] = builtin.Resize(wanted, before)
	}
	return true
}

// DropStatus restores the status of the old object, or removes the status, if the kind has the subresource status.
func (k *Kind) DropStatus(u, old *unstructured.Unstructured) {
	if !k.Has(Status) {
		return
	}
	delete(u.Object, "status")
	if old == nil {
		return
	}
	if status, ok := old.Object["status"]; ok {
		u.Object["status"] = status
	}
}
