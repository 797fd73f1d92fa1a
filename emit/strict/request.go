package strict

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
)

// The subresources that custom resources can have.
const (
	statusSubresource = "status"
	scaleSubresource  = "scale"
)

// request is a request for objects of a kind.
type request struct {
	*served
	// method is the HTTP method, which is part of some errors.
	method      string
	key         cache.ObjectName
	subresource string
	// manager is the field manager of a write.
	manager string
	dryRun  bool
	// typed is the object to store as a Go object, or nil if it was not decoded.
	typed runtime.Object
	// untidy is set if the stored object has fields that a server drops when it reads the object.
	untidy bool
	// owners are the managed fields of the object to store, or nil if only its JSON form has them.
	owners []metav1.ManagedFieldsEntry
}

// react is the reactor of fake clientsets. It passes on actions for resources that the server does not serve.
func (s *Server) react(action testing.Action) (handled bool, result runtime.Object, err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	r := &request{served: s.kinds[action.GetResource()], subresource: action.GetSubresource()}
	if r.served == nil {
		return false, nil, nil
	}
	r.key.Namespace = action.GetNamespace()
	switch action := action.(type) {
	case testing.GetActionImpl:
		r.method, r.key.Name = http.MethodGet, action.GetName()
		if err = r.checkPath(); err == nil {
			result, err = s.get(r, action.GetGetOptions())
		}
	case testing.ListActionImpl:
		r.method, r.key.Name = http.MethodGet, action.Name
		result, err = s.list(r, action.GetListOptions())
	case testing.CreateActionImpl:
		r.method, r.key.Name = http.MethodPost, action.Name
		result, err = s.create(r, action.GetObject(), action.GetCreateOptions())
	case testing.UpdateActionImpl:
		r.method = http.MethodPut
		result, err = s.update(r, action.GetObject(), action.GetUpdateOptions())
	case testing.PatchActionImpl:
		r.method, r.key.Name = http.MethodPatch, action.GetName()
		if err = r.checkPath(); err == nil {
			result, err = s.patch(r, patch{action.GetPatchType(), action.GetPatch(), action.GetPatchOptions()})
		}
	case testing.DeleteActionImpl:
		r.method, r.key.Name = http.MethodDelete, action.GetName()
		if err = r.checkPath(); err == nil {
			err = s.delete(r, action.GetDeleteOptions())
		}
	case testing.DeleteCollectionActionImpl:
		r.method = http.MethodDelete
		err = s.deleteCollection(r, action.GetDeleteOptions(), action.GetListOptions())
	default:
		return false, nil, nil
	}
	if err != nil {
		return true, nil, asStatus(err)
	}
	return true, result, nil
}

// reactToWatch is the watch reactor of fake clientsets.
func (s *Server) reactToWatch(action testing.Action) (handled bool, w watch.Interface, err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	k := s.kinds[action.GetResource()]
	if k == nil {
		return false, nil, nil
	}
	var options metav1.ListOptions
	if action, ok := action.(testing.WatchActionImpl); ok {
		options = action.ListOptions
	}
	r := &request{served: k, method: http.MethodGet, key: cache.ObjectName{Namespace: action.GetNamespace()}}
	w, err = s.watch(r, options)
	if err != nil {
		return true, nil, asStatus(err)
	}
	return true, w, nil
}

// clientError is an error of a client that did not send the request.
type clientError struct{ error }

// checkPath returns a client's error for a name that cannot be part of a path.
func (r *request) checkPath() error {
	if r.key.Name == "" {
		return clientError{errors.New("resource name may not be empty")}
	}
	if problems := rest.IsValidPathSegmentName(r.key.Namespace); r.Namespaced && len(problems) > 0 {
		return clientError{fmt.Errorf("invalid namespace %q: %v", r.key.Namespace, problems)}
	}
	if problems := rest.IsValidPathSegmentName(r.key.Name); len(problems) > 0 {
		return clientError{fmt.Errorf("invalid resource name %q: %v", r.key.Name, problems)}
	}
	return nil
}

// asStatus returns an error as clients receive it.
func asStatus(err error) error {
	if unsent := (clientError{}); errors.As(err, &unsent) {
		return unsent.error
	}
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		return err
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Reason: metav1.StatusReasonUnknown, Message: err.Error(),
	}}
}

// route returns an error if a server does not have the path of the request: the namespace is missing, or the subresource is
// unknown.
func (r *request) route(known ...string) error {
	lacksNamespace := r.Namespaced && r.key.Namespace == "" && (r.method != http.MethodGet || r.key.Name != "")
	isServed, _ := r.schema.Version()
	ok := r.subresource == ""
	for _, subresource := range known {
		ok = ok || subresource == r.subresource && r.has(subresource)
	}
	switch {
	case ok && isServed && !lacksNamespace:
		return nil
	case !ok && isServed && !lacksNamespace && !r.BuiltIn:
		return apierrors.NewNotFound(r.name, r.key.Name) // custom resources word it like this
	}
	return apierrors.NewGenericServerResponse(http.StatusNotFound, r.method, r.name, r.key.Name, "404 page not found", 0, true)
}

// has reports whether the kind has a subresource.
func (k *served) has(subresource string) bool {
	status, scale := k.schema.Subresources()
	return subresource == statusSubresource && status || subresource == scaleSubresource && scale
}

// optionsError returns the error for options that are not valid.
func optionsError(kind string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: kind}, "", errs)
}

// defaultManager is the default field manager: a server uses the first part of the user agent.
var defaultManager = func() string {
	name, _, _ := strings.Cut(rest.DefaultKubernetesUserAgent(), "/")
	return name
}()

// setWrite sets the options that are common to all writes.
func (r *request) setWrite(manager string, dryRun []string) {
	r.manager = manager
	if manager == "" {
		r.manager = defaultManager
	}
	r.dryRun = len(dryRun) > 0
}

// fixNamespace sets the namespace of an object to the namespace of the request. It returns an error if they differ.
func (r *request) fixNamespace(u *unstructured.Unstructured) error {
	switch {
	case !r.Namespaced:
		u.SetNamespace("")
	case u.GetNamespace() == "":
		u.SetNamespace(r.key.Namespace)
	case u.GetNamespace() != r.key.Namespace:
		return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	return nil
}

// live returns the stored object of a request.
func (r *request) live() (*record, error) {
	if live, ok := r.objects[r.key]; ok {
		return live, nil
	}
	return nil, apierrors.NewNotFound(r.name, r.key.Name)
}

func (s *Server) get(r *request, options metav1.GetOptions) (runtime.Object, error) {
	if err := r.route(statusSubresource, scaleSubresource); err != nil {
		return nil, err
	}
	version, err := parseVersion(options.ResourceVersion)
	if err != nil {
		return nil, err
	}
	if err := s.reached(version); err != nil {
		return nil, err
	}
	live, err := r.live()
	if err != nil {
		return nil, err
	}
	if r.subresource == scaleSubresource {
		return s.scaleOf(r, live)
	}
	return s.answer(r.served, live)
}
