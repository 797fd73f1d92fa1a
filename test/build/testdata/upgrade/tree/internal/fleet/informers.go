// Package fleet reads robots and parts with everything that the output of 35762c6 offered for that.
package fleet

import (
	"context"
	"fmt"
	"time"

	fleetv1 "example.com/fleet/api/v1"
	clientset "example.com/fleet/pkg/generated/clientset/versioned"
	informers "example.com/fleet/pkg/generated/informers/externalversions"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
)

// options returns options for a factory.
func options() []informers.SharedInformerOption {
	return []informers.SharedInformerOption{
		informers.WithNamespaces("shop", "bank"),
		informers.WithResync(time.Hour),
		informers.WithManagedFields(),
		informers.WithWatchErrorHandler(cache.DefaultWatchErrorHandler),
		informers.For[*fleetv1.Robot](
			informers.WithLabels(labels.Everything()),
			informers.WithFields(fields.Everything()),
			informers.WithIndexers(cache.Indexers{"none": func(any) ([]string, error) { return nil, nil }}),
		),
	}
}

// reporter is implemented by *testing.T.
type reporter interface {
	Errorf(format string, args ...any)
}

// newFactories returns a factory for each option that has another name in New.
func newFactories(client clientset.Interface, metadataClient metadata.Interface, to reporter) ([]*informers.Factory, error) {
	transform := func(object any) (any, error) { return object, nil }
	tweak := func(*metav1.ListOptions) {}
	name, err := cache.NewInformerName("fleet")
	if err != nil {
		return nil, err
	}
	factory, err := informers.New(client, options()...)
	if err != nil {
		return nil, err
	}
	factories := []*informers.Factory{factory}
	add := func(factory *informers.Factory, err error) error {
		factories = append(factories, factory)
		return err
	}
	if err := add(informers.New(client, informers.WithNamespace("shop"))); err != nil {
		return nil, err
	}
	if err := add(informers.New(client, informers.WithTransform(transform))); err != nil {
		return nil, err
	}
	if err := add(informers.New(client, informers.WithTweakListOptions(tweak))); err != nil {
		return nil, err
	}
	if err := add(informers.New(client, informers.WithInformerName(name))); err != nil {
		return nil, err
	}
	if err := add(informers.New(client, informers.WithMutationDetector(to))); err != nil {
		return nil, err
	}
	if err := add(informers.New(client, informers.WithMetadataClient(metadataClient))); err != nil {
		return nil, err
	}
	err = add(informers.New(client, informers.WithCustomResyncConfig(map[metav1.Object]time.Duration{&fleetv1.Robot{}: time.Minute})))
	return factories, err
}

// newShared returns a factory with the constructor that cannot return an error.
func newShared(client clientset.Interface) (_ informers.SharedInformerFactory, err error) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, time.Hour, informers.WithNamespaces("shop"))
	return factory, err
}

// deployments returns a lister for deployments, which another generator's client reads.
func deployments(factory *informers.Factory, kube kubernetes.Interface) appslisters.DeploymentLister {
	resource := appsv1.SchemeGroupVersion.WithResource("deployments")
	informer := informers.InformerOf[*appsv1.Deployment](factory, resource, true, kube, kube.AppsV1().Deployments)
	return appslisters.NewDeploymentLister(informer.GetIndexer())
}

// metadataOf returns the informer for the metadata of robots, and reads from it.
func metadataOf(factory *informers.Factory, metadataClient metadata.Interface) (informers.MetadataInformer, error) {
	var err error
	meta, err := factory.Metadata(&fleetv1.Robot{})
	if err != nil {
		return nil, err
	}
	if meta.Informer().HasSynced() {
		_, err = meta.Lister().Namespace("shop").Get("arm")
	}
	return meta, err
}

// acquire runs the informer for robots until release is called.
func acquire(ctx context.Context, factory *informers.Factory, client clientset.Interface) (release func(), err error) {
	return factory.Acquire(ctx, &fleetv1.Robot{})
}

// stop stops the informer for robots.
func stop(ctx context.Context, factory *informers.Factory, client clientset.Interface) error {
	return factory.Stop(&fleetv1.Robot{})
}

// startWhenServed starts the informer for robots when there is a definition.
func startWhenServed(ctx context.Context, factory *informers.Factory, client clientset.Interface) error {
	return factory.StartWhenServed(ctx, &fleetv1.Robot{})
}

// state describes the informers.
func state(factory *informers.Factory) string {
	var all informers.Description = factory.Describe()
	var failures []*informers.ListError = factory.Errors()
	return fmt.Sprint(all, len(failures))
}
