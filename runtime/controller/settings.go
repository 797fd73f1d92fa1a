package controller

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	klog "k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/pause"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/queue"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/leading"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sharing"
)

// settings are configured by options.
type settings struct {
	name      string
	kind      schema.GroupVersionKind
	finalizer string
	workers   int

	limiter         workqueue.TypedRateLimiter[cache.ObjectName]
	newQueue        queue.NewFunc
	metricsProvider workqueue.MetricsProvider
	clock           clock.WithTicker

	// factory is a shared factory or nil, and informers are the options of the factory that is made otherwise.
	factory   *informer.Factory
	informers []informer.Option
	// share is nil unless replicas share the objects.
	share   *sharing.Share
	sharded bool
	// reconciled, owned and referred are the options of informers by their use.
	reconciled      []informer.Option
	owned, referred byType
	resync          time.Duration
	lead            leading.Lead
	// handover is nil without WithHandover.
	handover *handover.Record

	maxRetries         int
	itemTimeout        time.Duration
	syncTimeout        time.Duration
	drainTimeout       time.Duration
	consistencyTimeout time.Duration

	// pause is nil without WithPause and WithDefaultPause.
	pause    *pause.Rule
	specOnly bool
	known    func(context.Context) ([]cache.ObjectName, error)
	recorder events.EventRecorder
	gaveUp   func(context.Context, cache.ObjectName, error)
	metrics  Metrics
	tracer   func(context.Context, Attempt) (context.Context, func(Outcome, error))
}

func newSettings(name string, options []Option) *settings {
	s := &settings{
		name:               name,
		workers:            2,
		clock:              clock.RealClock{},
		syncTimeout:        2 * time.Minute,
		drainTimeout:       30 * time.Second,
		consistencyTimeout: time.Minute,
		metrics:            NoMetrics{},
		owned:              byType{},
		referred:           byType{},
	}
	always := make(chan struct{})
	close(always)
	WithElected(always)(s)
	for _, option := range options {
		option(s)
	}
	return s
}

// check returns an error for settings that are invalid or mutually exclusive.
func (s *settings) check() error {
	var errs []error
	if s.workers < 1 {
		errs = append(errs, fmt.Errorf("invalid number of workers %d: must be at least 1", s.workers))
	}
	if s.maxRetries < 0 {
		errs = append(errs, fmt.Errorf("invalid number of retries %d: must be at least 0, which means forever", s.maxRetries))
	}
	for _, d := range []time.Duration{s.resync, s.itemTimeout, s.syncTimeout, s.drainTimeout, s.consistencyTimeout} {
		if d < 0 {
			errs = append(errs, fmt.Errorf("negative duration %v", d))
		}
	}
	if s.pause != nil {
		errs = append(errs, s.pause.Check())
	}
	if s.factory != nil && len(s.informers) > 0 {
		if err := s.factory.Extend(s.informers...); err != nil {
			errs = append(errs, fmt.Errorf("WithInformers and WithFactory: %w", err))
		}
	}
	errs = append(errs, s.checkShare())
	return errors.Join(errs...)
}

// queueConfig returns the configuration of the queue.
func (s *settings) queueConfig(logger klog.Logger, log *progress.Log) queue.Config {
	return queue.Config{
		Name: s.name, Limiter: s.limiter, Metrics: s.metricsProvider, Clock: s.clock, New: s.newQueue, Logger: logger, Progress: log,
	}
}
