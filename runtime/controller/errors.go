package controller

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/faults"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/absent"
)

// ErrNotStarted is wrapped by errors of ReconcileOnce that occur before the reconcile.
var ErrNotStarted = errors.New("not started")

// TerminalError marks an error that retries cannot fix: the object is dropped immediately, until its next event. Joined errors
// are terminal if all of them are.
func TerminalError(err error) error {
	if err == nil {
		return nil
	}
	return &terminalError{err}
}

type terminalError struct{ error }

// Unwrap returns the marked error.
func (e *terminalError) Unwrap() error { return e.error }

// IsLockConflict reports whether an error only means that writes lost an optimistic-lock race: their objects have newer versions. It
// returns false for conflicts between field managers, which a retry does not solve, and if the conflict is joined with other errors.
func IsLockConflict(err error) bool { return faults.IsLockConflict(err) }

// IsNotFound reports whether an error means that an object does not exist. It returns false if the API server does not serve the
// resource, although the status code is the same, for example shortly after the API server has started.
func IsNotFound(err error) bool { return absent.Is(err) }

// NameTakenError is the error of Sync for a desired object whose name is taken by an object that the owner does not control. The
// latter is not modified.
type NameTakenError struct {
	// Kind and Name identify the object.
	Kind string
	Name cache.ObjectName
	// Controller is the controller reference of the object, or nil.
	Controller *metav1.OwnerReference
}

// Error implements error.
func (e *NameTakenError) Error() string {
	if e.Controller == nil {
		return fmt.Sprintf("%s %s exists and has no controller", e.Kind, e.Name)
	}
	return fmt.Sprintf("%s %s exists and is controlled by %s %s (uid %s)",
		e.Kind, e.Name, e.Controller.Kind, e.Controller.Name, e.Controller.UID)
}

// The reasons returned by ReasonOf.
const (
	ReasonNameTaken = "NameTaken"
	ReasonWaiting   = "Waiting"
	ReasonFailed    = "Failed"
)

// ReasonOf returns the reason for a condition or an event about an error: ReasonNameTaken for a NameTakenError, ReasonWaiting if it
// only waits, see [Waiting], and ReasonFailed for others.
func ReasonOf(err error) string {
	if _, taken := errors.AsType[*NameTakenError](err); taken {
		return ReasonNameTaken
	}
	if _, waiting := waitingFor(err); waiting {
		return ReasonWaiting
	}
	return ReasonFailed
}
