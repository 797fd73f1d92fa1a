package controller

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/leading"
)

// Option configures a controller.
type Option func(*settings)

// WithName sets the controller's name in logs, in metrics, and in the metrics of its queue. The default is its resource,
// such as "deployments.apps". Controllers that run at the same time, and share a factory or metrics, need different names.
func WithName(name string) Option { return func(s *settings) { s.name = name } }

// WithKind sets the kind in owner references. The default is the group and version of the resource and the name of the Go type. It
// is required for unstructured objects and for metadata.
func WithKind(kind schema.GroupVersionKind) Option { return func(s *settings) { s.kind = kind } }

// WithFinalizer sets a finalizer, such as "example.com/cleanup", which delays the deletion of objects. It is added before the first
// Reconcile of an object. The reconciler must have the method of [Finalizer], and the client the verbs get and patch.
func WithFinalizer(name string) Option { return func(s *settings) { s.finalizer = name } }

// WithWorkers sets how many objects are reconciled concurrently; the default is 2. The same object is never reconciled concurrently.
func WithWorkers(n int) Option { return func(s *settings) { s.workers = n } }

// WithRateLimiter sets how long failed items wait before they are retried. The default is an exponential backoff with
// jitter per item, from 5 ms to 5 minutes.
func WithRateLimiter(limiter workqueue.TypedRateLimiter[cache.ObjectName]) Option {
	return func(s *settings) { s.limiter = limiter }
}

// WithQueue sets the constructor of the work queue. Its config has the name, the clock, and the order of items: if the
// constructor ignores config.Queue, all items have the same priority.
func WithQueue(newQueue func(
	workqueue.TypedRateLimiter[cache.ObjectName], workqueue.TypedQueueConfig[cache.ObjectName],
) workqueue.TypedRateLimitingInterface[cache.ObjectName],
) Option {
	return func(s *settings) { s.newQueue = newQueue }
}

// WithQueueMetrics sets the provider of queue metrics. The default is the provider passed to workqueue.SetProvider.
func WithQueueMetrics(provider workqueue.MetricsProvider) Option {
	return func(s *settings) { s.metricsProvider = provider }
}

// WithClock sets the clock of the controller and its queue. The default is the real clock.
func WithClock(c clock.WithTicker) Option { return func(s *settings) { s.clock = c } }

// WithResync reconciles every object again once in each period, at low priority, spread over it. The default is 0, which means never.
func WithResync(period time.Duration) Option { return func(s *settings) { s.resync = period } }

// WithElected puts the controller on standby until the channel is closed, as leader election requires: Run fills the caches
// immediately, but does not reconcile. When the channel is closed, it starts with all objects, as after a restart.
func WithElected(elected <-chan struct{}) Option { return WithLeadership(leading.Elected(elected)) }

// WithLeadership is [WithElected] for processes that may lead several times. Run calls lead when the caches are full, and reconciles when
// it returns, until the context term is done. It then cancels reconciles in flight, with the cause of term, and drops the queue. When
// all reconciles have returned, it calls leave, and lead again. The caches stay. Each time, it starts with all objects, as after a
// restart. The term must have the values of ctx, and must not be done when ctx is, so that reconciles in flight can end. If ctx is done
// first, lead returns an error.
func WithLeadership(lead func(ctx context.Context) (term context.Context, leave func(), err error)) Option {
	return func(s *settings) { s.lead = lead }
}

// WithHandover lets a new leader wait for the last writes of the previous one: after WithElected, Run waits until the caches have what
// the record says, for up to WithConsistencyTimeout. It then reconciles anyway, which is logged. The record belongs to the lease; see
// package handover.
func WithHandover(record *handover.Record) Option { return func(s *settings) { s.handover = record } }

// WithMaxRetries sets how often a failed item is retried before it is dropped. Dropped items are reported to the log, the
// metrics, the event recorder and WithGaveUp, and retried at their next event, or after 5 to 7.5 minutes.
// The default is 0: items are never dropped, except for a TerminalError. Conflicts do not count.
func WithMaxRetries(n int) Option { return func(s *settings) { s.maxRetries = n } }

// WithConsistencyTimeout sets how long an object is held back until the caches have the writes of its last reconcile, see
// Wrote. It is then reconciled anyway, which is logged. The default is 1 minute; 0 never holds objects back.
func WithConsistencyTimeout(d time.Duration) Option {
	return func(s *settings) { s.consistencyTimeout = d }
}

// WithItemTimeout cancels the context of a reconcile after d. The default is 0, which means no limit.
func WithItemTimeout(d time.Duration) Option { return func(s *settings) { s.itemTimeout = d } }

// WithSyncTimeout sets how long Run waits for the caches to fill before it returns an error with the reason. 0 means
// forever; the default is 2 minutes.
func WithSyncTimeout(d time.Duration) Option { return func(s *settings) { s.syncTimeout = d } }

// WithDrainTimeout sets how long Run waits for reconciles in flight after its context is done, before it cancels their
// contexts. The default is 30 seconds.
func WithDrainTimeout(d time.Duration) Option { return func(s *settings) { s.drainTimeout = d } }

// WithGenerationFilter ignores updates that do not change the generation of an object: updates of its status and of most
// metadata. Changes to the deletion timestamp and to finalizers still count.
func WithGenerationFilter() Option { return func(s *settings) { s.specOnly = true } }

// WithKnown sets a function that returns the objects known from earlier runs and other replicas, such as the names found in what they
// left in other places. It is called when workers start, and again after an error, with a delay. ReconcileDeleted is called for the
// objects that no longer exist.
func WithKnown(names func(context.Context) ([]cache.ObjectName, error)) Option {
	return func(s *settings) { s.known = names }
}

// WithEventRecorder records a Warning event for each failed reconcile and for each dropped object.
func WithEventRecorder(recorder events.EventRecorder) Option {
	return func(s *settings) { s.recorder = recorder }
}

// WithGaveUp sets a function that is called for each dropped object, with its last error.
func WithGaveUp(gaveUp func(context.Context, cache.ObjectName, error)) Option {
	return func(s *settings) { s.gaveUp = gaveUp }
}

// WithMetrics sets the receiver of metrics about reconciles.
func WithMetrics(metrics Metrics) Option { return func(s *settings) { s.metrics = metrics } }

// WithTracer sets a function that is called before every reconcile, with the reconcile's context. It returns the context for
// the reconciler, and a function that is called after the reconcile.
func WithTracer(start func(context.Context, Attempt) (context.Context, func(Outcome, error))) Option {
	return func(s *settings) { s.tracer = start }
}
