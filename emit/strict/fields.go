package strict

import (
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// own records in u which fields the manager of a request has changed.
func (s *Server) own(r *request, old, u *unstructured.Unstructured) error {
	fields, err := s.fieldManager(r)
	if err != nil {
		return err
	}
	// The library modifies both objects.
	owned := fields.UpdateNoErrors(old.DeepCopy(), u, r.manager)
	result, ok := owned.(*unstructured.Unstructured)
	if !ok {
		return errors.New("the field manager returns another type")
	}
	u.Object = result.Object
	return nil
}

// applied returns the result of an apply to an object, which is nil if it does not exist.
func (s *Server) applied(r *request, old, configuration *unstructured.Unstructured, force bool) (*unstructured.Unstructured, error) {
	fields, err := s.fieldManager(r)
	if err != nil {
		return nil, err
	}
	if old == nil {
		old = s.empty(r.served)
	}
	result, err := fields.Apply(old.DeepCopy(), configuration, r.manager, force)
	if err != nil {
		return nil, err
	}
	u, ok := result.(*unstructured.Unstructured)
	if !ok {
		return nil, errors.New("the field manager returns another type")
	}
	return u, nil
}

// fieldManager returns what tracks the owners of the fields that are written through a resource or a subresource.
func (s *Server) fieldManager(r *request) (*managedfields.FieldManager, error) {
	if fields, ok := r.fields[r.subresource]; ok {
		return fields, nil
	}
	fields, err := managedfields.NewDefaultCRDFieldManager(
		s.config.Converter, versions{s}, noDefaults{}, versions{s}, r.GroupVersionKind, r.GroupVersion(), r.subresource, r.resetFields())
	if err == nil {
		r.fields[r.subresource] = fields
	}
	return fields, err
}

// resetFields returns the fields that nobody comes to own through a resource or a subresource, as a server resets them.
func (r *request) resetFields() map[fieldpath.APIVersion]fieldpath.Filter {
	var reset *fieldpath.Set
	switch {
	case r.subresource == statusSubresource:
		reset = fieldpath.NewSet(fieldpath.MakePathOrDie("metadata"), fieldpath.MakePathOrDie("spec"))
	case r.subresource == "" && r.has(statusSubresource):
		reset = fieldpath.NewSet(fieldpath.MakePathOrDie("status"))
	default:
		return nil
	}
	return fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{fieldpath.APIVersion(r.GroupVersion().String()): reset})
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
	if !ok {
		return nil, errors.New("not an unstructured object")
	}
	kind, ok := to.KindForGroupVersionKinds([]schema.GroupVersionKind{u.GroupVersionKind()})
	if !ok {
		return nil, runtime.NewNotRegisteredErrForTarget("the clientset", nil, to)
	}
	for _, k := range v.server.kinds {
		if k.GroupVersionKind == kind {
			return v.server.inVersion(k, u)
		}
	}
	return nil, runtime.NewNotRegisteredErrForKind("the clientset", kind)
}

// Convert implements runtime.ObjectConvertor. The field manager does not call it.
func (versions) Convert(_, _, _ any) error { return errors.ErrUnsupported }

// ConvertFieldLabel implements runtime.ObjectConvertor. The field manager does not call it.
func (versions) ConvertFieldLabel(schema.GroupVersionKind, string, string) (label, value string, err error) {
	return "", "", errors.ErrUnsupported
}

// noDefaults is a runtime.ObjectDefaulter that sets no defaults.
type noDefaults struct{}

// Default implements runtime.ObjectDefaulter.
func (noDefaults) Default(runtime.Object) {}
