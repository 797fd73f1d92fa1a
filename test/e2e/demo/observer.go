package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	eventsv1 "k8s.io/api/events/v1"
	kubeinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	fleetlisters "github.com/informer-gen-lite/informer-gen-lite/examples/generated/listers/fleet/v1"
)

// observer watches the server and reports every event to the timeline.
type observer struct {
	workloads   fleetlisters.WorkloadLister
	deployments appslisters.DeploymentLister
	changed     chan struct{}
}

// observe starts watching until ctx is done.
func observe(ctx context.Context, t *timeline, client versioned.Interface, kube kubernetes.Interface) (*observer, error) {
	factory := informers.NewSharedInformerFactory(client, 0)
	kubeFactory := kubeinformers.NewSharedInformerFactory(kube, 0)
	fleet, apps, core := factory.Fleet().V1(), kubeFactory.Apps().V1(), kubeFactory.Core().V1()
	o := &observer{workloads: fleet.Workloads().Lister(), deployments: apps.Deployments().Lister(), changed: make(chan struct{}, 1)}
	for kind, informer := range map[string]cache.SharedIndexInformer{
		"workload": fleet.Workloads().Informer(), "revision": fleet.WorkloadRevisions().Informer(),
		"deployment": apps.Deployments().Informer(), "config map": core.ConfigMaps().Informer(),
		"event": kubeFactory.Events().V1().Events().Informer(),
	} {
		if _, err := informer.AddEventHandler(o.handler(t, kind)); err != nil {
			return nil, err
		}
	}
	factory.StartWithContext(ctx)
	kubeFactory.StartWithContext(ctx)
	factory.WaitForCacheSync(ctx.Done())
	kubeFactory.WaitForCacheSync(ctx.Done())
	return o, ctx.Err()
}

func (o *observer) handler(t *timeline, kind string) cache.ResourceEventHandler {
	tell := func(what string, object any) {
		if deleted, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = deleted.Obj
		}
		if event, ok := object.(*eventsv1.Event); ok {
			t.say("server", "event for users: %s %s: %s", event.Type, event.Reason, event.Note)
		} else if name, err := cache.ObjectToName(object); err == nil {
			t.say("server", "watch: %s %s %s%s", kind, name, what, summary(object))
		}
		select {
		case o.changed <- struct{}{}:
		default:
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell("ADDED", object) },
		UpdateFunc: func(_, object any) { tell("MODIFIED", object) },
		DeleteFunc: func(object any) { tell("DELETED", object) },
	}
}

// summary describes the state of an object.
func summary(object any) string {
	switch o := object.(type) {
	case *fleetv1.Workload:
		if o.DeletionTimestamp != nil && len(o.Finalizers) > 0 {
			return ", to be deleted once finalized"
		}
		var conditions []string
		for _, c := range o.Status.Conditions {
			conditions = append(conditions, fmt.Sprintf("%s=%s", c.Type, c.Status))
		}
		if len(conditions) > 0 {
			return fmt.Sprintf(
				", status: revision %d, %d replicas ready, %s",
				o.Status.CurrentRevision,
				o.Status.ReadyReplicas,
				strings.Join(conditions, " "),
			)
		}
		if len(o.Finalizers) > 0 {
			return ", with finalizer"
		}
	case *appsv1.Deployment:
		return fmt.Sprintf(", %d of %d replicas ready", o.Status.ReadyReplicas, *o.Spec.Replicas)
	}
	return ""
}

// workload returns the last observed state of a workload, or nil.
func (o *observer) workload(namespace, name string) *fleetv1.Workload {
	workload, err := o.workloads.Workloads(namespace).Get(name)
	if err != nil {
		return nil
	}
	return workload
}

func (o *observer) deployment(namespace, name string) *appsv1.Deployment {
	deployment, err := o.deployments.Deployments(namespace).Get(name)
	if err != nil {
		return nil
	}
	return deployment
}

// until waits until the observed state is as expected.
func (o *observer) until(ctx context.Context, what string, holds func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for !holds() {
		select {
		case <-o.changed:
		case <-time.After(time.Second): // for changes that others saw earlier
		case <-ctx.Done():
			return fmt.Errorf("waited in vain until %s: %w", what, ctx.Err())
		}
	}
	return nil
}
