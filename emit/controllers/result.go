package controllers

import (
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Result is the result of a successful reconcile.
type Result struct {
	// RequeueAfter is the time after which the object is reconciled again, even without an event; 0 means never.
	RequeueAfter time.Duration
}

// TerminalError marks an error that retries cannot fix: the object is dropped at once, until its next event.
func TerminalError(err error) error {
	if err == nil {
		return nil
	}
	return &terminalError{err}
}

type terminalError struct{ error }

// Unwrap returns the marked error.
func (e *terminalError) Unwrap() error { return e.error }

func isTerminal(err error) bool {
	var terminal *terminalError
	return errors.As(err, &terminal)
}

// IsNotFound reports whether an error means that an object does not exist. A server that has just started may not serve its
// custom resources yet and answers with the same status code; IsNotFound returns false for that.
func IsNotFound(err error) bool {
	return apierrors.IsNotFound(err) && !apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

// Outcome is how a reconcile ended.
type Outcome string

// The outcomes of a reconcile.
const (
	// OutcomeSuccess: the reconcile succeeded.
	OutcomeSuccess Outcome = "success"
	// OutcomeRequeue: the reconcile succeeded and asked to be called again.
	OutcomeRequeue Outcome = "requeue"
	// OutcomeConflict: a write lost an optimistic-lock race; the reconcile will be retried.
	OutcomeConflict Outcome = "conflict"
	// OutcomeError: the reconcile failed and will be retried.
	OutcomeError Outcome = "error"
	// OutcomeGaveUp: the reconcile failed and the object was dropped.
	OutcomeGaveUp Outcome = "gave_up"
	// OutcomeCancelled: the reconcile exceeded the drain timeout and was cut short.
	OutcomeCancelled Outcome = "cancelled"
)

// Metrics receives metrics about reconciles. Its methods are called concurrently.
type Metrics interface {
	// Reconciled is called after every reconcile.
	Reconciled(controller string, outcome Outcome, took time.Duration)
	// GaveUp is called when an object is dropped.
	GaveUp(controller string)
}

type noMetrics struct{}

func (noMetrics) Reconciled(string, Outcome, time.Duration) {}
func (noMetrics) GaveUp(string)                             {}
