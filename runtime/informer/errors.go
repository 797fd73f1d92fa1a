package informer

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

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
	case isUnknown(e.Err):
		return fmt.Sprintf("not served: %v; is the CustomResourceDefinition installed?", e.Err)
	}
	return e.Err.Error()
}

// isUnknown reports whether an error means that the API server does not serve the resource.
func isUnknown(err error) bool { return apierrors.IsNotFound(err) || meta.IsNoMatchError(err) }

// isLasting reports whether an error is likely to persist until somebody intervenes: the request is forbidden, the resource is
// not served, or certificates are invalid.
func isLasting(err error) bool {
	var (
		certificate *tls.CertificateVerificationError
		authority   x509.UnknownAuthorityError
		host        x509.HostnameError
		invalid     x509.CertificateInvalidError
	)
	return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) || apierrors.IsMethodNotSupported(err) || isUnknown(err) ||
		errors.As(err, &certificate) || errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid)
}

func anyLasting(failures []*Error) bool {
	return slices.ContainsFunc(failures, func(e *Error) bool { return isLasting(e.Err) })
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
