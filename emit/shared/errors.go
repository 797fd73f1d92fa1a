package shared

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
)

// Error is the reason why objects cannot be listed or watched. The informer keeps retrying.
type Error struct {
	Resource schema.GroupVersionResource
	// Namespace is empty for all namespaces and for cluster-scoped kinds.
	Namespace string
	// Err is the last response of the API server, or the reason why there was none.
	Err  error
	kind Kind
}

// Error implements error.
func (e *Error) Error() string {
	return describeScope(e.kind, e.Namespace) + ": " + reason(e.Resource.GroupResource(), e.Err)
}

// Unwrap returns the response of the API server.
func (e *Error) Unwrap() error { return e.Err }

// reason returns the message of an error without the resource.
func reason(resource schema.GroupResource, err error) string {
	switch {
	case apierrors.IsForbidden(err):
		return strings.TrimPrefix(err.Error(), resource.String()+" is ")
	case isUnknown(err):
		return fmt.Sprintf("not served: %v; is the CustomResourceDefinition installed?", err)
	}
	return err.Error()
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

// failures returns the current errors of sources.
func (i *Informer) failures(sources []*source) (failures []*Error) {
	for _, s := range sources {
		if err := s.lastFailure(); err != nil {
			failures = append(failures, &Error{Resource: i.kind.Resource, Namespace: s.namespace, Err: err, kind: i.kind})
		}
	}
	slices.SortFunc(failures, func(a, b *Error) int { return strings.Compare(a.Namespace, b.Namespace) })
	return failures
}

// Errors returns the current errors of lists and watches, by namespace.
func (i *Informer) Errors() []*Error {
	i.lock.Lock()
	sources := slices.Clone(i.sources)
	i.lock.Unlock()
	return i.failures(sources)
}

// unsynced returns the errors of sources that have not synced, and whether one of them is lasting.
func (i *Informer) unsynced() (failures []*Error, lasting bool) {
	i.lock.Lock()
	sources := slices.Clone(i.sources)
	i.lock.Unlock()
	missing, _ := i.missing(sources)
	failures = i.failures(missing)
	return failures, slices.ContainsFunc(failures, func(e *Error) bool { return isLasting(e.Err) })
}

// joinErrors joins a cause with failures.
func joinErrors(cause error, failures []*Error) error {
	errs := []error{cause}
	for _, failure := range failures {
		errs = append(errs, failure)
	}
	return errors.Join(errs...)
}
