package shared

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2/ktesting"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

func TestEvents(t *testing.T) {
	r := newRig(t, Options{}, workload("a", "x"))
	early := r.handler()
	r.startSynced()
	early.take(r, "initial a/x")

	r.create("b", "y")
	early.take(r, "add b/y")
	r.label("b", "y", "1")
	early.take(r, "update b/y to b/y=1")
	r.delete("a", "x")
	early.take(r, "delete a/x")

	late := r.handler()
	late.take(r, "initial b/y=1")
	assert.Equal(t, []string{"b/y"}, r.informer.GetStore().ListKeys())
	assert.NotEmpty(t, r.informer.LastSyncResourceVersion())
}

func TestRemovedHandlersReceiveNothing(t *testing.T) {
	r := newRig(t, Options{})
	kept, removed := r.handler(), &recorder{}
	registration, err := r.informer.AddEventHandler(removed)
	require.NoError(t, err)
	r.startSynced()
	r.create("a", "x")
	kept.take(r, "add a/x")
	removed.take(r, "add a/x")
	require.NoError(t, r.informer.RemoveEventHandler(registration))
	<-registration.(interface{ ShutdownChan() <-chan struct{} }).ShutdownChan() // as cache.ShutDownEventHandler does
	require.NoError(t, r.informer.RemoveEventHandler(registration), "twice is as good as once")
	r.create("a", "y")
	kept.take(r, "add a/y")
	assert.Empty(t, removed.seen())
	assert.Error(t, r.informer.RemoveEventHandler(nil))
}

// TestRemoveHandlerOfAnotherInformer removes a handler from an informer that does not have it.
func TestRemoveHandlerOfAnotherInformer(t *testing.T) {
	r, other := newRig(t, Options{}), newRig(t, Options{})
	handler := &recorder{}
	registration, err := r.informer.AddEventHandler(handler)
	require.NoError(t, err)
	r.startSynced()
	require.NoError(t, other.informer.RemoveEventHandler(registration))
	r.create("a", "x")
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
	for name, options := range map[string]Options{
		"index":     {Indexers: cache.Indexers{"index": func(any) ([]string, error) { fail(); return nil, nil }}},
		"transform": {Transform: func(obj any) (any, error) { fail(); return obj, nil }},
	} {
		t.Run(name, func(t *testing.T) {
			told := surviving(t)
			mended.Store(false)
			r := newRig(t, options, workload("a", "x"))
			r.start()
			assert.Equal(t, "broken", <-told)
			assert.False(t, r.informer.HasSynced())
			mended.Store(true)
			r.await("sync", r.informer.HasSynced)
		})
	}
}

func TestPanicsOfHandlersAreLogged(t *testing.T) {
	told := surviving(t)
	logger := ktesting.NewLogger(t, ktesting.NewConfig(ktesting.BufferLogs(true)))
	r := newRig(t, Options{}, workload("a", "x"))
	broken := cache.ResourceEventHandlerFuncs{AddFunc: func(any) {
		panic("broken handler") //nolint:forbidigo // as code of users does
	}}
	registration, err := r.informer.AddEventHandlerWithOptions(broken, cache.HandlerOptions{Logger: &logger})
	require.NoError(t, err)
	r.startSynced()
	r.await("handler", registration.HasSynced)
	assert.Equal(t, "broken handler", <-told)
	assert.Contains(t, logger.GetSink().(ktesting.Underlier).GetBuffer().String(), "broken handler")
}

func TestRegistrationSyncsWhenTheListWasDelivered(t *testing.T) {
	r := newRig(t, Options{}, workload("a", "x"), workload("a", "y"))
	blocked := &recorder{block: make(chan struct{})}
	registration, err := r.informer.AddEventHandler(blocked)
	require.NoError(t, err)
	r.startSynced()
	assert.False(t, registration.HasSynced())
	blocked.block <- struct{}{}
	assert.False(t, registration.HasSynced())
	close(blocked.block)
	r.await("registration", registration.HasSynced)
}

func TestRestart(t *testing.T) {
	r := newRig(t, Options{}, workload("a", "same"), workload("a", "changed"), workload("a", "deleted"))
	handler := r.handler()
	stop := r.startSynced()
	handler.take(r, "initial a/same", "initial a/changed", "initial a/deleted")
	stop()
	assert.True(t, r.informer.IsStopped())
	assert.Equal(t, 3, r.informer.store.Len(metav1.NamespaceAll), "the objects stay")

	r.label("a", "changed", "1")
	r.delete("a", "deleted")
	r.create("a", "new")
	while := r.handler() // also while it is stopped
	stop = r.startSynced()
	assert.False(t, r.informer.IsStopped())
	handler.take(r, "update a/changed to a/changed=1", "gone a/deleted", "add a/new", "update a/same to a/same")
	while.take(r, "initial a/same", "initial a/changed", "initial a/deleted",
		"update a/changed to a/changed=1", "gone a/deleted", "add a/new", "update a/same to a/same")
	stop()
	assert.Equal(t, 1, r.informer.describe().Restarts)
}

func TestEventsWaitWhileStopped(t *testing.T) {
	r := newRig(t, Options{}, workload("a", "x"), workload("a", "y"))
	handler := &recorder{block: make(chan struct{})}
	registration, err := r.informer.AddEventHandler(handler)
	require.NoError(t, err)
	stop := r.startSynced()
	r.await("the first event", func() bool { return handler.blocked.Load() > 0 }) // or the informer may end before it
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		stop()
	}()
	r.await("end of sources", func() bool { return r.informer.ending() })
	handler.block <- struct{}{}
	<-stopped
	assert.Len(t, handler.seen(), 1)
	assert.False(t, registration.HasSynced())
	close(handler.block)
	r.startSynced()
	r.await("registration", registration.HasSynced)
	r.await("the event that had to wait, and the new list", func() bool { return len(handler.seen()) >= 4 })
	assert.Subset(t, handler.seen(), []string{"initial a/x", "initial a/y"})
}

func (i *Informer) ending() bool {
	i.lock.Lock()
	defer i.lock.Unlock()
	return i.run == nil || i.run.ending
}

func TestNamespaces(t *testing.T) {
	objects := []runtime.Object{workload("a", "x"), workload("b", "x"), workload("c", "x")}
	r := newRig(t, Options{Namespaces: []string{"a", "b"}}, objects...)
	handler := r.handler()
	r.startSynced()
	handler.take(r, "initial a/x", "initial b/x")
	r.create("c", "y")
	r.create("b", "y")
	handler.take(r, "add b/y")

	require.NoError(t, r.informer.SetNamespaces(r.ctx, "b", "c"))
	assert.ElementsMatch(t, []string{"b/x", "b/y", "c/x", "c/y"}, r.informer.store.ListKeys())
	handler.take(r, "add c/x", "add c/y", "gone a/x")
	r.create("a", "z")
	r.create("c", "z")
	handler.take(r, "add c/z")

	require.NoError(t, r.informer.SetNamespaces(r.ctx, metav1.NamespaceAll))
	handler.take(r, "add a/x", "add a/z", "update b/x to b/x", "update b/y to b/y", "update c/x to c/x", "update c/y to c/y", "update c/z to c/z")
	require.NoError(t, r.informer.SetNamespaces(r.ctx, "a"))
	assert.ElementsMatch(t, []string{"a/x", "a/z"}, r.informer.store.ListKeys())
	handler.take(r, "gone b/x", "gone b/y", "gone c/x", "gone c/y", "gone c/z", "update a/x to a/x", "update a/z to a/z")
	assert.Equal(t, 1, r.informer.describe().Watches)
}

func TestNamespacesOfAStoppedInformer(t *testing.T) {
	r := newRig(t, Options{Namespaces: []string{"a"}}, workload("a", "x"), workload("b", "x"))
	handler := r.handler()
	stop := r.startSynced()
	handler.take(r, "initial a/x")
	stop()
	require.NoError(t, r.informer.SetNamespaces(r.ctx, "b"))
	assert.Empty(t, r.informer.store.ListKeys())
	r.startSynced()
	handler.take(r, "gone a/x", "add b/x")
}

// forbid lets the API server refuse lists in a namespace.
func (r *rig) forbid(namespace string) {
	forbidden := apierrors.NewForbidden(fleetv1.Resource("workloads"), "", errors.New(`User "x" cannot list resource "workloads"`))
	r.client.PrependReactor("list", "workloads", func(action clienttesting.Action) (bool, runtime.Object, error) {
		return action.GetNamespace() == namespace, nil, forbidden
	})
	r.client.PrependWatchReactor("workloads", func(action clienttesting.Action) (bool, watch.Interface, error) {
		return action.GetNamespace() == namespace, nil, forbidden
	})
}

func TestNamespacesThatCannotBeListedChangeNothing(t *testing.T) {
	r := newRig(t, Options{Namespaces: []string{"a"}}, workload("a", "x"), workload("b", "x"), workload("c", "x"))
	r.forbid("c")
	handler := r.handler()
	r.startSynced()
	handler.take(r, "initial a/x")
	ctx, cancel := context.WithCancel(r.ctx)
	changed := make(chan error, 1)
	go func() { changed <- r.informer.SetNamespaces(ctx, "b", "c") }()
	r.await("the answer of the API server", func() bool { return len(r.informer.Errors()) > 0 })
	handler.take(r, "add b/x")
	cancel()
	err := <-changed
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, `workloads.fleet.example.com in namespace "c": forbidden: User "x" cannot list resource "workloads"`)
	handler.take(r, "gone b/x")
	assert.Equal(t, []string{"a/x"}, r.informer.store.ListKeys())
	assert.Equal(t, []string{"a"}, r.informer.Namespaces())
	assert.Empty(t, r.informer.Errors())
	assert.True(t, r.informer.HasSynced())

	assert.Error(t, r.informer.SetNamespaces(r.ctx))
	assert.Error(t, r.informer.SetNamespaces(r.ctx, "a", "a"))
	assert.Error(t, r.informer.SetNamespaces(r.ctx, "a", metav1.NamespaceAll))
}

func TestResync(t *testing.T) {
	r := newRig(t, Options{Resync: time.Hour}, workload("a", "x"))
	byDefault, often := r.handler(), &recorder{}
	second, never := time.Second, time.Duration(0)
	_, err := r.informer.AddEventHandlerWithOptions(often, cache.HandlerOptions{ResyncPeriod: &second})
	require.NoError(t, err)
	r.startSynced()
	byDefault.take(r, "initial a/x")
	often.take(r, "initial a/x", "update a/x to a/x", "update a/x to a/x")
	late := &recorder{}
	_, err = r.informer.AddEventHandlerWithOptions(late, cache.HandlerOptions{ResyncPeriod: &second})
	require.NoError(t, err)
	not := &recorder{}
	_, err = r.informer.AddEventHandlerWithOptions(not, cache.HandlerOptions{ResyncPeriod: &never})
	require.NoError(t, err)
	late.take(r, "initial a/x", "update a/x to a/x")
	assert.Empty(t, byDefault.seen())
	not.take(r, "initial a/x")
}

func TestTrim(t *testing.T) {
	managed := workload("a", "x")
	managed.Labels = map[string]string{"k": "v"}
	managed.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "m", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1"}}
	cached := func(options Options) *fleetv1.Workload {
		r := newRig(t, options, managed)
		r.startSynced()
		object, _, err := r.informer.store.GetByKey("a/x")
		require.NoError(t, err)
		return object.(*fleetv1.Workload)
	}
	assert.Empty(t, cached(Options{ShareStrings: true}).ManagedFields)
	assert.NotEmpty(t, cached(Options{KeepManagedFields: true}).ManagedFields)
	transformed := cached(Options{Transform: func(obj any) (any, error) {
		obj.(*fleetv1.Workload).Labels = nil
		return obj, nil
	}})
	assert.Empty(t, transformed.Labels)
}

func TestMetadataSharesWhatIsEqual(t *testing.T) {
	object := func(shared string) *metav1.PartialObjectMetadata {
		return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Namespace: "a", Name: "x", Finalizers: []string{shared}, Annotations: map[string]string{"k": shared}, Labels: map[string]string{"l": shared},
		}}
	}
	e := &equal{}
	a, b, other := object("v"), object("v"), object("w")
	for _, o := range []*metav1.PartialObjectMetadata{a, b, other} {
		e.share(o)
	}
	assert.Equal(t, object("v"), a)
	assert.Equal(t, object("w"), other)
	same := func(x, y any) bool { return reflect.ValueOf(x).Pointer() == reflect.ValueOf(y).Pointer() }
	assert.True(t, same(a.Labels, b.Labels) && same(a.Annotations, b.Annotations) && same(a.Finalizers, b.Finalizers))
	assert.False(t, same(a.Labels, other.Labels))
	for n := range 2 * mostPooled {
		e.share(object(strconv.Itoa(n)))
	}
	assert.LessOrEqual(t, len(e.maps), mostPooled)
}

func TestTransformErrorsAreReasons(t *testing.T) {
	r := newRig(t, Options{Transform: func(any) (any, error) { return nil, errors.New("no") }}, workload("a", "x"))
	r.start()
	r.await("failure", func() bool { return len(r.informer.Errors()) > 0 })
	assert.ErrorContains(t, r.informer.Errors()[0], "workloads.fleet.example.com a/x: transform: no")
	assert.False(t, r.informer.HasSynced())
	assert.Error(t, r.informer.SetTransform(nil), "it runs")
	other := newRig(t, Options{Transform: func(obj any) (any, error) { return obj, nil }})
	assert.ErrorContains(t, other.informer.SetTransform(nil), "already")
}

func TestWatchErrorHandler(t *testing.T) {
	told := make(chan error, 10)
	r := newRig(t, Options{WatchErrorHandler: func(_ context.Context, _ *cache.Reflector, err error) { told <- err }}, workload("a", "x"))
	r.forbid(metav1.NamespaceAll)
	r.start()
	select {
	case err := <-told:
		assert.ErrorContains(t, err, "forbidden")
	case <-r.ctx.Done():
		require.Fail(t, "timeout")
	}
}

// reports collects what a mutation detector reports.
type reports chan string

func (r reports) Errorf(format string, args ...any) { r <- fmt.Sprintf(format, args...) }

func TestMutations(t *testing.T) {
	told := make(reports, 10)
	r := newRig(t, Options{Mutations: told}, workload("a", "x"), workload("a", "y"))
	changer := cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
		if object := obj.(*fleetv1.Workload); object.Name == "x" {
			object.Labels = map[string]string{"k": "v"}
		}
	}}
	registration, err := r.informer.AddEventHandler(changer)
	require.NoError(t, err)
	stop := r.startSynced()
	r.await("handler", registration.HasSynced)
	assert.Equal(t, `workloads.fleet.example.com a/x in the cache was changed by handler cache.ResourceEventHandlerFuncs: `+
		`.ObjectMeta.Labels["k"]: "v", was missing; call DeepCopy before changing it`, <-told)
	object, _, err := r.informer.store.GetByKey("a/y")
	require.NoError(t, err)
	object.(*fleetv1.Workload).Spec.RegionName = "north"
	stop()
	assert.Contains(t, <-told, `a/y in the cache was changed by code other than a handler, or by a handler after it returned: .Spec.RegionName: "north", was ""`)
	assert.Empty(t, told)
}

// TestStringsAreShared compares addresses: what repeats in objects is stored once.
func TestStringsAreShared(t *testing.T) {
	object := func(name string) *fleetv1.Workload {
		w := workload(strings.Clone("shop"), name)
		w.Labels = map[string]string{"app": strings.Clone("web")}
		w.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: strings.Clone("Region"), Name: "r", UID: "u"}}
		return w
	}
	r := newRig(t, Options{ShareStrings: true}, object("x"), object("y"))
	r.startSynced()
	stored := r.informer.store.List()
	require.Len(t, stored, 2)
	for _, text := range []func(*fleetv1.Workload) string{
		func(w *fleetv1.Workload) string { return w.Namespace },
		func(w *fleetv1.Workload) string { return w.Labels["app"] },
		func(w *fleetv1.Workload) string { return w.OwnerReferences[0].Kind },
	} {
		one, other := text(stored[0].(*fleetv1.Workload)), text(stored[1].(*fleetv1.Workload))
		assert.NotEmpty(t, one)
		assert.Same(t, unsafe.StringData(one), unsafe.StringData(other), one)
	}
}

// TestIndexesOfLookupsStay has an option that names the index of a lookup.
func TestIndexesOfLookupsStay(t *testing.T) {
	var told []error
	defer func(before []utilruntime.ErrorHandler) { utilruntime.ErrorHandlers = before }(utilruntime.ErrorHandlers)
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{func(_ context.Context, err error, _ string, _ ...any) { told = append(told, err) }}
	keys := func(key string) cache.IndexFunc { return func(any) ([]string, error) { return []string{key}, nil } }
	settings := &Settings{}
	settings.Indexers(cache.Indexers{"byRegion": keys("theirs"), "byOther": keys("theirs")})
	options := settings.Options(nil, cache.Indexers{"byRegion": keys("ours")})
	for index, want := range map[string]string{"byRegion": "ours", "byOther": "theirs"} {
		found, err := options.Indexers[index](nil)
		require.NoError(t, err)
		assert.Equal(t, []string{want}, found, index)
	}
	require.Len(t, told, 1)
	assert.ErrorContains(t, told[0], `ignored index "byRegion", which a lookup`)
}
