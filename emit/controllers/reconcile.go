package controllers

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

// process reconciles one item, requeues it if needed, and reports metrics.
func (c *Controller[T]) process(ctx context.Context, q *queue, name cache.ObjectName) {
	start := c.settings.clock.Now()
	logger := klog.LoggerWithValues(klog.FromContext(ctx), "object", name)
	ctx = klog.NewContext(ctx, logger)
	logger.V(4).Info("Reconciling")
	result, err := c.attempt(ctx, name)
	outcome := c.handleResult(ctx, q, name, result, err)
	took := c.settings.clock.Since(start)
	if logger := logger.V(4); logger.Enabled() {
		logger.Info("Reconciled", "outcome", outcome, "took", took)
	}
	c.settings.metrics.Reconciled(c.settings.name, outcome, took)
}

// handleResult requeues or drops the item and returns the outcome.
func (c *Controller[T]) handleResult(ctx context.Context, q *queue, name cache.ObjectName, result Result, err error) Outcome {
	if err == nil {
		c.forget(q, name)
		if result.RequeueAfter <= 0 {
			return OutcomeSuccess
		}
		q.AddAfter(name, result.RequeueAfter)
		return OutcomeRequeue
	}
	logger := klog.FromContext(ctx)
	switch {
	case errors.Is(context.Cause(ctx), errCutShort):
		logger.Info("Reconcile was cut short", "err", err)
		return OutcomeCancelled
	case isTerminal(err):
		c.giveUp(ctx, q, name, err)
		return OutcomeGaveUp
	case apierrors.IsConflict(err):
		logger.V(4).Info("Conflict, will be tried again", "err", err)
		q.AddRateLimited(name)
		return OutcomeConflict
	}
	failed := c.failures.add(name)
	if c.settings.maxRetries > 0 && failed > c.settings.maxRetries {
		c.giveUp(ctx, q, name, err)
		return OutcomeGaveUp
	}
	logger.Error(err, "Reconcile failed, will be tried again", "failures", failed)
	q.AddRateLimited(name)
	return OutcomeError
}

func (c *Controller[T]) forget(q *queue, name cache.ObjectName) {
	q.Forget(name)
	c.failures.forget(name)
}

// maxNote is the maximum length of the note of an event, in bytes.
const maxNote = 1024

// giveUp drops an item and reports it to the log, the metrics, the event recorder, and the function of WithGaveUp.
func (c *Controller[T]) giveUp(ctx context.Context, q *queue, name cache.ObjectName, err error) {
	c.forget(q, name)
	klog.FromContext(ctx).Error(err, "Reconcile failed, giving up")
	c.settings.metrics.GaveUp(c.settings.name)
	if object, getErr := c.cached(name); getErr == nil && c.settings.recorder != nil {
		note := err.Error()
		note = strings.ToValidUTF8(note[:min(len(note), maxNote)], "")
		c.settings.recorder.Eventf(object.DeepCopyObject(), nil, corev1.EventTypeWarning, "GaveUp", "Reconcile", "%s", note)
	}
	if c.settings.gaveUp != nil {
		defer recoverPanic(ctx, new(error)) // recoverPanic logs it; there is nobody else to tell
		c.settings.gaveUp(ctx, name, err)
	}
}

// attempt reconciles one item within the item timeout. A panic is returned as an error.
func (c *Controller[T]) attempt(ctx context.Context, name cache.ObjectName) (result Result, err error) {
	if c.settings.itemTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.settings.itemTimeout)
		defer cancel()
	}
	defer recoverPanic(ctx, &err)
	return c.reconcile(ctx, name)
}

// recoverPanic logs a panic and stores it as an error. It must be deferred.
func recoverPanic(ctx context.Context, err *error) {
	if reason := recover(); reason != nil {
		*err = fmt.Errorf("panic: %v", reason)
		klog.FromContext(ctx).Error(*err, "Panic", "stack", string(debug.Stack()))
	}
}

// reconcile calls the step of the reconciler that the state of the object requires.
func (c *Controller[T]) reconcile(ctx context.Context, name cache.ObjectName) (Result, error) {
	known, err := c.cached(name)
	if IsNotFound(err) {
		return Result{}, c.config.ReconcileDeleted(ctx, name)
	}
	if err != nil {
		return Result{}, err
	}
	object := known.DeepCopyObject().(T)
	if c.config.Finalizer == "" {
		return c.config.Reconcile(ctx, object)
	}
	if object.GetDeletionTimestamp() != nil {
		return Result{}, c.finalize(ctx, object)
	}
	if !slices.Contains(object.GetFinalizers(), c.config.Finalizer) {
		var added bool
		if object, added, err = c.addFinalizer(ctx, object); err != nil || !added {
			return Result{}, err
		}
	}
	return c.config.Reconcile(ctx, object)
}

// handler enqueues objects of the kind that change.
func (c *Controller[T]) handler() handler[T] {
	resource := c.config.Resource.String()
	added, updated, resynced, deleted := cause{resource, "added"}, cause{resource, "updated"}, cause{resource, "resynced"}, cause{resource, "deleted"}
	return handler[T]{
		added: func(object T, initial bool) {
			c.enqueue(nameOf(object), !initial, added)
		},
		updated: func(before, after T) {
			switch {
			case repeated(before, after):
				if c.settings.resync > 0 {
					c.enqueue(nameOf(after), false, resynced)
				}
			case !c.settings.specOnly || matters(before, after):
				c.enqueue(nameOf(after), true, updated)
			}
		},
		deleted: func(name cache.ObjectName, _ T) {
			c.enqueue(name, true, deleted)
		},
	}
}

// repeated reports whether an update is a resync or relist without a change. Objects of fake clientsets have no resource
// version, so that only the same pointer counts.
func repeated[T Object](before, after T) bool {
	return before == after || after.GetResourceVersion() != "" && before.GetResourceVersion() == after.GetResourceVersion()
}

// matters reports whether an update changes more than the status and the metadata that reconcilers ignore. Updates of
// objects without a generation always matter.
func matters[T Object](before, after T) bool {
	return after.GetGeneration() == 0 || before.GetGeneration() != after.GetGeneration() || before.GetUID() != after.GetUID() ||
		(before.GetDeletionTimestamp() == nil) != (after.GetDeletionTimestamp() == nil) ||
		!slices.Equal(before.GetFinalizers(), after.GetFinalizers())
}

func nameOf[T Object](object T) cache.ObjectName {
	return cache.NewObjectName(object.GetNamespace(), object.GetName())
}
