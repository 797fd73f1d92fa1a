package controller

import "time"

// Outcome is how a reconcile ended.
type Outcome string

// The outcomes of a reconcile.
const (
	// OutcomeSuccess: the reconcile succeeded.
	OutcomeSuccess Outcome = "success"
	// OutcomeRequeue: the reconcile succeeded with a RequeueAfter, or failed because a namespace is being deleted; the object is requeued.
	OutcomeRequeue Outcome = "requeue"
	// OutcomeWaiting: the reconcile needs something else first, see Waiting.
	OutcomeWaiting Outcome = "waiting"
	// OutcomePaused: the object is paused, so the reconciler was not called, see WithPause.
	OutcomePaused Outcome = "paused"
	// OutcomeConflict: a write lost an optimistic-lock race; the reconcile will be retried.
	OutcomeConflict Outcome = "conflict"
	// OutcomeError: the reconcile failed and will be retried.
	OutcomeError Outcome = "error"
	// OutcomeGaveUp: the reconcile failed and the object was dropped, see TerminalError and WithMaxRetries.
	OutcomeGaveUp Outcome = "gave_up"
	// OutcomeCanceled: the reconcile exceeded the drain timeout and was cut short.
	OutcomeCanceled Outcome = "canceled"
)

// Metrics receives metrics about reconciles. Its methods are called concurrently. Implementations embed NoMetrics, so that
// methods can be added.
type Metrics interface { //nolint:interfacebloat // implementations embed NoMetrics, and override the methods that they need
	// Ready is called once, before the first reconcile, with the number of workers, to initialize metrics with 0.
	Ready(controller string, workers int)
	// LongestRunning is called once, before the first reconcile, with a function that returns how long the longest of the reconciles
	// in flight has been running, or 0 if no reconcile is in flight. It may be called at any time.
	LongestRunning(controller string, running func() time.Duration)
	// Paused is called once, before the first reconcile, with a function that returns the number of paused objects, see WithPause. It
	// may be called at any time.
	Paused(controller string, paused func() int)
	// MissingFields is like Paused, for the number of fields that definitions in the cluster lack, see manager.WithStaleDefinitions. Only
	// kinds that the controller reconciles or owns count.
	MissingFields(controller string, missing func() int)
	// Buckets is like Paused, for the number of buckets that a replica serves, and the number of buckets that come or go, see Sharded.
	Buckets(controller string, count func() (open, moving int))
	// Reconciling is called before every reconcile.
	Reconciling(controller string)
	// Reconciled is called after every reconcile.
	Reconciled(controller string, outcome Outcome, took time.Duration)
	// Panicked is called when a reconcile panics, before Reconciled, and when a function given to Watch or WatchChannel does.
	Panicked(controller string)
	// GaveUp is called when an object is dropped. If terminal is set, it is not retried until its next event.
	GaveUp(controller string, terminal bool)
	// HeldBack is called when an object has been held back until the caches had the writes of its last reconcile. If stale is
	// set, the object is reconciled although they still do not have them, see WithConsistencyTimeout.
	HeldBack(controller string, waited time.Duration, stale bool)
	noMetrics()
}

// NoMetrics implements Metrics and does nothing.
type NoMetrics struct{}

// Ready implements Metrics.
func (NoMetrics) Ready(string, int) {}

// LongestRunning implements Metrics.
func (NoMetrics) LongestRunning(string, func() time.Duration) {}

// Paused implements Metrics.
func (NoMetrics) Paused(string, func() int) {}

// MissingFields implements Metrics.
func (NoMetrics) MissingFields(string, func() int) {}

// Buckets implements Metrics.
func (NoMetrics) Buckets(string, func() (open, moving int)) {}

// Reconciling implements Metrics.
func (NoMetrics) Reconciling(string) {}

// Reconciled implements Metrics.
func (NoMetrics) Reconciled(string, Outcome, time.Duration) {}

// Panicked implements Metrics.
func (NoMetrics) Panicked(string) {}

// GaveUp implements Metrics.
func (NoMetrics) GaveUp(string, bool) {}

// HeldBack implements Metrics.
func (NoMetrics) HeldBack(string, time.Duration, bool) {}

func (NoMetrics) noMetrics() {}
