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

// settings are configured by options.
type settings struct {
	name    string
	client  any
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
	// factory and kubeFactory are shared factories, or nil if the controller creates its own.
	factory, kubeFactory informerFactory
	// notForFactory names the options that have no effect on the factory of WithFactory; notForShared those that have no
	// effect on any shared factory.
	notForFactory, notForShared []string
	elected                     <-chan struct{}

	maxRetries         int
	itemTimeout        time.Duration
	syncTimeout        time.Duration
	drainTimeout       time.Duration
	consistencyTimeout time.Duration

	specOnly bool
	known    []cache.ObjectName
	recorder events.EventRecorder
	gaveUp   func(context.Context, cache.ObjectName, error)
	metrics  Metrics
	tracer   func(context.Context, Attempt) (context.Context, func(Outcome, error))
}

// allNamespaces are the namespaces of a controller without WithNamespaces.
var allNamespaces = []string{metav1.NamespaceAll}

// The default backoff doubles from backoffBase to backoffMax. Jitter adds up to half of that, so that items that failed
// together are not retried together. Items that were dropped are retried after backoffMax.
const (
	backoffBase   = 5 * time.Millisecond
	backoffMax    = 5 * time.Minute
	backoffJitter = 0.5
)

func newSettings(name string, client any, options []Option) (*settings, error) {
	s := &settings{
		name:               name,
		client:             client,
		workers:            2,
		clock:              clock.RealClock{},
		namespaces:         allNamespaces,
		syncTimeout:        2 * time.Minute,
		drainTimeout:       30 * time.Second,
		consistencyTimeout: time.Minute,
		metrics:            NoMetrics{},
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
	var unused []string
	if s.factory != nil {
		unused = append(unused, s.notForFactory...)
	}
	if s.factory != nil || s.kubeFactory != nil {
		unused = append(unused, s.notForShared...)
	}
	for _, option := range unused {
		errs = append(errs, fmt.Errorf("%s has no effect on a shared factory: configure the factory instead", option))
	}
	return errors.Join(errs...)
}

// namespacesOf returns the namespaces in which a kind is watched; "" stands for all.
func (s *settings) namespacesOf(namespaced bool) []string {
	if !namespaced {
		return allNamespaces
	}
	return s.namespaces
}

// covers reports whether a namespace is watched.
func covers(watched []string, namespace string) bool {
	return slices.Contains(watched, namespace) || slices.Contains(watched, metav1.NamespaceAll)
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
	return jitter(j.TypedRateLimiter.When(name))
}

func jitter(d time.Duration) time.Duration { return wait.Jitter(d, backoffJitter) }
