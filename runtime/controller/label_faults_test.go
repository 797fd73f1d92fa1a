package controller

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

// childOf returns a ConfigMap without a label that a workload owns.
func childOf(owner *fleetv1.Workload, name string) *corev1.ConfigMap {
	child := informertest.ConfigMap(owner.Namespace, name)
	child.UID = types.UID("uid-of-" + name)
	child.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, workloadKind)}
	return child
}

// stripping is a client of a server that drops labels on admission.
type stripping struct {
	*informertest.Client
	patches *atomic.Int64
}

func (c stripping) Patch(
	ctx context.Context, name string, _ types.PatchType, _ []byte, _ metav1.PatchOptions, _ ...string,
) (*corev1.ConfigMap, error) {
	c.patches.Add(1)
	return c.Get(ctx, name, metav1.GetOptions{})
}

// TestDroppedLabelBacksOff retries with a backoff.
func TestDroppedLabelBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer(childOf(held("web"), "old"))
		var patches atomic.Int64
		r := newRig(t, &steps{}, nil, held("web"))
		_, err := Own(r.controller.Controller, informer.Namespaced(server, informertest.Resource, func(ns string) stripping {
			return stripping{server.ConfigMaps(ns), &patches}
		}))
		require.NoError(t, err)
		r.run(t)
		idle(time.Second)
		assert.Positive(t, patches.Load())
		assert.Less(t, patches.Load(), int64(100), "patches within a second")
	})
}

// TestOverwrittenLabelBacksOff has a reconciler that takes the label away in each reconcile.
func TestOverwrittenLabelBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer()
		f := newFamily(t, server, true, 1, held("web"))
		f.steps.reconcile = func(ctx context.Context, owner *fleetv1.Workload) (Result, error) {
			if f.created == 0 {
				return Result{}, f.reconcile(ctx, owner, true)
			}
			child, err := server.ConfigMaps("shop").Patch(ctx, f.all(t)[0].Name, types.MergePatchType,
				[]byte(`{"metadata": {"labels": {"fleet.example.com/owner-kind": "Other"}}}`), metav1.PatchOptions{})
			Wrote(ctx, child)
			return Result{}, err
		}
		f.run(t)
		idle(time.Hour)
		reconciles := len(f.take())
		assert.Greater(t, reconciles, 2*3, "it is labeled again and again")
		assert.Less(t, reconciles, 60, "in an hour")
	})
}

// TestLabelsAreRestoredInReturningNamespace loses the label of a child while nobody watches its namespace.
func TestLabelsAreRestoredInReturningNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer()
		kube := kubefake.NewSimpleClientset(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}})
		f := &family{server: server, want: 1}
		f.rig = newRig(t, &steps{reconcile: func(ctx context.Context, owner *fleetv1.Workload) (Result, error) {
			return Result{}, f.reconcile(ctx, owner, true)
		}}, []Option{WithInformers(allNamespaces(kube))}, held("web"))
		var err error
		f.children, err = Own(f.controller.Controller, informer.Namespaced(server, informertest.Resource, server.ConfigMaps))
		require.NoError(t, err)
		f.run(t)
		idle(time.Minute)
		require.Equal(t, 1, f.created)
		require.NoError(t, kube.CoreV1().Namespaces().Delete(t.Context(), "shop", metav1.DeleteOptions{}))
		idle(time.Minute)
		// Another controller, of an earlier version, has the namespace for a while.
		require.NoError(t, server.Relabel("shop", f.all(t)[0].Name, "plain"))
		_, err = kube.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}, metav1.CreateOptions{})
		require.NoError(t, err)
		idle(time.Minute)
		assert.Equal(t, 1, f.created, "doubled")
		assert.Empty(t, f.unlabeled(t))
	})
}

// TestChildOfLateOwnerIsLabeled has a child without a label whose owner is not in the cache at first.
func TestChildOfLateOwnerIsLabeled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := held("late")
		server := informertest.NewServer(childOf(late, "old"))
		f := newFamily(t, server, true, 1, held("web")).run(t)
		idle(time.Minute)
		require.Equal(t, 1, f.created, "the child of web")
		f.create(t, late)
		idle(time.Minute)
		assert.Equal(t, 1, f.created, "doubled")
		assert.Empty(t, f.unlabeled(t))
	})
}

// addRevision adds a revision that the workload web owns.
func addRevision(t *testing.T, r *rig) {
	t.Helper()
	require.NoError(t, r.client.Tracker().Add(&fleetv1.WorkloadRevision{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: "web-x7f3", UID: "r", Labels: r.controller.OwnerLabels(),
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(held("web"), workloadKind)},
	}}))
}

// TestFailedDiscoveryIsNotAnUnservedKind must not take an error for the answer that a kind is not served.
func TestFailedDiscoveryIsNotAnUnservedKind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &steps{}
		r := newRig(t, s, []Option{quietly, WithOwned[*fleetv1.WorkloadRevision](informer.WhenServed())}, held("web"))
		served := unserved(r)
		served.Store(true)
		var asked atomic.Int64
		r.client.PrependReactor("get", "resource", func(clienttesting.Action) (bool, runtime.Object, error) {
			return asked.Add(1) == 1, nil, apierrors.NewServiceUnavailable("starting")
		})
		addRevision(t, r)
		var found []int
		s.reconcile = func(_ context.Context, object *fleetv1.Workload) (Result, error) {
			children, err := r.controller.revisions.By(object)
			found = append(found, len(children))
			return Result{}, err
		}
		r.run(t)
		idle(time.Minute)
		require.NotEmpty(t, found)
		assert.Equal(t, 1, found[0], "children that the first reconcile sees: %v", found)
		require.NoError(t, r.end())
	})
}

// TestOwnedKindIsNoLongerServed reconciles when the kind of children is no longer served.
func TestOwnedKindIsNoLongerServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &steps{}
		r := newRig(t, s, []Option{quietly, WithOwned[*fleetv1.WorkloadRevision](informer.WhenServed())}, held("web"))
		served := unserved(r)
		served.Store(true)
		watcher := watch.NewFake()
		unknown := apierrors.NewGenericServerResponse(404, "get", fleetv1.Resource("workloadrevisions"), "x", "404 page not found", 0, true)
		for _, verb := range []string{"list", "get"} {
			r.client.PrependReactor(verb, "workloadrevisions", func(clienttesting.Action) (bool, runtime.Object, error) {
				return !served.Load(), nil, unknown
			})
		}
		r.client.PrependWatchReactor("workloadrevisions", func(clienttesting.Action) (bool, watch.Interface, error) {
			if served.Load() {
				return true, watcher, nil
			}
			return true, nil, unknown
		})
		addRevision(t, r)
		r.run(t)
		idle(time.Minute)
		require.NotEmpty(t, r.take())
		served.Store(false)
		watcher.Stop()
		idle(time.Minute)
		require.Equal(t, []string{"workloadrevisions.fleet.example.com"}, r.controller.Unserved())
		idle(time.Hour)
		assert.NotEmpty(t, r.take(), "the controller reconciles all the same")
		require.NoError(t, r.end())
	})
}

// TestUnlabeledChildBlocksOnlyItsOwner must not keep other objects from being reconciled.
func TestUnlabeledChildBlocksOnlyItsOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer(childOf(held("web"), "web-immutable"))
		refuses := &atomic.Bool{}
		refuses.Store(true)
		r := newRig(t, &steps{}, nil, held("web"), held("db"))
		_, err := Own(r.controller.Controller, informer.Namespaced(server, informertest.Resource, func(ns string) invalidating {
			return invalidating{server.ConfigMaps(ns), refuses}
		}))
		require.NoError(t, err)
		r.run(t)
		idle(time.Hour)
		assert.Contains(t, r.take(), "reconcile db")
	})
}

// TestLabelLostDuringReconcile takes a label away while the owner is being reconciled.
func TestLabelLostDuringReconcile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer()
		f := newFamily(t, server, true, 1, held("web"))
		slow := false
		f.steps.reconcile = func(ctx context.Context, owner *fleetv1.Workload) (Result, error) {
			if slow {
				time.Sleep(10 * time.Second) // it asks another system, before it looks at the children
			}
			return Result{}, f.reconcile(ctx, owner, true)
		}
		f.run(t)
		idle(time.Second)
		slow = true
		f.controller.Enqueue(cache.NewObjectName("shop", "web"))
		idle(time.Second)
		require.NoError(t, server.Relabel("shop", f.all(t)[0].Name, "plain"))
		idle(time.Hour)
		assert.Equal(t, 1, f.created, "doubled")
		assert.Zero(t, f.deleted)
	})
}

// allNamespaces makes informers follow the namespaces that exist.
func allNamespaces(kube *kubefake.Clientset) informer.Option {
	source := informer.Cluster(kube, corev1.SchemeGroupVersion.WithResource("namespaces"), kube.CoreV1().Namespaces())
	return informer.WithNamespaceSelector(source, labels.Everything())
}

func north() *fleetv1.Region {
	return &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north", UID: "uid-of-north"}}
}

// childOfNorth returns a ConfigMap that the region north owns.
func childOfNorth(namespace, name string) *corev1.ConfigMap {
	child := informertest.ConfigMap(namespace, name)
	child.UID = types.UID("uid-of-" + name)
	child.Labels = map[string]string{"fleet.example.com/owner-kind": "Region"}
	child.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(north(), fleetv1.SchemeGroupVersion.WithKind("Region"))}
	return child
}

// regionSteps is a reconciler of regions.
type regionSteps struct {
	reconcile func(context.Context, *fleetv1.Region) error
}

func (s *regionSteps) Reconcile(ctx context.Context, region *fleetv1.Region) (Result, error) {
	return Result{}, s.reconcile(ctx, region)
}

func (s *regionSteps) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// TestClusterScopedOwnerWaitsForNewNamespace has an owner with a child in each namespace, one of which cannot be listed at first.
func TestClusterScopedOwnerWaitsForNewNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer(childOfNorth("blog", "child-x"))
		client := fake.NewSimpleClientset(north())
		kube := kubefake.NewSimpleClientset(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}})
		s := &regionSteps{}
		c, err := New(regionSource(client), s, WithInformers(allNamespaces(kube),
			informer.WithWatchErrorHandler(func(context.Context, *cache.Reflector, error) {})))
		require.NoError(t, err)
		owned, err := Own(c, informer.Namespaced(server, informertest.Resource, server.ConfigMaps))
		require.NoError(t, err)
		s.reconcile = func(ctx context.Context, o *fleetv1.Region) error {
			all, err := owned.By(o)
			for _, ns := range owned.Informer().Namespaces() {
				if !slices.ContainsFunc(all, func(c *corev1.ConfigMap) bool { return c.Namespace == ns }) {
					Wrote(ctx, server.Create(childOfNorth(ns, "child-"+server.Version())))
				}
			}
			return err
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Run(ctx) }()
		idle(time.Minute)
		server.Refuse("blog", errors.New("the role binding is not there yet"))
		_, err = kube.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "blog"}}, metav1.CreateOptions{})
		require.NoError(t, err)
		idle(20 * time.Second)
		server.Refuse("blog", nil)
		c.Enqueue(cache.ObjectName{Name: "north"})
		idle(time.Hour)
		list, err := server.ConfigMaps("").List(ctx, metav1.ListOptions{})
		require.NoError(t, err)
		var names []string
		for _, c := range list.Items {
			names = append(names, c.Namespace+"/"+c.Name)
		}
		assert.Len(t, names, 2, "%v", names)
		cancel()
		require.NoError(t, <-done)
	})
}

// bound is a client whose role binding in the namespace blog may be gone.
type bound struct {
	*informertest.Client
	ns      string
	unbound *atomic.Bool
}

func (c bound) Get(ctx context.Context, name string, o metav1.GetOptions) (*corev1.ConfigMap, error) {
	if c.ns == "blog" && c.unbound.Load() {
		return nil, apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, name, errors.New("no role"))
	}
	return c.Client.Get(ctx, name, o)
}

// TestClusterScopedOwnerWithoutRemovedNamespace reconciles the owner without it.
func TestClusterScopedOwnerWithoutRemovedNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer(childOfNorth("blog", "child-x"), childOfNorth("shop", "child-y"))
		var unbound atomic.Bool
		client := fake.NewSimpleClientset(north())
		kube := kubefake.NewSimpleClientset(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "blog"}})
		var reconciles atomic.Int64
		s := &regionSteps{reconcile: func(context.Context, *fleetv1.Region) error { reconciles.Add(1); return nil }}
		c, err := New(regionSource(client), s, WithInformers(allNamespaces(kube)))
		require.NoError(t, err)
		_, err = Own(c, informer.Namespaced(server, informertest.Resource, func(ns string) bound { return bound{server.ConfigMaps(ns), ns, &unbound} }))
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Run(ctx) }()
		idle(time.Minute)
		unbound.Store(true)
		require.NoError(t, kube.CoreV1().Namespaces().Delete(ctx, "blog", metav1.DeleteOptions{}))
		idle(time.Minute)
		reconciles.Store(0)
		c.Enqueue(cache.ObjectName{Name: "north"})
		idle(time.Hour)
		assert.NotZero(t, reconciles.Load(), "north is reconciled without blog")
		cancel()
		require.NoError(t, <-done)
	})
}

// TestForbiddenOwnedKindIsAwaited says what is awaited.
func TestForbiddenOwnedKindIsAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &steps{}
		r := newRig(t, s, []Option{quietly, WithOwned[*fleetv1.WorkloadRevision](informer.WhenServed())}, held("web"))
		served := unserved(r)
		r.client.PrependReactor("list", "workloadrevisions", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, apierrors.NewForbidden(fleetv1.Resource("workloadrevisions"), "", errors.New("no role"))
		})
		r.run(t)
		idle(time.Minute)
		require.NotEmpty(t, r.take())
		served.Store(true)
		idle(time.Minute)
		r.take()
		r.controller.Enqueue(cache.NewObjectName("shop", "web"))
		idle(time.Hour)
		assert.Empty(t, r.take(), "nobody knows what exists")
		assert.Equal(t, []string{"workloadrevisions.fleet.example.com"}, r.controller.Unserved())
		require.NoError(t, r.end())
	})
}

// TestReferTwice refers to one kind twice, with an option that cannot be compared.
func TestReferTwice(t *testing.T) {
	r := newRig(t, &steps{}, []Option{WithReferred[*fleetv1.Region](informer.WithTransform(func(o any) (any, error) { return o, nil }))})
	names := func(*fleetv1.Workload) []cache.ObjectName { return nil }
	_, err := Refer(r.controller.Controller, regionSource(r.client), Cached, names)
	require.NoError(t, err)
	_, err = Refer(r.controller.Controller, regionSource(r.client), Cached, names)
	require.NoError(t, err)
}
