package controller

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/faults"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/queue"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/reconcile"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sharing"
)

// Attempt is one call of a reconciler.
type Attempt struct {
	// Controller and Object are the names of the controller and the object.
	Controller string
	Object     cache.ObjectName
	// ID is different for every attempt. Logs have it as reconcileID.
	ID string
}

// process reconciles one item, unless it has to wait or another replica has it. It reports whether the item was requeued.
func (c *Controller[T]) process(ctx context.Context, q *queue.Queue, it queue.Item) (again bool) {
	ctx, entry, ok := c.enter(ctx, q, it)
	if !ok {
		return false
	}
	defer entry.Leave()
	if wait := c.caches.Recheck(ctx, it.Name); wait > 0 {
		c.progress.Held(it.Name, it.Origin)
		q.AddAfter(it.Name, wait)
		return true
	}
	if c.holdBack(ctx, it) {
		return false
	}
	ctx, r := c.begin(ctx, it, entry)
	result, err := c.call(ctx, it.Name)
	outcome := c.settle(ctx, q, r, result, err)
	c.report(ctx, r, outcome, err)
	return outcome == OutcomeRequeue || outcome == OutcomeWaiting || outcome == OutcomeConflict || outcome == OutcomeError
}

// running is a reconcile in flight.
type running struct {
	name    cache.ObjectName
	start   time.Time
	session *consistency.Session
	// verbose is set if the log has it. To ask the reconciler's logger would make it format its values.
	verbose bool
	// ended is nil without WithTracer.
	ended func(Outcome, error)
}

// begin begins a reconcile. The context is for the reconciler.
func (c *Controller[T]) begin(ctx context.Context, it queue.Item, entry *sharing.Entry) (context.Context, running) {
	s := c.settings
	r := running{name: it.Name, start: s.clock.Now(), verbose: klog.FromContext(ctx).V(4).Enabled()}
	c.progress.Begin(it.Name, r.start, it.Origin)
	s.metrics.Reconciling(s.name)
	ctx, r.session = c.writes.Begin(ctx, it.Name)
	ctx, id := reconcile.New(ctx, it.Name, c.caches, entry)
	if r.verbose {
		klog.FromContext(ctx).V(4).Info("Reconciling")
	}
	if s.tracer != nil {
		ctx, r.ended = s.tracer(ctx, Attempt{Controller: s.name, Object: it.Name, ID: id.String()})
	}
	return ctx, r
}

// settle keeps the writes of the reconcile, enqueues the object after events of others that came meanwhile, and handles the result.
func (c *Controller[T]) settle(ctx context.Context, q *queue.Queue, r running, result Result, err error) Outcome {
	isGone := func(name cache.ObjectName) bool { _, err := c.objects.Get(name); return err != nil }
	if c.writes.End(r.name, r.session, isGone) {
		c.enqueue(queue.Item{Name: r.name, Urgent: true}, cause{Resource: c.objects.Resource().GroupResource().String(), Event: progress.Updated})
	}
	c.caches.Sweep()
	return c.handleResult(ctx, q, r.name, result, err)
}

// report tells the tracer, the debug page, the log and the metrics how a reconcile ended.
func (c *Controller[T]) report(ctx context.Context, r running, outcome Outcome, err error) {
	if r.ended != nil {
		r.ended(outcome, err)
	}
	took := c.settings.clock.Since(r.start)
	c.progress.End(r.name, took, summarize(outcome, err))
	if r.verbose {
		klog.FromContext(ctx).V(4).Info("Reconciled", "outcome", outcome, "took", took)
	}
	c.settings.metrics.Reconciled(c.settings.name, outcome, took)
}

// ReconcileOnce reconciles one object as Run does, whether it exists or not, and returns the reconciler's result and error. It first fills
// the caches and finally stops the informers. It does not use the queue, retry, or wait for election. It is called by package
// controllertest. If it fails before the reconcile, the error wraps ErrNotStarted. Either Run or ReconcileOnce can be called, once.
func (c *Controller[T]) ReconcileOnce(ctx context.Context, name cache.ObjectName) (result Result, err error) {
	err = ErrNotStarted
	startErr := c.withCaches(ctx, func(ctx context.Context) error {
		ctx, _ = c.writes.Begin(ctx, name)
		ctx, _ = reconcile.New(ctx, name, c.caches, nil)
		result, err = c.call(ctx, name)
		return nil
	})
	if startErr != nil {
		err = fmt.Errorf("%w: %w", ErrNotStarted, startErr)
	}
	return result, err
}

// loudConflicts is the number of consecutive conflicts after which one is logged as an error.
const loudConflicts = 10

// handleResult requeues or drops the item and returns the outcome.
func (c *Controller[T]) handleResult(ctx context.Context, q *queue.Queue, name cache.ObjectName, result Result, err error) Outcome {
	if err == nil {
		q.Forget(name)
		switch {
		case reconcile.From(ctx).Paused:
			return OutcomePaused
		case result.RequeueAfter <= 0:
			return OutcomeSuccess
		}
		q.AddAfter(name, result.RequeueAfter)
		return OutcomeRequeue
	}
	logger := klog.FromContext(ctx)
	switch {
	case errors.Is(context.Cause(ctx), errCutShort), errors.Is(context.Cause(ctx), sharing.ErrHandedOver):
		logger.Info("Reconcile canceled", "err", err)
		return OutcomeCanceled
	case caches.IsNotWatched(err):
		logger.Info("Dropped, until its namespace is watched", "namespace", name.Namespace)
		q.Forget(name)
		return OutcomeSuccess
	case ReasonOf(err) == ReasonWaiting:
		logger.V(2).Info("Reconcile waits", "err", err)
		q.Forget(name)
		q.AddAfter(name, waitingRecheck)
		return OutcomeWaiting
	case faults.Only[*terminalError](err):
		c.giveUp(ctx, q, name, err, true)
		return OutcomeGaveUp
	case faults.IsNamespaceTerminating(err):
		// The terminating namespace may differ from the object's namespace: its end then causes no event for the object. So the
		// object is requeued.
		logger.Info("The namespace is being deleted", "err", err)
		q.Forget(name)
		q.AddAfter(name, queue.Jitter(queue.BackoffMax))
		return OutcomeRequeue
	case faults.IsLockConflict(err):
		if conflicts := c.progress.Failed(name, true); conflicts%loudConflicts == 0 {
			logger.Error(err, "Reconcile keeps conflicting, will be retried", "conflicts", conflicts)
			c.warn(name, "Conflict", err)
		} else {
			logger.V(4).Info("Conflict, will be retried", "err", err)
		}
		q.AddRateLimited(name)
		return OutcomeConflict
	}
	failed := c.progress.Failed(name, false)
	if c.settings.maxRetries > 0 && failed > c.settings.maxRetries {
		c.giveUp(ctx, q, name, err, false)
		q.AddAfter(name, queue.Jitter(queue.BackoffMax))
		return OutcomeGaveUp
	}
	logger.Error(err, "Reconcile failed, will be retried", "failures", failed)
	c.warn(name, "ReconcileFailed", err)
	q.AddRateLimited(name)
	return OutcomeError
}

// giveUp drops an item and reports it to the log, the metrics, the event recorder, and the function of WithGaveUp.
func (c *Controller[T]) giveUp(ctx context.Context, q *queue.Queue, name cache.ObjectName, err error, terminal bool) {
	q.Forget(name)
	klog.FromContext(ctx).Error(err, "Reconcile failed, giving up", "terminal", terminal)
	c.settings.metrics.GaveUp(c.settings.name, terminal)
	c.warn(name, "GaveUp", err)
	if c.settings.gaveUp != nil {
		defer faults.Recover(ctx, c.panicked, new(error)) // Recover reports it
		c.settings.gaveUp(ctx, name, err)
	}
}

// maxNote is the maximum length of the note of an event, and of the text of an error on the debug page, in bytes.
const maxNote = 1024

// note returns the text of an error.
func note(err error) string {
	text := err.Error()
	return strings.ToValidUTF8(text[:min(len(text), maxNote)], "")
}

// warn records a Warning event for an existing object. If the error only means that names are taken, Sync has recorded it.
func (c *Controller[T]) warn(name cache.ObjectName, reason string, err error) {
	if c.settings.recorder == nil || faults.Only[*NameTakenError](err) {
		return
	}
	if object, getErr := c.objects.Get(name); getErr == nil {
		c.settings.recorder.Eventf(object.DeepCopyObject(), nil, corev1.EventTypeWarning, reason, "Reconcile", "%s", note(err))
	}
}

// call reconciles one item within the item timeout. A panic is returned as an error.
func (c *Controller[T]) call(ctx context.Context, name cache.ObjectName) (result Result, err error) {
	if c.settings.itemTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.settings.itemTimeout)
		defer cancel()
	}
	reconcile.From(ctx).Live = func(ctx context.Context) (live metav1.Object, err error) {
		if client := c.objects.Source().Client(name.Namespace); client != nil {
			live, err = client.Get(ctx, name.Name, metav1.GetOptions{})
		}
		return live, err
	}
	defer faults.Recover(ctx, c.panicked, &err)
	return c.reconcile(ctx, name)
}

func (c *Controller[T]) panicked() { c.settings.metrics.Panicked(c.settings.name) }

// reconcile calls the step of the reconciler that the state of the object requires.
func (c *Controller[T]) reconcile(ctx context.Context, name cache.ObjectName) (Result, error) {
	c.caches.Forget(name) // Sync waits again for objects that are still in its way
	known, err := c.objects.Get(name)
	if err != nil {
		c.labels.Forget(name)
		if IsNotFound(err) {
			err = reconcile.From(ctx).ReconcileDeleted(ctx, c.reconciler.ReconcileDeleted)
		}
		return Result{}, err
	}
	if reconcile.From(ctx).Entry.IsOther(known.GetUID()) {
		return Result{}, nil
	}
	object, paused, err := c.gate.IsClosed(ctx, known.DeepCopyObject().(T))
	if err != nil || paused {
		return Result{}, err
	}
	if wait, ready, err := c.restoreLabels(ctx, name, known.GetUID()); err != nil || !ready {
		return Result{RequeueAfter: wait}, err
	}
	if c.finalizing == nil {
		return c.reconciler.Reconcile(ctx, object)
	}
	if object.GetDeletionTimestamp() != nil {
		return Result{}, c.finalize(ctx, object)
	}
	if !c.finalizing.In(object) {
		var added bool
		if object, added, err = c.finalizing.Add(ctx, object); err != nil || !added {
			return Result{}, err
		}
	}
	return c.reconciler.Reconcile(ctx, object)
}

// finalize calls Finalize for an object that is being deleted, and then removes the finalizer.
func (c *Controller[T]) finalize(ctx context.Context, object T) error {
	if !c.finalizing.In(object) {
		return nil // removed before, or never set
	}
	a := reconcile.From(ctx)
	a.Finalizing = object.GetUID()
	err := c.reconciler.(Finalizer[T]).Finalize(ctx, object.DeepCopyObject().(T)) // New checks it
	a.Finalizing = ""
	if err != nil {
		return err
	}
	return c.finalizing.Remove(ctx, object)
}

// restoreLabels labels the owned objects. It reports whether the caches have the labels; if not, the item was held back or has to wait.
func (c *Controller[T]) restoreLabels(
	ctx context.Context, name cache.ObjectName, uid types.UID,
) (wait time.Duration, ready bool, err error) {
	if err := c.labels.Restore(ctx, name); err != nil {
		return 0, false, err
	}
	c.labels.Known(name, uid)
	if wait, err = c.labels.Recover(ctx, name); err != nil || wait > 0 {
		return wait, false, err
	}
	if c.queue.Load() == nil { // ReconcileOnce
		return 0, true, c.writes.WaitFor(ctx, name)
	}
	return 0, !c.holdBack(ctx, queue.Item{Name: name, Urgent: true}), nil
}
