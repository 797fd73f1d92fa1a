package codec

import (
	"errors"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// Writer identifies who writes which part of an object, for managed fields.
type Writer struct {
	Kind *Kind
	// Subresource is "", "status" or "scale".
	Subresource string
	// Manager is the field manager.
	Manager string
}

// errUnexpected is returned if the field manager returns an object of another type than its input.
var errUnexpected = errors.New("the field manager returned an unexpected type")

// Own updates the managed fields of u: the writer owns the fields that it has changed. The managed fields are also returned as Go
// values, because decoding them takes longer than the rest of a write.
func (w Writer) Own(old, u *unstructured.Unstructured) ([]metav1.ManagedFieldsEntry, error) {
	fields, err := w.fieldManager()
	if err != nil {
		return nil, err
	}
	// The field manager removes the managed fields of both.
	owned := fields.UpdateNoErrors(&managed{Unstructured: object.Clone(old)}, &managed{Unstructured: u}, w.Manager)
	result, ok := owned.(*managed)
	if !ok {
		return nil, errUnexpected
	}
	entries, err := result.encode()
	u.Object = result.Object
	return entries, err
}

// Apply returns the result of a server-side apply. The old object is nil if it does not exist.
func (w Writer) Apply(old, configuration *unstructured.Unstructured, force bool) (*unstructured.Unstructured, error) {
	fields, err := w.fieldManager()
	if err != nil {
		return nil, err
	}
	if old == nil {
		old = w.Kind.Empty()
	}
	live, unowned := old.DeepCopy(), len(old.GetManagedFields()) == 0 && old.GetUID() != ""
	if unowned {
		if live, err = w.ownedBefore(old); err != nil {
			return nil, err
		}
		unowned = len(live.GetManagedFields()) == 0
	}
	result, err := fields.Apply(live, configuration, w.Manager, force)
	if err != nil {
		return nil, err
	}
	u, ok := result.(*unstructured.Unstructured)
	if !ok {
		return nil, errUnexpected
	}
	if unowned {
		isBefore := func(entry metav1.ManagedFieldsEntry) bool { return entry.Manager == beforeFirstApply }
		u.SetManagedFields(slices.DeleteFunc(u.GetManagedFields(), isBefore))
	}
	return u, nil
}

// beforeFirstApply is the manager of existing fields when an object without managed fields is first applied.
const beforeFirstApply = "before-first-apply"

// ownedBefore returns a copy of an object without managed fields in which beforeFirstApply owns the fields. Unlike the field
// manager, it restricts ownership to the fields that the request could write: the status, or everything else.
func (w Writer) ownedBefore(old *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	part := object.Clone(old)
	if w.Subresource == Status {
		delete(part.Object, "spec")
		part.Object["metadata"] = map[string]any{"name": old.GetName()}
	} else {
		w.Kind.DropStatus(part, nil)
	}
	before := w
	before.Manager = beforeFirstApply
	if _, err := before.Own(w.Kind.Empty(), part); err != nil {
		return nil, err
	}
	live := object.Clone(old)
	live.SetManagedFields(part.GetManagedFields())
	return live, nil
}

// LimitConfiguration removes the fields of an apply configuration that the request cannot change: the status or, for the
// subresource status, everything else.
func (w Writer) LimitConfiguration(configuration *unstructured.Unstructured) {
	switch {
	case w.Subresource == "" && w.Kind.Has(Status):
		delete(configuration.Object, "status")
	case w.Subresource == Status:
		delete(configuration.Object, "spec")
		metadata, _ := configuration.Object["metadata"].(map[string]any) // nil without metadata
		for name := range metadata {
			switch name {
			case "name", "namespace", "uid", "resourceVersion", "managedFields":
			default:
				delete(metadata, name)
			}
		}
	}
}

// fieldManager returns the field manager for writes of a resource or subresource.
func (w Writer) fieldManager() (*managedfields.FieldManager, error) {
	k := w.Kind
	if fields, ok := k.managers[w.Subresource]; ok {
		return fields, nil
	}
	var fields *managedfields.FieldManager
	var err error
	if w.Subresource == Scale {
		fields, err = k.scaleManager()
	} else {
		fields, err = managedfields.NewDefaultCRDFieldManager(
			k.converter, versions{k.codec}, defaults{k}, versions{k.codec}, k.GroupVersionKind, k.GroupVersion(), w.Subresource, nil)
	}
	if err == nil {
		k.managers[w.Subresource] = fields
	}
	return fields, err
}

// versions converts objects between the versions of their kind, for the field manager.
type versions struct{ codec *Codec }

var (
	_ runtime.ObjectConvertor = versions{}
	_ runtime.ObjectCreater   = versions{}
)

// New implements runtime.ObjectCreater.
func (v versions) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	return u, nil
}

// ConvertToVersion implements runtime.ObjectConvertor.
func (v versions) ConvertToVersion(in runtime.Object, to runtime.GroupVersioner) (runtime.Object, error) {
	u, ok := in.(*unstructured.Unstructured)
	if m, isManaged := in.(*managed); isManaged {
		u, ok = m.Unstructured, true
	}
	if !ok {
		return nil, errors.New("not an unstructured object")
	}
	kind, ok := to.KindForGroupVersionKinds(v.codec.sameObject(u.GroupVersionKind()))
	if !ok {
		return nil, runtime.NewNotRegisteredErrForTarget("the clientset", nil, to)
	}
	if k, ok := v.codec.byKind[kind]; ok {
		return v.codec.InVersion(k, u)
	}
	return nil, runtime.NewNotRegisteredErrForKind("the clientset", kind)
}

// Convert implements runtime.ObjectConvertor. The field manager does not call it.
func (versions) Convert(_, _, _ any) error { return errors.ErrUnsupported }

// ConvertFieldLabel implements runtime.ObjectConvertor. The field manager does not call it.
func (versions) ConvertFieldLabel(schema.GroupVersionKind, string, string) (label, value string, err error) {
	return "", "", errors.ErrUnsupported
}

// defaults is a runtime.ObjectDefaulter that sets the defaults of a schema.
type defaults struct{ kind *Kind }

// Default implements runtime.ObjectDefaulter.
func (d defaults) Default(object runtime.Object) {
	if u, ok := object.(*unstructured.Unstructured); ok {
		d.kind.schema.Default(u.Object)
	}
}
