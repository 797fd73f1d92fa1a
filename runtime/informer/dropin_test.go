package informer_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/informers/externalversions/fleet"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/informers/externalversions/internalinterfaces"
)

// dropIn is what generated code makes of a Factory: a SharedInformerFactory, which code that was written for client-go's factories
// can use.
type dropIn struct {
	*informer.Factory

	client versioned.Interface
}

var _ externalversions.SharedInformerFactory = dropIn{}

func (f dropIn) InformerFor(object runtime.Object, newInformer internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	return f.Factory.InformerFor(object, func(resync time.Duration) cache.SharedIndexInformer { return newInformer(f.client, resync) })
}

// groups is the factory that the groups of a dropIn have.
type groups struct{ dropIn }

func (f groups) InformerFor(object runtime.Object, newInformer internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	return f.dropIn.InformerFor(object, func(client versioned.Interface, resync time.Duration) cache.SharedIndexInformer {
		switch object.(type) {
		case *fleetv1.Workload:
			return informer.For(f.Factory, workloadSource(client)).Shared()
		case *fleetv1.Region:
			return informer.For(f.Factory, regionSource(client)).Shared()
		}
		return newInformer(client, resync)
	})
}

func (f dropIn) ForResource(resource schema.GroupVersionResource) (externalversions.GenericInformer, error) {
	return nil, fmt.Errorf("no informer for %s", resource)
}

func (f dropIn) Fleet() fleet.Interface { return fleet.New(groups{f}, metav1.NamespaceAll, nil) }

func TestDropIn(t *testing.T) {
	client := fake.NewClientset(workload("a", "x", nil), workload("b", "x", nil), region("north"))
	ctx, library := newFactory(t, informer.WithNamespaces("a"))
	var factory externalversions.SharedInformerFactory = dropIn{library, client}
	workloads, regions := factory.Fleet().V1().Workloads(), factory.Fleet().V1().Regions()
	lister := workloads.Lister()
	regions.Informer()
	foreign := factory.InformerFor(&fleetv1beta1.Workload{}, func(client versioned.Interface, resync time.Duration) cache.SharedIndexInformer {
		return externalversions.NewSharedInformerFactory(client, resync).Fleet().V1beta1().Workloads().Informer()
	})
	factory.Start(ctx.Done())
	result := factory.WaitForCacheSyncWithContext(ctx)
	require.NoError(t, result.AsError())
	assert.Len(t, result.Synced, 3)
	found, err := lister.List(labels.Everything())
	require.NoError(t, err)
	assert.Len(t, found, 1)
	assertOne(t, informer.For(library, workloadSource(client)).Shared(), workloads.Informer())
	assert.True(t, foreign.HasSynced())
	factory.Shutdown()
}

// assertOne compares informers by their cache: later releases of generated code wrap them.
func assertOne(t *testing.T, want, got cache.SharedIndexInformer) {
	t.Helper()
	assert.Same(t, want.GetIndexer(), got.GetIndexer())
}

// TestInformerForFirst: the first call decides which informer a type has, as in client-go's factories.
func TestInformerForFirst(t *testing.T) {
	client := fake.NewClientset()
	_, library := newFactory(t)
	factory := dropIn{library, client}
	newInformer := func(client versioned.Interface, resync time.Duration) cache.SharedIndexInformer {
		return externalversions.NewSharedInformerFactory(client, resync).Fleet().V1().Workloads().Informer()
	}
	own := factory.InformerFor(&fleetv1.Workload{}, newInformer)
	assertOne(t, own, factory.Fleet().V1().Workloads().Informer())
	assert.NotSame(t, own.GetIndexer(), informer.For(library, workloadSource(client)).Shared().GetIndexer())

	regions := factory.Fleet().V1().Regions().Informer()
	assertOne(t, regions, factory.InformerFor(&fleetv1.Region{}, newInformer))
	assertOne(t, regions, informer.For(library, regionSource(client)).Shared())
}

// TestInformerForTwice: another call that comes first, while an informer is being created, decides.
func TestInformerForTwice(t *testing.T) {
	client := fake.NewClientset()
	_, library := newFactory(t)
	var inner cache.SharedIndexInformer
	outer := library.InformerFor(&fleetv1.Workload{}, func(resync time.Duration) cache.SharedIndexInformer {
		inner = library.InformerFor(&fleetv1.Workload{}, func(resync time.Duration) cache.SharedIndexInformer {
			return externalversions.NewSharedInformerFactory(client, resync).Fleet().V1().Workloads().Informer()
		})
		return externalversions.NewSharedInformerFactory(client, resync).Fleet().V1().Workloads().Informer()
	})
	assert.Same(t, inner, outer)
}

// TestInformerForPanics: a panic of the caller's function reaches the caller, and the factory can be used afterwards.
func TestInformerForPanics(t *testing.T) {
	_, library := newFactory(t)
	assert.PanicsWithValue(t, "no informer", func() {
		library.InformerFor(&fleetv1.Workload{}, func(time.Duration) cache.SharedIndexInformer {
			panic("no informer") //nolint:forbidigo // as a function of a caller may
		})
	})
	assert.NoError(t, library.Err())
}
