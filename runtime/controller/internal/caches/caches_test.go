package caches

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/definitions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a set with an informer for ConfigMaps.
type rig struct {
	*Set
	server  *informertest.Server
	factory *informer.Factory
	events  chan string
}

func newRig(t *testing.T, server *informertest.Server, options ...informer.Option) *rig {
	t.Helper()
	quiet := informer.WithWatchErrorHandler(func(context.Context, *cache.Reflector, error) {})
	r := &rig{server: server, factory: informer.NewFactory(append(options, quiet)...), events: make(chan string, 100)}
	t.Cleanup(r.factory.Shutdown)
	r.Set = New(r.factory, consistency.NewTracker(), func(item cache.ObjectName, resource string) {
		r.events <- "wake " + item.String() + " for " + resource
	})
	Watch(r.Set, informer.For(r.factory, informer.Namespaced(server, informertest.Resource, server.ConfigMaps)), "",
		func(e Event[*corev1.ConfigMap]) { r.events <- e.Event + " " + e.Name.Name })
	return r
}

// take returns the events so far.
func (r *rig) take() (events []string) {
	synctest.Wait()
	for len(r.events) > 0 {
		events = append(events, <-r.events)
	}
	return events
}

func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer(informertest.ConfigMap("shop", "a")))
		require.NoError(t, r.Start(t.Context(), time.Minute))
		assert.Equal(t, []string{"added a"}, r.take())
		w := r.Of(reflect.TypeFor[*corev1.ConfigMap](), "shop")
		a, web, db := cache.NewObjectName("shop", "a"), cache.NewObjectName("shop", "web"), cache.NewObjectName("shop", "db")
		require.NotNil(t, w.Get(a))
		assert.Nil(t, w.Get(web))
		r.Await(w, a, web)
		r.Await(w, a, db)
		r.Forget(db)
		r.server.Label("shop", "a", "new")
		assert.Equal(t, []string{"updated a", "wake shop/web for configmaps"}, r.take())
		r.Await(w, a, web)
		r.server.Delete("shop", "a")
		assert.Equal(t, []string{"deleted a", "wake shop/web for configmaps"}, r.take())
		assert.Zero(t, r.Awaited())

		r.Unregister()
		r.server.Create(informertest.ConfigMap("shop", "b"))
		assert.Empty(t, r.take())
		r.End()
		r.End() // it does nothing
		synctest.Wait()
		assert.False(t, r.factory.Describe()[0].Running, "nobody needs it")
	})
}

func TestOf(t *testing.T) {
	r := newRig(t, informertest.NewServer(), informer.WithNamespaces("shop"))
	configMap, untyped := reflect.TypeFor[*corev1.ConfigMap](), reflect.TypeFor[*unstructured.Unstructured]()
	assert.NotNil(t, r.Of(configMap, "shop"))
	assert.Nil(t, r.Of(configMap, "blog"), "the namespace is not watched")
	assert.Nil(t, r.Of(untyped, "shop"))
	client := dynamicfake.NewSimpleDynamicClient(kubescheme.Scheme)
	for n, resource := range []string{"pods", "secrets"} {
		source := informer.Dynamic(client, schema.GroupVersionResource{Version: "v1", Resource: resource}, true)
		Watch(r.Set, informer.For(r.factory, source), "", func(Event[*unstructured.Unstructured]) {})
		assert.Equal(t, n == 0, r.Of(untyped, "shop") != nil, "with several, it is not clear which is meant")
	}
}

func TestStartFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("out of order")
		r := newRig(t, informertest.NewServer())
		r.server.Refuse("", broken)
		began := time.Now()
		err := r.Start(t.Context(), time.Minute)
		require.ErrorIs(t, err, broken)
		assert.EqualError(t, err, "informers have not synced after 1m0s: configmaps: out of order")
		assert.Equal(t, time.Minute, time.Since(began))
		r.End()

		ended, end := context.WithCancel(t.Context())
		time.AfterFunc(time.Hour, end)
		require.NoError(t, r.Start(ended, 0), "ctx is done first")
		assert.Equal(t, time.Minute+time.Hour, time.Since(began))
		r.End()
	})
}

// TestStartWithoutReason has a handler that takes its time.
func TestStartWithoutReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer(informertest.ConfigMap("shop", "a"))
		factory := informer.NewFactory()
		set := New(factory, consistency.NewTracker(), nil)
		release := make(chan struct{})
		Watch(set, informer.For(factory, informer.Namespaced(server, informertest.Resource, server.ConfigMaps)), "",
			func(Event[*corev1.ConfigMap]) { <-release })
		err := set.Start(t.Context(), time.Minute)
		assert.EqualError(t, err, "informers have not synced after 1m0s: configmaps: was not listed and delivered in time")
		close(release)
		set.End()
		factory.Shutdown()
	})
}

// TestOwn starts and stops everything in a factory.
func TestOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, informertest.NewServer())
		Own(r.factory)
		Own(r.factory) // it does nothing
		other := informer.For(r.factory, informer.FromListerWatcher[*corev1.ConfigMap](
			r.server.ListerWatcher(metav1.NamespaceAll), corev1.SchemeGroupVersion.WithResource("others")))
		first, second := Enter(r.factory), Enter(r.factory)
		require.NoError(t, r.Start(t.Context(), time.Minute))
		assert.True(t, other.HasSynced())
		r.End()
		first()
		assert.True(t, other.Describe().Running)
		second()
		assert.False(t, other.Describe().Running)
		assert.ErrorContains(t, r.Start(t.Context(), time.Minute), "shut down")
		r.End()
	})
}

// TestDefinitions has fields that no definition has, since nothing reads any.
func TestDefinitions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, factory := informertest.NewServer(), informer.NewFactory()
		_, err := definitions.Attach(factory, &rest.Config{Host: "https://api.example.com"}, true)
		require.NoError(t, err)
		source := informer.Namespaced(server, informertest.Resource, server.ConfigMaps)
		none := func(Event[*corev1.ConfigMap]) {}
		start := func(add func(*Set)) *Set {
			set := New(factory, consistency.NewTracker(), nil)
			add(set)
			require.NoError(t, set.Start(t.Context(), time.Minute))
			return set
		}
		others := start(func(s *Set) {
			Watch(s, informer.For(factory, source), "", none)
			Watch(s, informer.For(factory, source), "some", none)
			Refer(s, source.WithFields("some"))
		})
		owner := start(func(s *Set) {
			Watch(s, informer.For(factory, source), "", none)
			WatchOwned(s, informer.For(factory, source), "some", none)
		})
		assert.Zero(t, others.Recheck(t.Context(), cache.NewObjectName("shop", "web")), "they only refer to the kind")
		assert.Equal(t, 5*time.Second, owner.Recheck(t.Context(), cache.NewObjectName("shop", "web")))
		assert.Equal(t, []string{"the definition of configmaps.v1, which has not been read yet"}, owner.Reasons("shop"))
		assert.Zero(t, owner.MissingFields())
		assert.Empty(t, owner.Describe()[1].MissingFields)
		others.End()
		owner.End()
		factory.Shutdown()
	})
}
