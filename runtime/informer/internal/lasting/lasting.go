// Package lasting tells errors that somebody must mend from errors that pass.
package lasting

import (
	"crypto/tls"
	"crypto/x509"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
)

// IsUnknown reports whether an error means that the API server does not serve the resource.
func IsUnknown(err error) bool { return apierrors.IsNotFound(err) || meta.IsNoMatchError(err) }

// Is reports whether an error is likely to persist until somebody intervenes: the request is forbidden, the resource is not served, or
// certificates are invalid.
func Is(err error) bool {
	var (
		certificate *tls.CertificateVerificationError
		authority   x509.UnknownAuthorityError
		host        x509.HostnameError
		invalid     x509.CertificateInvalidError
	)
	return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) || apierrors.IsMethodNotSupported(err) || IsUnknown(err) ||
		errors.As(err, &certificate) || errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid)
}
