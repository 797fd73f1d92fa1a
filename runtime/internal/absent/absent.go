// Package absent distinguishes errors about objects that do not exist from other errors with the same status code.
package absent

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Is reports whether an error means that an object does not exist. An API server that does not serve the resource yet has the same status
// code.
func Is(err error) bool {
	return apierrors.IsNotFound(err) && !apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}
