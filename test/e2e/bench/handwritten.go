package main

import (
	"context"
	"errors"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetinformers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions/fleet/v1"
	fleetlisters "github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/fleet/v1"
)

// loop is a controller handwritten with client-go: handlers enqueue the names of objects, and workers look up the objects and
// retry failures. It does not support owned objects, finalizers and panics.
type loop struct {
	informer     cache.SharedIndexInformer
	lister       fleetlisters.WorkloadLister
	registration cache.ResourceEventHandlerRegistration
	queue        workqueue.TypedRateLimitingInterface[cache.ObjectName]
	workers      int
	reconcile    func(context.Context, *fleetv1.Workload) error
}

func newLoop(
	informer fleetinformers.WorkloadInformer,
	workers int,
	reconcile func(context.Context, *fleetv1.Workload) error,
) (*loop, error) {
	l := &loop{
		informer: informer.Informer(), lister: informer.Lister(), workers: workers, reconcile: reconcile,
		queue: workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName](),
			workqueue.TypedRateLimitingQueueConfig[cache.ObjectName]{Name: "by-hand"},
		),
	}
	var err error
	l.registration, err = l.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: l.added,
		UpdateFunc: func(before, after any) {
			if before.(*fleetv1.Workload).ResourceVersion != after.(*fleetv1.Workload).ResourceVersion {
				l.added(after)
			}
		},
		DeleteFunc: func(object any) {
			if name, err := cache.DeletionHandlingObjectToName(object); err == nil {
				l.Enqueue(name)
			}
		},
	})
	return l, err
}

func (l *loop) added(object any) {
	name, err := cache.ObjectToName(object)
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	l.Enqueue(name)
}

func (l *loop) Enqueue(name cache.ObjectName) { l.queue.Add(name) }

func (l *loop) Run(ctx context.Context) error {
	defer utilruntime.HandleCrash()
	defer l.queue.ShutDown()
	if !cache.WaitForCacheSync(ctx.Done(), l.registration.HasSynced) {
		return errors.New("the cache has not synced")
	}
	var workers sync.WaitGroup
	for range l.workers {
		workers.Go(func() {
			for l.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	err := l.informer.RemoveEventHandler(l.registration)
	l.queue.ShutDown()
	workers.Wait()
	return err
}

// next takes one object from the queue.
func (l *loop) next(ctx context.Context) bool {
	name, shutdown := l.queue.Get()
	if shutdown {
		return false
	}
	defer l.queue.Done(name)
	logger := klog.LoggerWithValues(klog.FromContext(ctx), "object", name)
	if err := l.sync(klog.NewContext(ctx, logger), name); err != nil {
		utilruntime.HandleErrorWithContext(ctx, err, "Reconcile failed, will be tried again", "object", name)
		l.queue.AddRateLimited(name)
		return true
	}
	l.queue.Forget(name)
	logger.V(4).Info("Reconciled")
	return true
}

func (l *loop) sync(ctx context.Context, name cache.ObjectName) error {
	workload, err := l.lister.Workloads(name.Namespace).Get(name.Name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return l.reconcile(ctx, workload.DeepCopy())
}
