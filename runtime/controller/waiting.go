package controller

import (
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/faults"
)

// waitingRecheck is the time after which a waiting object is reconciled without an event: the awaited object may have no informer.
const waitingRecheck = 10 * time.Minute

// WaitingError is the error of a reconcile that can only go on when something else exists or changes.
type WaitingError struct {
	// For names the awaited object or condition, such as "Secret shop/db".
	For string
}

// Error implements error.
func (e *WaitingError) Error() string { return "waiting for " + e.For }

// Waiting returns a WaitingError, for a reconciler that has to wait for something, such as "Secret shop/db". It is no failure: there
// is no backoff and no Warning, and the outcome is OutcomeWaiting. The object is reconciled at its next event and the next event of a
// referred object, see [Refer] and [Watch], and after ten minutes in any case. Joined errors wait if all of them do.
func Waiting(what string) error { return &WaitingError{For: what} }

// waitingFor reports whether an error only waits, and what for.
func waitingFor(err error) (what []string, waiting bool) {
	waiting = faults.All(err, func(err error) bool {
		w, waiting := err.(*WaitingError) //nolint:errorlint // faults.All unwraps errors
		if waiting {
			what = append(what, w.For)
		}
		return waiting
	})
	return what, waiting
}
