// Package controller keeps the status of guestbooks up to date.
package controller

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	webappv1ac "example.com/guestbook/pkg/generated/applyconfiguration/api/v1"
	"example.com/guestbook/pkg/generated/clientset/versioned"
	"example.com/guestbook/pkg/generated/informers/externalversions"
	webappv1 "example.com/guestbook/pkg/generated/listers/api/v1"
)

const (
	manager         = "guestbook-controller"
	resync          = 10 * time.Minute
	defaultCapacity = 100
)

// Guestbooks is a controller. Create it with New.
type Guestbooks struct {
	client  versioned.Interface
	factory externalversions.SharedInformerFactory
	lister  webappv1.GuestbookLister
	queue   workqueue.TypedRateLimitingInterface[cache.ObjectName]
}

// New returns a controller for the guestbooks of all namespaces.
func New(client versioned.Interface) *Guestbooks {
	factory := externalversions.NewSharedInformerFactory(client, resync)
	return &Guestbooks{
		client: client, factory: factory,
		lister: factory.Webapp().V1().Guestbooks().Lister(),
		queue:  workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]()),
	}
}

// Run reconciles until ctx is done.
func (g *Guestbooks) Run(ctx context.Context) error {
	informer := g.factory.Webapp().V1().Guestbooks().Informer()
	add := func(object any) {
		if name, err := cache.ObjectToName(object); err == nil {
			g.queue.Add(name)
		}
	}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: add, UpdateFunc: func(_, object any) { add(object) },
	}); err != nil {
		return err
	}
	g.factory.StartWithContext(ctx)
	defer g.factory.Shutdown()
	if err := g.factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, g.queue.ShutDown)()
	for {
		name, stopped := g.queue.Get()
		if stopped {
			return ctx.Err()
		}
		if err := g.Reconcile(ctx, name); err != nil {
			g.queue.AddRateLimited(name)
		} else {
			g.queue.Forget(name)
		}
		g.queue.Done(name)
	}
}

// Reconcile updates the number of free entries in the status of one guestbook.
func (g *Guestbooks) Reconcile(ctx context.Context, name cache.ObjectName) error {
	book, err := g.lister.Guestbooks(name.Namespace).Get(name.Name)
	if apierrors.IsNotFound(err) {
		return nil
	} else if err != nil {
		return err
	}
	capacity := int32(defaultCapacity)
	if book.Spec.Capacity != nil {
		capacity = *book.Spec.Capacity
	}
	status := webappv1ac.GuestbookStatus().WithFree(max(0, capacity-int32(len(book.Spec.Entries))))
	applied := webappv1ac.Guestbook(name.Name, name.Namespace).WithStatus(status)
	_, err = g.client.WebappV1().Guestbooks(name.Namespace).ApplyStatus(ctx, applied,
		metav1.ApplyOptions{FieldManager: manager, Force: true})
	return err
}
