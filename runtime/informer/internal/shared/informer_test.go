package shared

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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2/ktesting"
)

func TestEvents(t *testing.T) {
	r := newRig(t, Config{}, "a/x")
	early := r.handler()
	r.startSynced()
	early.take(r, "initial a/x")

	r.create("b/y")
	early.take(r, "add b/y")
	r.label("b/y")
	early.take(r, "update b/y to b/y=1")
	r.delete("a/x")
	early.take(r, "delete a/x")

	late := r.handler()
	late.take(r, "initial b/y=1")
	assert.Equal(t, []string{"b/y"}, r.keys())
	assert.Equal(t, r.server.Version(), r.informer.LastSyncResourceVersion())
}

func TestRemovedHandlersReceiveNothing(t *testing.T) {
	r := newRig(t, Config{})
	kept, removed := r.handler(), &recorder{}
	registration, err := r.informer.AddEventHandler(removed)
	require.NoError(t, err)
	r.startSynced()
	r.create("a/x")
	kept.take(r, "add a/x")
	removed.take(r, "add a/x")
	require.NoError(t, r.informer.RemoveEventHandler(registration))
	<-registration.(interface{ ShutdownChan() <-chan struct{} }).ShutdownChan() // as cache.ShutDownEventHandler does
	require.NoError(t, r.informer.RemoveEventHandler(registration), "twice is as good as once")
	r.create("a/y")
	kept.take(r, "add a/y")
	assert.Empty(t, removed.seen())
	assert.Error(t, r.informer.RemoveEventHandler(nil))
}

// TestRemoveHandlerOfAnotherInformer removes a handler from an informer that does not have it.
func TestRemoveHandlerOfAnotherInformer(t *testing.T) {
	r, other := newRig(t, Config{}), newRig(t, Config{})
	handler := &recorder{}
	registration, err := r.informer.AddEventHandler(handler)
	require.NoError(t, err)
	r.startSynced()
	require.NoError(t, other.informer.RemoveEventHandler(registration))
	r.create("a/x")
	handler.take(r, "add a/x")
}

// surviving makes panics in background goroutines end nothing, and returns what the panic handlers receive.
func surviving(t *testing.T) <-chan any {
	t.Helper()
	crash, handlers := utilruntime.ReallyCrash, utilruntime.PanicHandlers
	t.Cleanup(func() { utilruntime.ReallyCrash, utilruntime.PanicHandlers = crash, handlers })
	told := make(chan any, 100)
	utilruntime.ReallyCrash = false
	utilruntime.PanicHandlers = append(slices.Clone(handlers), func(_ context.Context, problem any) { told <- problem })
	return told
}

// TestPanicsOfOptions lets functions of a user panic until they are mended.
func TestPanicsOfOptions(t *testing.T) {
	var mended atomic.Bool
	fail := func() {
		if !mended.Load() {
			panic("broken") //nolint:forbidigo // as code of users does
		}
	}
	for name, config := range map[string]Config{
		"index":     {Indexers: cache.Indexers{"index": func(any) ([]string, error) { fail(); return nil, nil }}},
		"transform": {Transform: func(obj any) (any, error) { fail(); return obj, nil }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				told := surviving(t)
				mended.Store(false)
				r := newRig(t, config, "a/x")
				stop := r.start()
				defer stop() // before the handlers are restored
				assert.Equal(t, "broken", <-told)
				assert.False(t, r.informer.HasSynced())
				mended.Store(true)
				r.await("sync", r.informer.HasSynced)
			})
		})
	}
}

func TestPanicsOfHandlersAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := surviving(t)
		logger := ktesting.NewLogger(t, ktesting.NewConfig(ktesting.BufferLogs(true)))
		r := newRig(t, Config{}, "a/x")
		broken := cache.ResourceEventHandlerFuncs{AddFunc: func(any) {
			panic("broken handler") //nolint:forbidigo // as code of users does
		}}
		registration, err := r.informer.AddEventHandlerWithOptions(broken, cache.HandlerOptions{Logger: &logger})
		require.NoError(t, err)
		stop := r.startSynced()
		defer stop()
		r.await("handler", registration.HasSynced)
		assert.Equal(t, "broken handler", <-told)
		assert.Contains(t, logger.GetSink().(ktesting.Underlier).GetBuffer().String(), "broken handler")
	})
}

func TestRegistrationSyncsWhenTheListWasDelivered(t *testing.T) {
	r := newRig(t, Config{}, "a/x", "a/y")
	blocked := &recorder{block: make(chan struct{})}
	registration, err := r.informer.AddEventHandler(blocked)
	require.NoError(t, err)
	r.startSynced()
	assert.False(t, registration.HasSynced())
	blocked.block <- struct{}{}
	assert.False(t, registration.HasSynced())
	close(blocked.block)
	r.await("registration", registration.HasSynced)
	assert.True(t, cache.WaitFor(r.ctx, "", registration.HasSyncedChecker(), r.informer.HasSyncedChecker()))
	assert.Equal(t, "handler *shared.recorder of the informer for configmaps", registration.HasSyncedChecker().Name())
	assert.Equal(t, "informer for configmaps", r.informer.HasSyncedChecker().Name())
}

func TestRestart(t *testing.T) {
	r := newRig(t, Config{}, "a/same", "a/changed", "a/deleted")
	handler := r.handler()
	stop := r.startSynced()
	handler.take(r, "initial a/same", "initial a/changed", "initial a/deleted")
	stop()
	assert.True(t, r.informer.IsStopped())
	assert.Len(t, r.keys(), 3, "the objects stay")

	r.label("a/changed")
	r.delete("a/deleted")
	r.create("a/new")
	while := r.handler() // also while it is stopped
	stop = r.startSynced()
	assert.False(t, r.informer.IsStopped())
	handler.takeInOrder(r, "gone a/deleted", "update a/changed to a/changed=1", "add a/new", "update a/same to a/same")
	while.take(r, "initial a/same", "initial a/changed", "initial a/deleted",
		"update a/changed to a/changed=1", "gone a/deleted", "add a/new", "update a/same to a/same")
	stop()
	assert.Equal(t, 1, r.informer.State().Restarts)
}

func TestEventsWaitWhileStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Config{}, "a/x", "a/y")
		handler := &recorder{block: make(chan struct{})}
		registration, err := r.informer.AddEventHandler(handler)
		require.NoError(t, err)
		stop := r.startSynced()
		synctest.Wait() // or the informer may end before the first event
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			stop()
		}()
		synctest.Wait()
		handler.block <- struct{}{}
		<-stopped
		assert.Len(t, handler.seen(), 1)
		assert.False(t, registration.HasSynced())
		close(handler.block)
		stop = r.startSynced()
		synctest.Wait()
		assert.True(t, registration.HasSynced())
		assert.Subset(t, handler.seen(), []string{"initial a/x", "initial a/y"}, "the event that had to wait, and the new list")
		assert.GreaterOrEqual(t, len(handler.seen()), 4)
		stop()
	})
}

func TestRunsOnce(t *testing.T) {
	r := newRig(t, Config{})
	r.startSynced()
	stop := make(chan struct{})
	close(stop)
	r.informer.Run(stop) // returns
	assert.True(t, r.informer.IsRunning())
	controller := r.informer.GetController()
	controller.Run(nil)
	controller.RunWithContext(r.ctx)
	assert.True(t, controller.HasSynced())
	assert.Equal(t, r.informer.HasSyncedChecker().Name(), controller.HasSyncedChecker().Name())
	assert.Equal(t, r.informer.LastSyncResourceVersion(), controller.LastSyncResourceVersion())
}

func TestResync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Config{Resync: time.Hour}, "a/x")
		byDefault, often := r.handler(), &recorder{}
		_, err := r.informer.AddEventHandlerWithResyncPeriod(often, time.Second)
		require.NoError(t, err)
		r.startSynced()
		byDefault.take(r, "initial a/x")
		often.take(r, "initial a/x", "update a/x to a/x", "update a/x to a/x")
		late, not := &recorder{}, &recorder{}
		_, err = r.informer.AddEventHandlerWithResyncPeriod(late, time.Millisecond) // is raised
		require.NoError(t, err)
		_, err = r.informer.AddEventHandlerWithResyncPeriod(not, 0)
		require.NoError(t, err)
		late.take(r, "initial a/x", "update a/x to a/x")
		assert.Empty(t, byDefault.seen())
		not.take(r, "initial a/x")
	})
}

func TestTransform(t *testing.T) {
	r := newRig(t, Config{Transform: func(obj any) (any, error) {
		obj.(*corev1.ConfigMap).Labels = map[string]string{"label": "transformed"}
		return obj, nil
	}}, "a/x")
	r.handler()
	r.startSynced()
	stored, _, err := r.informer.GetIndexer().GetByKey("a/x")
	require.NoError(t, err)
	assert.Equal(t, "a/x=transformed", label(stored))
	assert.ErrorContains(t, r.informer.SetTransform(nil), "started")

	other := newRig(t, Config{Transform: func(obj any) (any, error) { return obj, nil }})
	assert.ErrorContains(t, other.informer.SetTransform(nil), "already set")
	other = newRig(t, Config{})
	assert.NoError(t, other.informer.SetTransform(func(obj any) (any, error) { return obj, nil }))
}

func TestTransformErrorsAreReasons(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := true
		r := newRig(t, Config{Transform: func(obj any) (any, error) {
			if broken {
				return nil, errors.New("no")
			}
			return obj, nil
		}, WatchErrorHandler: func(context.Context, *cache.Reflector, error) {}}, "a/x")
		stop := r.start()
		r.await("failure", func() bool { return len(r.informer.Failures()) > 0 })
		assert.ErrorContains(t, r.informer.Failures()[0].Err, "configmaps a/x: transform: no")
		assert.Len(t, r.informer.Unsynced(), 1)
		assert.False(t, r.informer.HasSynced())
		stop()
		broken = false
		r.startSynced()
		assert.Empty(t, r.informer.Unsynced())
	})
}

// TestObjectsOfOtherNamespaces has a client that returns more than it was asked for.
func TestObjectsOfOtherNamespaces(t *testing.T) {
	r := newRig(t, Config{Namespaces: []string{"a"}})
	r.informer.config.ListerWatcher = func(string) cache.ListerWatcher { return r.server.ListerWatcher(metav1.NamespaceAll) }
	r.informer.config.WatchErrorHandler = func(context.Context, *cache.Reflector, error) {}
	r.create("b/x")
	r.start()
	r.await("failure", func() bool { return len(r.informer.Failures()) > 0 })
	assert.ErrorContains(t, r.informer.Failures()[0].Err, `unexpected object b/x: it is not in namespace "a"`)
}

func TestWatchErrorHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := make(chan error, 10)
		r := newRig(t, Config{})
		require.NoError(t, r.informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) { told <- err }))
		r.server.Refuse("", errors.New("no"))
		r.start()
		assert.ErrorContains(t, <-told, "no")
		assert.NotZero(t, r.informer.State().FailedAt)
		assert.Error(t, r.informer.SetWatchErrorHandlerWithContext(nil), "it runs")
		r.server.Refuse("", nil)
		r.await("sync", r.informer.HasSynced)
	})
}

// reports collects what a mutation detector reports.
type reports struct{ texts chan string }

func (r reports) Errorf(_ string, args ...any) { r.texts <- args[2].(string) }

func TestMutations(t *testing.T) {
	told := reports{make(chan string, 10)}
	r := newRig(t, Config{Mutations: told}, "a/x", "a/y", "a/z")
	changer := cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
		if object := obj.(*corev1.ConfigMap); object.Name == "x" {
			object.Labels = map[string]string{"k": "v"}
		}
	}}
	registration, err := r.informer.AddEventHandler(changer)
	require.NoError(t, err)
	stop := r.startSynced()
	r.await("handler", registration.HasSynced)
	assert.Equal(t, "handler cache.ResourceEventHandlerFuncs", <-told.texts)
	stored, _, err := r.informer.GetIndexer().GetByKey("a/y")
	require.NoError(t, err)
	stored.(*corev1.ConfigMap).Data = map[string]string{"k": "v"}
	stop()
	assert.Contains(t, <-told.texts, "code other than a handler")
	assert.Empty(t, told.texts)
}

func TestState(t *testing.T) {
	r := newRig(t, Config{Namespaces: []string{"b", "a"}}, "a/x", "b/x")
	handler := r.handler()
	handler.block = make(chan struct{})
	assert.Equal(t, State{Namespaces: []string{"a", "b"}, Handlers: 1}, r.informer.State())
	r.startSynced()
	r.await("watches", func() bool { return r.informer.State().Watches == 2 })
	state := r.informer.State()
	assert.Equal(t, 2, state.Objects)
	assert.Equal(t, 2, state.Lists)
	assert.Positive(t, state.Bytes)
	assert.True(t, state.Running && state.Synced)
	close(handler.block)
}

func TestPause(t *testing.T) {
	r := newRig(t, Config{}, "a/x")
	handler := r.handler()
	r.informer.Pause()
	stop := r.start()
	r.await("start", r.informer.IsRunning)
	assert.Empty(t, handler.seen())
	r.informer.Resume()
	handler.take(r, "initial a/x")
	r.await("sync", r.informer.HasSynced)
	r.informer.Pause()
	handler.take(r, "gone a/x")
	assert.False(t, r.informer.HasSynced())
	assert.Empty(t, r.informer.LastSyncResourceVersion())
	r.informer.Resume()
	handler.take(r, "add a/x")
	stop()
	r.informer.Resume() // has nothing to resume
}

func TestNewHasDefaults(t *testing.T) {
	i := New(Config{Object: &corev1.ConfigMap{}})
	assert.Equal(t, all, i.Namespaces())
	assert.Equal(t, "informer for ", i.String())
	require.NoError(t, i.AddIndexers(cache.Indexers{"x": cache.MetaNamespaceIndexFunc}))
	require.Error(t, i.AddIndexers(cache.Indexers{"x": cache.MetaNamespaceIndexFunc}))
	i.AddMissingIndexers(cache.Indexers{"x": cache.MetaNamespaceIndexFunc, "y": cache.MetaNamespaceIndexFunc})
	assert.Len(t, i.GetIndexer().GetIndexers(), 2)
}
