package fake

import (
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/testing"
)

// fieldTracker tracks the fields of each field manager, separately for each subresource, as API servers do.
type fieldTracker struct {
	testing.ObjectTracker
	known       knownKinds
	converter   managedfields.TypeConverter
	subresource string
}

func newFieldTracker(known knownKinds, converter managedfields.TypeConverter) fieldTracker {
	return fieldTracker{ObjectTracker: newObjectTracker(known), known: known, converter: converter}
}

// through implements subresourceTracker.
func (t fieldTracker) through(subresource string) testing.ObjectTracker {
	t.subresource = subresource
	return t
}

// Create implements testing.ObjectTracker.
func (t fieldTracker) Create(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.CreateOptions) error {
	kind, known := t.known.kindOf(gvr)
	if !known {
		return t.ObjectTracker.Create(gvr, obj, ns, opts...)
	}
	none, err := t.emptyObject(kind)
	if err != nil {
		return err
	}
	manager := ""
	for _, o := range opts {
		manager = o.FieldManager
	}
	obj, err = t.updated(kind, none, obj, manager)
	if err != nil {
		return err
	}
	return t.ObjectTracker.Create(gvr, obj, ns, opts...)
}

// Update implements testing.ObjectTracker.
func (t fieldTracker) Update(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.UpdateOptions) error {
	manager := ""
	for _, o := range opts {
		manager = o.FieldManager
	}
	obj, err := t.replaced(gvr, obj, ns, manager)
	if err != nil {
		return err
	}
	return t.ObjectTracker.Update(gvr, obj, ns, opts...)
}

// Patch implements testing.ObjectTracker. The object obj is the result of the patch. Patch also sets its managed fields,
// because the fake client returns it to the caller.
func (t fieldTracker) Patch(gvr schema.GroupVersionResource, obj runtime.Object, ns string, opts ...metav1.PatchOptions) error {
	manager := ""
	for _, o := range opts {
		manager = o.FieldManager
	}
	stored, err := t.replaced(gvr, obj, ns, manager)
	if err != nil {
		return err
	}
	answered, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	owned, err := meta.Accessor(stored)
	if err != nil {
		return err
	}
	answered.SetManagedFields(owned.GetManagedFields())
	return t.ObjectTracker.Patch(gvr, stored, ns, opts...)
}

// Apply implements testing.ObjectTracker. As on an API server, an apply creates a missing object, unless it is for a
// subresource. An apply without changes emits no watch event. Otherwise a controller that applies on every event would
// reconcile forever.
func (t fieldTracker) Apply(gvr schema.GroupVersionResource, applied runtime.Object, ns string, opts ...metav1.PatchOptions) error {
	kind, known := t.known.kindOf(gvr)
	if !known {
		return t.ObjectTracker.Apply(gvr, applied, ns, opts...)
	}
	var options metav1.PatchOptions
	for _, o := range opts {
		options = o
	}
	accessor, err := meta.Accessor(applied)
	if err != nil {
		return err
	}
	live, err := t.Get(gvr, ns, accessor.GetName())
	missing := errors.IsNotFound(err) && t.subresource == ""
	if missing {
		live, err = t.emptyObject(kind)
	}
	if err != nil {
		return err
	}
	fields, err := t.fieldManager(kind)
	if err != nil {
		return err
	}
	obj, err := fields.Apply(live, applied, options.FieldManager, options.Force != nil && *options.Force)
	if err != nil {
		return err
	}
	if missing {
		return t.ObjectTracker.Create(gvr, obj, ns, metav1.CreateOptions{DryRun: options.DryRun, FieldManager: options.FieldManager})
	}
	if equality.Semantic.DeepEqual(live, obj) {
		return nil
	}
	return t.ObjectTracker.Update(gvr, obj, ns, metav1.UpdateOptions{DryRun: options.DryRun, FieldManager: options.FieldManager})
}

// replaced returns obj with the managed fields that it has after it replaces the live object.
func (t fieldTracker) replaced(gvr schema.GroupVersionResource, obj runtime.Object, ns, manager string) (runtime.Object, error) {
	kind, known := t.known.kindOf(gvr)
	if !known {
		return obj, nil
	}
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return nil, err
	}
	live, err := t.Get(gvr, ns, accessor.GetName())
	if err != nil {
		return nil, err
	}
	return t.updated(kind, live, obj, manager)
}

// updated returns a copy of obj in which the manager owns the fields that differ from the live object.
func (t fieldTracker) updated(kind schema.GroupVersionKind, live, obj runtime.Object, manager string) (runtime.Object, error) {
	fields, err := t.fieldManager(kind)
	if err != nil {
		return nil, err
	}
	obj = obj.DeepCopyObject()
	obj.GetObjectKind().SetGroupVersionKind(kind)
	live.GetObjectKind().SetGroupVersionKind(kind)
	return fields.Update(live, obj, manager)
}

func (t fieldTracker) fieldManager(kind schema.GroupVersionKind) (*managedfields.FieldManager, error) {
	return managedfields.NewDefaultFieldManager(
		t.converter, t.known.scheme, noDefaults{}, t.known.scheme, kind, kind.GroupVersion(), t.subresource, nil)
}

func (t fieldTracker) emptyObject(kind schema.GroupVersionKind) (runtime.Object, error) {
	obj, err := t.known.scheme.New(kind)
	if err == nil {
		obj.GetObjectKind().SetGroupVersionKind(kind)
	}
	return obj, err
}

// noDefaults is a runtime.ObjectDefaulter without defaults.
type noDefaults struct{}

// Default implements runtime.ObjectDefaulter.
func (noDefaults) Default(runtime.Object) {}
