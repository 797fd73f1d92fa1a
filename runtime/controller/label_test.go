package controller

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// family is a controller whose workloads own ConfigMaps with names that nobody can guess, a fixed number each.
type family struct {
	*rig
	server   *informertest.Server
	children *Owned[*corev1.ConfigMap]
	want     int

	lock             sync.Mutex
	created, deleted int
}

// newFamily returns a family for the workloads of a server. Children have labels, or lack them as in earlier versions.
func newFamily(t *testing.T, server *informertest.Server, labeled bool, want int, owners ...*fleetv1.Workload) *family {
	t.Helper()
	f := &family{server: server, want: want}
	f.rig = newRig(t, &steps{reconcile: func(ctx context.Context, owner *fleetv1.Workload) (Result, error) {
		return Result{}, f.reconcile(ctx, owner, labeled)
	}}, nil, owners...)
	own := OwnAll[*corev1.ConfigMap, *fleetv1.Workload]
	if labeled {
		own = Own[*corev1.ConfigMap, *fleetv1.Workload]
	}
	var err error
	f.children, err = own(f.controller.Controller, informer.Namespaced(server, informertest.Resource, server.ConfigMaps))
	require.NoError(t, err)
	return f
}

func (f *family) reconcile(ctx context.Context, owner *fleetv1.Workload, labeled bool) error {
	children, err := f.children.By(owner)
	if err != nil {
		return err
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	for range f.want - len(children) {
		child := informertest.ConfigMap(owner.Namespace, "child-"+f.server.Version())
		child.UID = types.UID("uid-of-" + child.Name)
		child.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, workloadKind)}
		if labeled {
			child.Labels = f.controller.OwnerLabels()
		}
		Wrote(ctx, f.server.Create(child))
		f.created++
	}
	for _, child := range children[min(f.want, len(children)):] {
		Deleted(ctx, f.server.Delete(child.Namespace, child.Name))
		f.deleted++
	}
	return nil
}

// all returns the children that the server has.
func (f *family) all(t *testing.T) []corev1.ConfigMap {
	t.Helper()
	list, err := f.server.ConfigMaps("").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	return list.Items
}

func (f *family) unlabeled(t *testing.T) (names []string) {
	t.Helper()
	for _, child := range f.all(t) {
		if child.Labels["fleet.example.com/owner-kind"] != "Workload" {
			names = append(names, child.Name)
		}
	}
	return names
}

// TestOwnAfterUpgradeAndRollback has 1,000 children, and versions of a controller with and without labels, one after the other.
func TestOwnAfterUpgradeAndRollback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const owners, each = 20, 50
		server := informertest.NewServer()
		for n, labeled := range []bool{false, true, false, true} {
			f := newFamily(t, server, labeled, each, crowd("w", owners)...).run(t)
			idle(time.Minute)
			assert.Len(t, f.all(t), owners*each, "version %d", n)
			assert.Equal(t, map[bool]int{true: owners * each}[n == 0], f.created, "version %d", n)
			assert.Zero(t, f.deleted)
			if labeled {
				assert.Empty(t, f.unlabeled(t))
			}
			f.want++ // who comes back finds children of the version before
			f.controller.enqueueAll(found, nil)
			idle(time.Minute)
			f.want--
			f.controller.enqueueAll(found, nil)
			idle(time.Minute)
			assert.Len(t, f.all(t), owners*each)
			require.NoError(t, f.end())
			for _, child := range f.all(t)[:10] { // as an older version does that applies without labels
				require.NoError(t, server.Relabel(child.Namespace, child.Name, "plain"))
			}
		}
	})
}

func (f *family) run(t *testing.T) *family {
	t.Helper()
	f.rig.run(t)
	return f
}

// TestLostLabelsAreRestored takes the labels of children away while the controller runs.
func TestLostLabelsAreRestored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer()
		f := newFamily(t, server, true, 3, held("web")).run(t)
		idle(time.Second)
		require.Len(t, f.all(t), 3)
		for _, child := range f.all(t) {
			require.NoError(t, server.Relabel("shop", child.Name, "plain"))
		}
		idle(time.Second)
		assert.Len(t, f.all(t), 3, "none is created again")
		assert.Empty(t, f.unlabeled(t))
		assert.Equal(t, 3, f.created)

		server.Delete("shop", f.all(t)[0].Name)
		idle(time.Second)
		assert.Len(t, f.all(t), 3)
		assert.Equal(t, 4, f.created, "what is gone is created again")

		// An object that another owner controls, whose name is the same, is left unchanged.
		stranger := informertest.ConfigMap("shop", "stranger")
		stranger.UID = "uid-of-stranger"
		stranger.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(held("web"), workloadKind)}
		stranger.OwnerReferences[0].UID = "uid-of-predecessor"
		server.Create(stranger)
		require.NoError(t, f.end())
		again := newFamily(t, server, true, 3, held("web")).run(t)
		idle(time.Minute)
		assert.Equal(t, []string{"stranger"}, again.unlabeled(t))
		assert.Zero(t, again.created+again.deleted)
	})
}

// TestRecordedWritesAreLabeled has a reconciler that does not know of labels.
func TestRecordedWritesAreLabeled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer()
		f := newFamily(t, server, true, 2, held("web"))
		f.steps.reconcile = func(ctx context.Context, owner *fleetv1.Workload) (Result, error) {
			return Result{}, f.reconcile(ctx, owner, false)
		}
		f.run(t)
		idle(time.Minute)
		assert.Len(t, f.all(t), 2)
		assert.Empty(t, f.unlabeled(t))
		assert.Equal(t, 2, f.created)
	})
}

// TestOwnersWaitForTheCacheOfANewNamespace has an owner whose namespace is added, while the cache of children lags behind.
func TestOwnersWaitForTheCacheOfANewNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer()
		blog := held("web")
		blog.Namespace, blog.UID = "blog", "uid-of-blog"
		first := newFamily(t, server, true, 1, blog).run(t)
		idle(time.Second)
		require.NoError(t, first.end())
		require.Len(t, first.all(t), 1)

		f := newFamily(t, server, true, 1, blog, held("web"))
		require.NoError(t, f.controller.Factory().SetNamespaces(t.Context(), "shop"))
		f.run(t)
		server.Refuse("blog", errors.New("not yet"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		added := make(chan error)
		go func() { added <- f.controller.Factory().SetNamespaces(ctx, "shop", "blog") }()
		idle(20 * time.Second)
		assert.Equal(t, 1, f.created, "only the child of shop")
		assert.False(t, slices.Contains(f.take(), "reconcile web blog"))
		status := f.controller.DescribeObject(cache.NewObjectName("blog", "web"))
		assert.Equal(t, "heldBack workloads.fleet.example.com added", described(status))
		assert.Equal(t, 20*time.Second, time.Since(status.Since))
		assert.Equal(t, []string{`the objects of namespace blog (configmaps in namespace "blog": not yet)`}, status.HeldBack)
		server.Refuse("blog", nil)
		require.NoError(t, <-added)
		idle(time.Minute)
		assert.Len(t, f.all(t), 2, "and the one of blog is found")
		assert.Equal(t, 1, f.created)
	})
}

// invalidating is a client that refuses patches at times, as a server does for objects that a later validation would not accept.
type invalidating struct {
	*informertest.Client
	refuses *atomic.Bool
}

func (c invalidating) Patch(
	ctx context.Context, name string, form types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string,
) (*corev1.ConfigMap, error) {
	if c.refuses.Load() {
		return nil, apierrors.NewInvalid(schema.GroupKind{Kind: "ConfigMap"}, name, nil)
	}
	return c.Client.Patch(ctx, name, form, data, options, subresources...)
}

// TestNothingIsCreatedForUnlabeledChildren has children that cannot be labeled for a while. Nothing is created in their place.
func TestNothingIsCreatedForUnlabeledChildren(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer()
		before := newFamily(t, server, false, 2, held("web")).run(t)
		idle(time.Second)
		require.NoError(t, before.end())

		f := newFamily(t, server, true, 2, held("web"))
		var refuses atomic.Bool
		refuses.Store(true)
		var err error
		f.rig = newRig(t, f.steps, nil, held("web"))
		f.children, err = Own(f.controller.Controller, informer.Namespaced(server, informertest.Resource, func(namespace string) invalidating {
			return invalidating{server.ConfigMaps(namespace), &refuses}
		}))
		require.NoError(t, err)
		f.run(t)
		idle(time.Minute)
		assert.Empty(t, f.take(), "it is not reconciled")
		refuses.Store(false)
		idle(time.Hour)
		assert.NotEmpty(t, f.take())
		assert.Empty(t, f.unlabeled(t))
		assert.Len(t, f.all(t), 2)
		assert.Zero(t, f.created+f.deleted)
	})
}

func TestOwnNeedsPatch(t *testing.T) {
	r := newRig(t, &steps{}, nil)
	server := informertest.NewServer()
	_, err := Own(r.controller.Controller, informer.Namespaced(server, informertest.Resource, func(namespace string) readOnlyClient {
		return readOnlyClient{server.ConfigMaps(namespace)}
	}))
	require.EqualError(t, err, "controller workloads.fleet.example.com: configmaps cannot be watched by label: their client has no verb patch")
}
