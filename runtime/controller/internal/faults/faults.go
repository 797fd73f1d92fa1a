// Package faults classifies errors of reconciles.
package faults

import (
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// All reports whether a predicate holds for an error or an error that it wraps. For joined errors, it must hold for all.
func All(err error, predicate func(error) bool) bool {
	for err != nil {
		if predicate(err) {
			return true
		}
		joined, ok := err.(interface{ Unwrap() []error })
		if !ok {
			err = errors.Unwrap(err)
			continue
		}
		for _, err := range joined.Unwrap() {
			if !All(err, predicate) {
				return false
			}
		}
		return true
	}
	return false
}

// Only is All for errors of a type.
func Only[E error](err error) bool {
	return All(err, func(err error) bool {
		_, ok := err.(E) //nolint:errorlint // All unwraps errors
		return ok
	})
}

// IsLockConflict reports whether an error only means that writes lost an optimistic-lock race.
func IsLockConflict(err error) bool {
	return All(err, func(err error) bool {
		_, isStatus := err.(apierrors.APIStatus)
		return isStatus && apierrors.IsConflict(err) && !apierrors.HasStatusCause(err, metav1.CauseTypeFieldManagerConflict)
	})
}

// IsNamespaceTerminating reports whether an error only means that objects cannot be created because their namespace is being deleted.
func IsNamespaceTerminating(err error) bool {
	return All(err, func(err error) bool {
		_, isStatus := err.(apierrors.APIStatus)
		return isStatus && apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause)
	})
}

// IsInvalidName reports whether a server refused an object because of its name, which a retry does not change.
func IsInvalidName(err error) bool {
	status, ok := errors.AsType[*apierrors.StatusError](err)
	return ok && apierrors.IsInvalid(err) && status.ErrStatus.Details != nil &&
		slices.ContainsFunc(status.ErrStatus.Details.Causes, func(cause metav1.StatusCause) bool { return cause.Field == "metadata.name" })
}
