package strict

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
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
		s.config.Converter, versions{s}, noDefaults{}, versions{s}, r.GroupVersionKind, r.GroupVersion(), r.subresource, nil)
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

// resetApplied removes from a configuration what a server resets: the status, or all but the status.
func resetApplied(r *request, configuration *unstructured.Unstructured) error {
	switch {
	case r.subresource == "" && r.has(statusSubresource):
		delete(configuration.Object, "status")
	case r.subresource == statusSubresource:
		delete(configuration.Object, "spec")
		metadata, ok := configuration.Object["metadata"].(map[string]any)
		if !ok {
			return apierrors.NewBadRequest("the configuration has no metadata")
		}
		for name := range metadata {
			switch name {
			case "name", "namespace", "uid", "resourceVersion", "managedFields":
			default:
				delete(metadata, name)
			}
		}
	}
	return nil
}
