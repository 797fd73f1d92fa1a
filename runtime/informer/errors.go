package informer

import (
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/lasting"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/shared"
)

// Error is the reason why the objects of a resource, in one namespace or all, cannot be listed or watched. The informer keeps
// retrying.
type Error struct {
	Resource schema.GroupVersionResource
	// Namespace is empty for all namespaces and for cluster-scoped resources.
	Namespace string
	// Err is the last response of the API server, or the reason why there was none.
	Err error
}

// Error returns the resource, the namespace and the reason.
func (e *Error) Error() string {
	resource := e.Resource.GroupResource()
	if e.Namespace == "" {
		return fmt.Sprintf("%s: %s", resource, e.reason())
	}
	return fmt.Sprintf("%s in namespace %q: %s", resource, e.Namespace, e.reason())
}

// Unwrap returns the response of the API server.
func (e *Error) Unwrap() error { return e.Err }

// reason returns the message of the response without the resource.
func (e *Error) reason() string {
	switch {
	case apierrors.IsForbidden(e.Err):
		return strings.TrimPrefix(e.Err.Error(), e.Resource.GroupResource().String()+" is ")
	case lasting.IsUnknown(e.Err):
		return fmt.Sprintf("not served: %v; is the CustomResourceDefinition installed?", e.Err)
	}
	return e.Err.Error()
}

// errorsOf returns the failures of an informer as errors.
func errorsOf(resource schema.GroupVersionResource, failures []shared.Failure) (errs []*Error) {
	for _, failure := range failures {
		errs = append(errs, &Error{Resource: resource, Namespace: failure.Namespace, Err: failure.Err})
	}
	return errs
}

// joinErrors joins a cause with failures.
func joinErrors(cause error, failures []*Error) error {
	errs := []error{cause}
	for _, failure := range failures {
		errs = append(errs, failure)
	}
	return errors.Join(errs...)
}

// Errors returns the current errors of lists and watches, of all informers and namespaces. It is empty if all work.
func (f *Factory) Errors() (failures []*Error) {
	for _, m := range f.own() {
		failures = append(failures, m.errors()...)
	}
	return failures
}

func (m *member) errors() []*Error { return errorsOf(m.resource, m.own.Failures()) }
