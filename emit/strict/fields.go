package strict

import (
	"errors"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// own updates the managed fields of u: the manager of the request owns the fields that it changed.
func (s *Server) own(r *request, old, u *unstructured.Unstructured) error {
	fields, err := s.fieldManager(r)
	if err != nil {
		return err
	}
	owned := fields.UpdateNoErrors(&managed{Unstructured: clone(old)}, &managed{Unstructured: u}, r.manager) // it removes the managed fields of both
	result, ok := owned.(*managed)
	if !ok {
		return errors.New("the field manager returned an unexpected type")
	}
	r.owners, err = result.encode()
	u.Object = result.Object
	return err
}

// managed is an object for the field manager. It keeps managed fields as Go values, because converting them to unstructured form and
// back would take longer than the rest of a write.
type managed struct {
	*unstructured.Unstructured
	entries []metav1.ManagedFieldsEntry
	// decoded is set if entries has the managed fields of the object.
	decoded bool
}

var (
	_ runtime.Object = &managed{}
	_ metav1.Object  = &managed{}
)

// GetManagedFields implements metav1.Object.
func (m *managed) GetManagedFields() []metav1.ManagedFieldsEntry {
	if !m.decoded {
		m.entries, m.decoded = m.Unstructured.GetManagedFields(), true
	}
	return m.entries
}

// SetManagedFields implements metav1.Object. The unstructured object has no managed fields until encode is called.
func (m *managed) SetManagedFields(entries []metav1.ManagedFieldsEntry) {
	m.entries, m.decoded = entries, true
	if metadata, ok := m.Object["metadata"].(map[string]any); ok {
		delete(metadata, "managedFields")
	}
}

// encode returns the managed fields as a client receives them, and sets them in the unstructured object.
func (m *managed) encode() ([]metav1.ManagedFieldsEntry, error) {
	entries := make([]metav1.ManagedFieldsEntry, len(m.entries))
	values := make([]any, len(m.entries))
	for i, entry := range m.entries {
		if entry.Time != nil {
			seconds := metav1.NewTime(entry.Time.Truncate(time.Second).Local())
			entry.Time = &seconds
		}
		value, err := encodeEntry(entry)
		if err != nil {
			return nil, err
		}
		entries[i], values[i] = entry, value
	}
	if len(values) == 0 {
		return nil, nil
	}
	metadata, ok := m.Object["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		m.Object["metadata"] = metadata
	}
	metadata["managedFields"] = values
	return entries, nil
}

// encodeEntry returns an entry of the managed fields as JSON.
func encodeEntry(entry metav1.ManagedFieldsEntry) (map[string]any, error) {
	value := make(map[string]any, 7)
	for name, text := range map[string]string{
		"manager": entry.Manager, "operation": string(entry.Operation), "apiVersion": entry.APIVersion,
		"fieldsType": entry.FieldsType, "subresource": entry.Subresource,
	} {
		if text != "" {
			value[name] = text
		}
	}
	if entry.Time != nil {
		value["time"] = entry.Time.ToUnstructured()
	}
	if entry.FieldsV1 != nil {
		data, err := entry.FieldsV1.MarshalJSON()
		if err != nil {
			return nil, err
		}
		var fields map[string]any
		if err := utiljson.Unmarshal(data, &fields); err != nil {
			return nil, err
		}
		value["fieldsV1"] = fields
	}
	return value, nil
}

// applied returns the result of an apply. The old object is nil if it does not exist.
func (s *Server) applied(r *request, old, configuration *unstructured.Unstructured, force bool) (*unstructured.Unstructured, error) {
	fields, err := s.fieldManager(r)
	if err != nil {
		return nil, err
	}
	if old == nil {
		old = r.empty()
	}
	live, unowned := old.DeepCopy(), len(old.GetManagedFields()) == 0 && old.GetUID() != ""
	if unowned {
		if live, err = s.ownedBefore(r, old); err != nil {
			return nil, err
		}
		unowned = len(live.GetManagedFields()) == 0
	}
	result, err := fields.Apply(live, configuration, r.manager, force)
	if err != nil {
		return nil, err
	}
	u, ok := result.(*unstructured.Unstructured)
	if !ok {
		return nil, errors.New("the field manager returned an unexpected type")
	}
	if unowned {
		u.SetManagedFields(slices.DeleteFunc(u.GetManagedFields(), func(entry metav1.ManagedFieldsEntry) bool { return entry.Manager == beforeFirstApply }))
	}
	return u, nil
}

// beforeFirstApply is the manager of existing fields when an object without managed fields is first applied.
const beforeFirstApply = "before-first-apply"

// ownedBefore returns a copy of an object without managed fields in which beforeFirstApply owns the fields. Unlike the field
// manager, it restricts ownership to the fields that the request could write: the status, or everything else.
func (s *Server) ownedBefore(r *request, old *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	part, before := clone(old), *r
	before.manager = beforeFirstApply
	if r.subresource == statusSubresource {
		delete(part.Object, "spec")
		part.Object["metadata"] = map[string]any{"name": old.GetName()}
	} else {
		r.dropStatus(part, nil)
	}
	if err := s.own(&before, r.empty(), part); err != nil {
		return nil, err
	}
	live := clone(old)
	live.SetManagedFields(part.GetManagedFields())
	return live, nil
}

// fieldManager returns the field manager for writes of a resource or subresource.
func (s *Server) fieldManager(r *request) (*managedfields.FieldManager, error) {
	if fields, ok := r.fields[r.subresource]; ok {
		return fields, nil
	}
	fields, err := managedfields.NewDefaultCRDFieldManager(
		r.converter, versions{s}, defaults{r.served}, versions{s}, r.GroupVersionKind, r.GroupVersion(), r.subresource, nil)
	if err == nil {
		r.fields[r.subresource] = fields
	}
	return fields, err
}

// versions converts objects between the versions of their kind, for the field manager.
type versions struct{ server *Server }

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
	kind, ok := to.KindForGroupVersionKinds([]schema.GroupVersionKind{u.GroupVersionKind()})
	if !ok {
		return nil, runtime.NewNotRegisteredErrForTarget("the clientset", nil, to)
	}
	if k, ok := v.server.byKind[kind]; ok {
		return v.server.inVersion(k, u)
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
type defaults struct{ *served }

// Default implements runtime.ObjectDefaulter.
func (d defaults) Default(object runtime.Object) {
	if u, ok := object.(*unstructured.Unstructured); ok {
		d.schema.Default(u.Object)
	}
}

// resetApplied removes the fields of an apply configuration that the request cannot change: the status or, for the subresource
// status, everything else.
func resetApplied(r *request, configuration *unstructured.Unstructured) {
	switch {
	case r.subresource == "" && r.has(statusSubresource):
		delete(configuration.Object, "status")
	case r.subresource == statusSubresource:
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
