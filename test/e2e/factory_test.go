package e2e

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	metadataclient "k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// newFactory returns a factory, and a context that stops it at the end of the test.
func newFactory(t *testing.T, client versioned.Interface, options ...informer.Option) (context.Context, *informers.Factory) {
	t.Helper()
	factory, err := informers.New(client, options...)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		factory.Shutdown()
	})
	return ctx, factory
}

// storedIn is like stored, for the given namespaces, or for all with metav1.NamespaceAll. It tries again on a broken connection:
// the first requests after Sever use the connections from before.
func storedIn(t *testing.T, client versioned.Interface, namespaces []string) (objects map[string]string) {
	t.Helper()
	eventually(t, func() bool {
		var err error
		objects, err = stored(t.Context(), client)
		if _, broken := errors.AsType[*url.Error](err); !broken {
			require.NoError(t, err)
		}
		return err == nil
	}, "the server cannot be reached")
	for key := range objects {
		if name, _ := cache.ParseObjectName(key); !slices.Contains(namespaces, name.Namespace) && !slices.Contains(namespaces, metav1.NamespaceAll) { // keys of the server
			delete(objects, key)
		}
	}
	return objects
}

// churn creates, updates and deletes workloads in namespaces until ctx is done.
func churn(ctx context.Context, client versioned.Interface, namespaces []string, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, seed))
	for ctx.Err() == nil {
		workloads := client.FleetV1().Workloads(namespaces[random.IntN(len(namespaces))])
		object := workload(fmt.Sprintf("w-%d", random.IntN(10)))
		object.Namespace = ""
		var err error
		switch random.IntN(4) {
		case 0:
			err = workloads.Delete(ctx, object.Name, metav1.DeleteOptions{})
		case 1:
			_, err = workloads.Create(ctx, object, metav1.CreateOptions{})
		default:
			if object, err = workloads.Get(ctx, object.Name, metav1.GetOptions{}); err == nil {
				object.Labels = map[string]string{"n": strconv.FormatUint(uint64(random.Uint32()), 10)}
				_, err = workloads.Update(ctx, object, metav1.UpdateOptions{})
			}
		}
		var broken *url.Error // the connection
		expected := apierrors.IsNotFound(err) || apierrors.IsAlreadyExists(err) || apierrors.IsConflict(err) || errors.As(err, &broken)
		if err != nil && ctx.Err() == nil && !expected {
			return err
		}
	}
	return nil
}

// writing writes from several goroutines until stop is called.
func writing(t *testing.T, client versioned.Interface, namespaces []string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(within(t))
	var wg sync.WaitGroup
	for seed := range uint64(3) {
		wg.Go(func() { assert.NoError(t, churn(ctx, client, namespaces, seed)) })
	}
	return func() {
		cancel()
		wg.Wait()
	}
}

// agrees waits until store and handlers have the objects of the server in some namespaces.
func agrees(t *testing.T, client versioned.Interface, factory *informers.Factory, seen *view, namespaces []string) {
	t.Helper()
	want := storedIn(t, client, namespaces)
	lister := factory.Fleet().V1().Workloads().Lister()
	eventually(t, func() bool {
		list, err := lister.List(labels.Everything())
		got := map[string]string{}
		for _, object := range list {
			got[cache.MetaObjectToName(object).String()] = object.ResourceVersion
		}
		return err == nil && assert.ObjectsAreEqual(want, got) && assert.ObjectsAreEqual(want, seen.snapshot())
	}, "store, handlers and server disagree about %v", namespaces)
}

// TestNamespacesUnderLoad repeatedly changes the namespaces of an informer while objects are written in all of them.
func TestNamespacesUnderLoad(t *testing.T) {
	c := start(t, apiservertest.Options{})
	all := []string{"a", "b", "c", "d", "e", "f"}
	ctx, factory := newFactory(t, c.client, informer.WithNamespaces("a"))
	var seen view
	seen.watch(t, factory.Fleet().V1().Workloads().TypedInformer())
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(within(t)))
	stop := writing(t, c.client, all)
	random := rand.New(rand.NewPCG(1, 1))
	var chosen []string
	for round := range 30 {
		chosen = slices.Clone(all)
		random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		chosen = chosen[:1+random.IntN(len(chosen))]
		if round%10 == 5 {
			chosen = []string{metav1.NamespaceAll}
		}
		require.NoError(t, factory.SetNamespaces(within(t), chosen...))
	}
	stop()
	agrees(t, c.client, factory, &seen, chosen)
	eventually(t, func() bool { return factory.Describe()[0].Watches == len(chosen) }, "one watch for each namespace")
	require.NoError(t, factory.SetNamespaces(within(t), all...))
	agrees(t, c.client, factory, &seen, all)
}

// TestForbiddenInOneOfThreeNamespaces grants roles in only two namespaces.
func TestForbiddenInOneOfThreeNamespaces(t *testing.T) {
	c := start(t, apiservertest.Options{RBAC: true})
	kube, err := kubernetes.NewForConfig(c.Config())
	require.NoError(t, err)
	allow := func(namespace string) {
		role := &rbacv1.Role{
			ObjectMeta: metav1.ObjectMeta{Name: "reader"},
			Rules:      []rbacv1.PolicyRule{{APIGroups: []string{fleetv1.GroupName}, Resources: []string{"workloads"}, Verbs: []string{"list", "watch"}}},
		}
		_, err := kube.RbacV1().Roles(namespace).Create(t.Context(), role, metav1.CreateOptions{})
		require.NoError(t, err)
		_, err = kube.RbacV1().RoleBindings(namespace).Create(t.Context(), &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "reader"},
			Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, Name: "alice"}},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role.Name},
		}, metav1.CreateOptions{})
		require.NoError(t, err)
	}
	for _, ns := range []string{"a", "b", "c"} {
		object := workload("web")
		object.Namespace = ns
		_, err := c.client.FleetV1().Workloads(ns).Create(t.Context(), object, metav1.CreateOptions{})
		require.NoError(t, err)
	}
	allow("a")
	allow("b")
	alice, _ := connect(t, c.As("alice"))
	ctx, factory := newFactory(t, alice, informer.WithNamespaces("a", "b", "c"))
	lister := factory.Fleet().V1().Workloads().Lister()
	began := time.Now()
	factory.StartWithContext(ctx)
	err = factory.WaitForSync(within(t))
	took := time.Since(began)
	require.ErrorContains(t, err, `workloads.fleet.example.com in namespace "c": forbidden: User "alice" cannot list resource "workloads" in API group "fleet.example.com" in the namespace "c"`)
	assert.True(t, apierrors.IsForbidden(factory.Errors()[0]))
	assert.Less(t, took, soon(2*time.Second))
	eventually(t, func() bool {
		list, err := lister.List(labels.Everything())
		return err == nil && len(list) == 2
	}, "what is allowed is not there")

	allow("c") // the informer keeps trying
	eventually(t, func() bool { return factory.WaitForSync(within(t)) == nil }, "no sync although it is allowed")
	list, err := lister.List(labels.Everything())
	require.NoError(t, err)
	assert.Len(t, list, 3)
}

// TestKindThatComesAndGoes installs the CustomResourceDefinition after the informer has started, removes it, and installs it
// again.
func TestKindThatComesAndGoes(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{AnyNamespace: true})
	client, _ := connect(t, server.Config())
	crds, err := apiservertest.ReadCRDs(crdDir)
	require.NoError(t, err)
	n := slices.IndexFunc(crds, func(crd *apiextensionsv1.CustomResourceDefinition) bool { return crd.Spec.Names.Plural == "workloads" })
	crdClient, err := apiextensions.NewForConfig(server.Config())
	require.NoError(t, err)
	ctx, factory := newFactory(t, client)
	var seen view
	workloads := factory.Fleet().V1().Workloads().TypedInformer()
	seen.watch(t, workloads)
	require.NoError(t, informer.For(factory.Factory, informers.FleetV1WorkloadSource(client)).StartWhenServed(ctx))
	assert.True(t, factory.Describe()[0].Unserved)
	for range 2 {
		require.NoError(t, apiservertest.InstallCRDs(within(t), server.Config(), crds[n]))
		_, err = client.FleetV1().Workloads(namespace).Create(t.Context(), workload("web"), metav1.CreateOptions{})
		require.NoError(t, err)
		assert.Equal(t, []string{"add shop/web"}, seen.take(t, 1))
		require.NoError(t, factory.WaitForSync(within(t)))

		require.NoError(t, crdClient.CustomResourceDefinitions().Delete(t.Context(), crds[n].Name, metav1.DeleteOptions{}))
		assert.Contains(t, seen.take(t, 1)[0], "delete shop/web")
		eventually(t, func() bool { return factory.Describe()[0].Unserved }, "the kind is gone")
		assert.Empty(t, workloads.GetStore().ListKeys())
		eventually(t, func() bool {
			_, err := crdClient.CustomResourceDefinitions().Get(t.Context(), crds[n].Name, metav1.GetOptions{})
			return apierrors.IsNotFound(err)
		}, "the CustomResourceDefinition is removed")
	}
}

// TestStartAndStop starts and stops informers a hundred times. TestMain detects leaked goroutines.
func TestStartAndStop(t *testing.T) {
	c := start(t, apiservertest.Options{})
	_, factory := newFactory(t, c.client)
	var seen view
	seen.watch(t, factory.Fleet().V1().Workloads().TypedInformer())
	workloads := informer.For(factory.Factory, informers.FleetV1WorkloadSource(c.client))
	regions := informer.For(factory.Factory, informers.RegionSource(c.client))
	for round := range 100 {
		object := workload(fmt.Sprintf("w-%d", round))
		_, err := c.client.FleetV1().Workloads(namespace).Create(t.Context(), object, metav1.CreateOptions{})
		require.NoError(t, err)
		// The watch cache that answers the list may be behind the create.
		known := func() bool {
			return len(factory.Fleet().V1().Workloads().Informer().GetStore().ListKeys()) == round+1
		}
		if round%2 == 0 {
			ctx, cancel := context.WithCancel(t.Context())
			factory.StartWithContext(ctx)
			require.NoError(t, factory.WaitForSync(within(t)))
			eventually(t, known, "round %d: an object is missing", round)
			cancel()
			require.NoError(t, workloads.Stop(within(t)))
			require.NoError(t, regions.Stop(within(t)))
		} else {
			release, err := workloads.Acquire(t.Context())
			require.NoError(t, err)
			eventually(t, known, "round %d: an object is missing", round)
			release()
		}
	}
	assert.Equal(t, 99, factory.Describe()[0].Restarts)
	eventually(t, func() bool { return factory.Describe()[0].Watches == 0 }, "the informer that was released watches on")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	factory.StartWithContext(ctx)
	agrees(t, c.client, factory, &seen, []string{namespace})
}

// TestWatchStorm repeatedly breaks all connections while objects are written.
func TestWatchStorm(t *testing.T) {
	c := start(t, apiservertest.Options{Compaction: time.Second})
	namespaces := []string{"a", "b", "c"}
	ctx, factory := newFactory(t, c.client, informer.WithNamespaces(namespaces...))
	var seen view
	seen.watch(t, factory.Fleet().V1().Workloads().TypedInformer())
	client, err := metadataclient.NewForConfig(c.Config())
	require.NoError(t, err)
	lightCtx, light := newFactory(t, c.client, informer.WithNamespaces(namespaces...))
	names := informer.For(light.Factory, informer.Metadata(client, fleetv1.SchemeGroupVersion.WithResource("workloads"), true))
	factory.StartWithContext(ctx)
	light.StartWithContext(lightCtx)
	require.NoError(t, factory.WaitForSync(within(t)))
	require.NoError(t, light.WaitForSync(within(t)))
	writers, _ := connect(t, c.Config())
	for range 5 {
		stop := writing(t, writers, namespaces)
		seen.take(t, 50)
		stop()
		c.Sever()
	}
	agrees(t, c.client, factory, &seen, namespaces)
	want := storedIn(t, c.client, namespaces)
	eventually(t, func() bool {
		list, err := names.Lister().List(labels.Everything())
		got := map[string]string{}
		for _, object := range list {
			got[object.Namespace+"/"+object.Name] = object.ResourceVersion
		}
		return err == nil && assert.ObjectsAreEqual(want, got)
	}, "metadata and server disagree")
	// What the last break cost an informer is forgotten when it watches again, which it may put off for a minute.
	eventually(t, func() bool { return len(factory.Errors()) == 0 }, "errors stay")
}
