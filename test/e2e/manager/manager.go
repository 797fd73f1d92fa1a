// Package manager stands in for the two controllers of a cluster's controller manager that the examples depend on: one
// that has deployments run, and the garbage collector. They do what is needed for objects of the examples, in the
// simplest way that survives a server which fails and restarts.
package manager

import (
	"context"
	"errors"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

const (
	// retryDelay is how long it takes to try again what has failed.
	retryDelay = 100 * time.Millisecond
	// batch is how long changes are collected, as all objects are looked at after each.
	batch = 20 * time.Millisecond
	// workers is how many objects are dealt with at a time.
	workers = 8
)

// Ownership is a kind whose objects own others, and the resources of these.
type Ownership struct {
	Owner      schema.GroupVersionResource
	Dependents []schema.GroupVersionResource
}

// OfWorkloads is what the workloads of the examples own.
var OfWorkloads = Ownership{
	Owner: fleetv1.SchemeGroupVersion.WithResource("workloads"),
	Dependents: []schema.GroupVersionResource{
		fleetv1.SchemeGroupVersion.WithResource("workloadrevisions"),
		appsv1.SchemeGroupVersion.WithResource("deployments"),
		corev1.SchemeGroupVersion.WithResource("configmaps"),
	},
}

// manager looks at everything whenever something has changed.
type manager struct {
	kube        kubernetes.Interface
	metadata    metadata.Interface
	ownership   Ownership
	deployments appslisters.DeploymentLister
	caches      map[schema.GroupVersionResource]cache.GenericLister
}

// Run has all replicas of deployments serve, and deletes dependents whose owner is gone, until the context ends.
func Run(ctx context.Context, config *rest.Config, ownership Ownership) error {
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	metadataClient, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(kube, 0)
	metadataFactory := metadatainformer.NewSharedInformerFactory(metadataClient, 0)
	changed := make(chan struct{}, 1)
	deployments := factory.Apps().V1().Deployments()
	m := &manager{
		kube: kube, metadata: metadataClient, ownership: ownership, deployments: deployments.Lister(),
		caches: map[schema.GroupVersionResource]cache.GenericLister{},
	}
	if _, err := deployments.Informer().AddEventHandler(notify(changed)); err != nil {
		return err
	}
	for _, resource := range append(ownership.Dependents, ownership.Owner) {
		informer := metadataFactory.ForResource(resource)
		m.caches[resource] = informer.Lister()
		if _, err := informer.Informer().AddEventHandler(notify(changed)); err != nil {
			return err
		}
	}
	factory.StartWithContext(ctx)
	metadataFactory.Start(ctx.Done())
	defer factory.Shutdown()
	defer metadataFactory.Shutdown()
	factory.WaitForCacheSync(ctx.Done())
	metadataFactory.WaitForCacheSync(ctx.Done())
	for {
		var again <-chan time.Time
		if err := errors.Join(m.serve(ctx), m.collect(ctx)); err != nil {
			klog.FromContext(ctx).V(2).Info("Will be tried again", "err", err)
			again = time.After(retryDelay)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		case <-again:
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(batch):
		}
	}
}

// notify says that something has changed, without saying what.
func notify(changed chan<- struct{}) cache.ResourceEventHandler {
	say := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { say() }, UpdateFunc: func(any, any) { say() }, DeleteFunc: func(any) { say() },
	}
}

// serve has all replicas serve that deployments ask for.
func (m *manager) serve(ctx context.Context) error {
	all, err := m.deployments.List(labels.Everything())
	if err != nil {
		return err
	}
	var work jobs
	for _, deployment := range all {
		replicas := ptr.Deref(deployment.Spec.Replicas, 1)
		status := appsv1.DeploymentStatus{
			ObservedGeneration: deployment.Generation,
			Replicas:           replicas, UpdatedReplicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas,
		}
		if deployment.Status.ObservedGeneration == deployment.Generation && equality.Semantic.DeepEqual(deployment.Status, status) {
			continue
		}
		deployment = deployment.DeepCopy()
		deployment.Status = status
		work = append(work, func() error {
			_, err := m.kube.AppsV1().Deployments(deployment.Namespace).UpdateStatus(ctx, deployment, metav1.UpdateOptions{})
			if apierrors.IsNotFound(err) || apierrors.IsConflict(err) { // there is more to come
				return nil
			}
			return err
		})
	}
	return work.do()
}

// jobs are things to do that do not depend on each other.
type jobs []func() error

// do does them all, some at a time.
func (j jobs) do() error {
	errs := make([]error, len(j))
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			for i := worker; i < len(j); i += workers {
				errs[i] = j[i]()
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// collect deletes dependents whose owner is gone.
func (m *manager) collect(ctx context.Context) error {
	owners, err := m.list(m.ownership.Owner)
	if err != nil {
		return err
	}
	alive := map[types.UID]bool{}
	for _, owner := range owners {
		alive[owner.UID] = true
	}
	var work jobs
	for _, resource := range m.ownership.Dependents {
		dependents, err := m.list(resource)
		if err != nil {
			return err
		}
		for _, dependent := range dependents {
			if ref := metav1.GetControllerOf(dependent); ref != nil && !alive[ref.UID] {
				work = append(work, func() error { return m.collectOne(ctx, resource, dependent, ref) })
			}
		}
	}
	return work.do()
}

// collectOne deletes a dependent, unless the server knows of its owner.
func (m *manager) collectOne(ctx context.Context, resource schema.GroupVersionResource, dependent *metav1.PartialObjectMetadata, ref *metav1.OwnerReference) error {
	owner, err := m.metadata.Resource(m.ownership.Owner).Namespace(dependent.Namespace).Get(ctx, ref.Name, metav1.GetOptions{})
	if err == nil && owner.UID == ref.UID {
		return nil
	}
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	err = m.metadata.Resource(resource).Namespace(dependent.Namespace).Delete(ctx, dependent.Name, metav1.DeleteOptions{
		Preconditions: metav1.NewUIDPreconditions(string(dependent.UID)),
	})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) { // it is gone, or another
		return nil
	}
	return err
}

func (m *manager) list(resource schema.GroupVersionResource) ([]*metav1.PartialObjectMetadata, error) {
	objects, err := m.caches[resource].List(labels.Everything())
	if err != nil {
		return nil, err
	}
	var all []*metav1.PartialObjectMetadata
	for _, object := range objects {
		all = append(all, object.(*metav1.PartialObjectMetadata))
	}
	return all, nil
}
