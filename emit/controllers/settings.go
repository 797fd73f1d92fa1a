package controllers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
)

// settings hold what options configure.
type settings struct {
	name    string
	workers int

	limiter         workqueue.TypedRateLimiter[cache.ObjectName]
	newQueue        func(workqueue.TypedRateLimiter[cache.ObjectName], workqueue.TypedQueueConfig[cache.ObjectName]) workqueue.TypedRateLimitingInterface[cache.ObjectName]
	metricsProvider workqueue.MetricsProvider
	clock           clock.WithTicker

	namespaces   []string
	labels       labels.Selector
	fields       fields.Selector
	resync       time.Duration
	transform    cache.TransformFunc
	keepManagers []string
	keepManaged  bool
	informerName *cache.InformerName //emit:if InformerNames
	// factory and kubeFactory are shared factories; nil if the controller makes its own.
	factory, kubeFactory informerFactory
	// forOwnFactory names the options that have no effect on a shared factory.
	forOwnFactory []string
	elected       <-chan struct{}

	maxRetries   int
	itemTimeout  time.Duration
	syncTimeout  time.Duration
	drainTimeout time.Duration

	specOnly bool
	known    []cache.ObjectName
	recorder events.EventRecorder
	gaveUp   func(context.Context, cache.ObjectName, error)
	metrics  Metrics
}

// The default backoff doubles from backoffBase to backoffMax. Jitter adds up to half of that, so that items that failed
// together are not retried together.
const (
	backoffBase   = 5 * time.Millisecond
	backoffMax    = 5 * time.Minute
	backoffJitter = 0.5
)

func newSettings(name string, options []Option) (*settings, error) {
	s := &settings{
		name:         name,
		workers:      2,
		clock:        clock.RealClock{},
		namespaces:   []string{""},
		maxRetries:   5,
		syncTimeout:  2 * time.Minute,
		drainTimeout: 30 * time.Second,
		metrics:      noMetrics{},
	}
	always := make(chan struct{})
	close(always)
	s.elected = always
	for _, option := range options {
		option(s)
	}
	if s.limiter == nil {
		s.limiter = jittered{workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](backoffBase, backoffMax)}
	}
	return s, s.check()
}

// check returns an error for invalid settings and for those that exclude each other.
func (s *settings) check() error {
	var errs []error
	if s.workers < 1 {
		errs = append(errs, fmt.Errorf("%d workers are not enough", s.workers))
	}
	if s.maxRetries < 0 {
		errs = append(errs, fmt.Errorf("%d retries: 0 means forever", s.maxRetries))
	}
	for _, d := range []time.Duration{s.resync, s.itemTimeout, s.syncTimeout, s.drainTimeout} {
		if d < 0 {
			errs = append(errs, fmt.Errorf("negative duration %v", d))
		}
	}
	if s.factory != nil || s.kubeFactory != nil {
		for _, option := range s.forOwnFactory {
			errs = append(errs, fmt.Errorf("%s has no effect on a shared factory: give it to the factory", option))
		}
	}
	return errors.Join(errs...)
}

// selectObjects sets the selectors of a list or watch.
func (s *settings) selectObjects(options *metav1.ListOptions) {
	if s.labels != nil {
		options.LabelSelector = s.labels.String()
	}
	if s.fields != nil {
		options.FieldSelector = s.fields.String()
	}
}

// trim modifies an object before it is cached. It implements cache.TransformFunc.
func (s *settings) trim(stored any) (any, error) {
	if object, ok := stored.(metav1.Object); ok && len(object.GetManagedFields()) > 0 {
		switch {
		case !s.keepManaged:
			object.SetManagedFields(nil)
		case len(s.keepManagers) > 0:
			object.SetManagedFields(slices.DeleteFunc(slices.Clone(object.GetManagedFields()), func(entry metav1.ManagedFieldsEntry) bool {
				return !slices.Contains(s.keepManagers, entry.Manager)
			}))
		}
	}
	if s.transform != nil {
		return s.transform(stored)
	}
	return stored, nil
}

// jittered adds jitter to the delays of a rate limiter.
type jittered struct {
	workqueue.TypedRateLimiter[cache.ObjectName]
}

// When implements workqueue.TypedRateLimiter.
func (j jittered) When(name cache.ObjectName) time.Duration {
	return wait.Jitter(j.TypedRateLimiter.When(name), backoffJitter)
}
