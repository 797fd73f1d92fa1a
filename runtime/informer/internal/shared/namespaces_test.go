package shared

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
)

// setNamespaces changes the namespaces, as a factory does.
func (r *rig) setNamespaces(ctx context.Context, namespaces ...string) error {
	_, err := r.informer.SetNamespaces(ctx, namespaces...)
	return err
}

func TestNamespaces(t *testing.T) {
	r := newRig(t, Config{Namespaces: []string{"a", "b"}}, "a/x", "b/x", "c/x")
	handler := r.handler()
	r.startSynced()
	handler.take(r, "initial a/x", "initial b/x")
	r.create("c/y")
	r.create("b/y")
	handler.take(r, "add b/y")

	require.NoError(t, r.setNamespaces(r.ctx, "b", "c"))
	assert.Equal(t, []string{"b/x", "b/y", "c/x", "c/y"}, r.keys())
	handler.take(r, "add c/x", "add c/y", "gone a/x")
	r.create("a/z")
	r.create("c/z")
	handler.take(r, "add c/z")

	r.server.Advance(1) // or what b and c have is known to be the same as what is listed
	require.NoError(t, r.setNamespaces(r.ctx, metav1.NamespaceAll))
	handler.take(r, "add a/x", "add a/z", "update b/x to b/x", "update b/y to b/y", "update c/x to c/x", "update c/y to c/y", "update c/z to c/z")
	require.NoError(t, r.setNamespaces(r.ctx, "a"))
	assert.Equal(t, []string{"a/x", "a/z"}, r.keys())
	handler.take(r, "gone b/x", "gone b/y", "gone c/x", "gone c/y", "gone c/z")
	assert.Equal(t, 1, r.informer.State().Watches)
	r.label("a/x")
	handler.take(r, "update a/x to a/x=1")
}

func TestNamespacesOfAStoppedInformer(t *testing.T) {
	r := newRig(t, Config{Namespaces: []string{"a"}}, "a/x", "b/x")
	handler := r.handler()
	stop := r.startSynced()
	handler.take(r, "initial a/x")
	stop()
	require.NoError(t, r.setNamespaces(r.ctx, "b"))
	assert.Empty(t, r.keys())
	r.startSynced()
	handler.take(r, "gone a/x", "add b/x")
}

func TestNamespacesThatCannotBeListedChangeNothing(t *testing.T) {
	r := newRig(t, Config{Namespaces: []string{"a"}}, "a/x", "b/x", "c/x")
	r.server.Refuse("c", errors.New("no"))
	handler := r.handler()
	r.startSynced()
	handler.take(r, "initial a/x")
	ctx, cancel := context.WithCancel(r.ctx)
	changed := make(chan error, 1)
	var failures []Failure
	go func() {
		found, err := r.informer.SetNamespaces(ctx, "b", "c")
		failures = found
		changed <- err
	}()
	r.await("the answer of the API server", func() bool { return len(r.informer.Failures()) > 0 })
	handler.take(r, "add b/x")
	cancel()
	assert.EqualError(t, <-changed, `waiting for configmaps in namespace "c": context canceled`)
	assert.Equal(t, []Failure{{"c", errors.New("no")}}, failures)
	handler.take(r, "gone b/x")
	assert.Equal(t, []string{"a/x"}, r.keys())
	assert.Equal(t, []string{"a"}, r.informer.Namespaces())
	assert.Empty(t, r.informer.Failures())
	assert.True(t, r.informer.HasSynced())

	require.Error(t, r.setNamespaces(r.ctx))
	require.Error(t, r.setNamespaces(r.ctx, "a", "a"))
	require.Error(t, r.setNamespaces(r.ctx, "a", metav1.NamespaceAll))
	r.informer.ResetNamespaces([]string{"b"})
	handler.take(r, "gone a/x", "add b/x")
}

func TestNamespacesOfClusterScopedKinds(t *testing.T) {
	i := New(Config{Object: &corev1.Node{}})
	_, err := i.SetNamespaces(t.Context(), "a")
	require.NoError(t, err)
	i.ResetNamespaces([]string{"a"})
	assert.Equal(t, all, i.Namespaces())
}

// versioned is an object of namespace a with a resource version.
func versioned(name string, version int) *corev1.ConfigMap {
	o := object("a/" + name)
	o.ResourceVersion = strconv.Itoa(version)
	return o
}

// overlapped returns an informer with sources for all namespaces and for a, and a handler. Nothing runs: the test calls what
// reflectors call.
func overlapped(t *testing.T) (r *rig, whole, one *source, handler *recorder) {
	t.Helper()
	r = newRig(t, Config{})
	r.informer.join(scope{[]string{"a"}, arcs.All})
	handler = r.handler()
	r.informer.run = &run{ctx: r.ctx, delivery: r.ctx} // as if it ran
	l := r.informer.listeners[0]
	l.Launch()
	delivered := make(chan struct{})
	go func() {
		defer close(delivered)
		l.Run(r.ctx)
	}()
	t.Cleanup(func() {
		l.Stop()
		<-delivered
	})
	return r, r.informer.sources[0], r.informer.sources[1], handler
}

func replace(t *testing.T, s *source, version int, objects ...*corev1.ConfigMap) {
	t.Helper()
	var list []any
	for _, object := range objects {
		list = append(list, object)
	}
	require.NoError(t, s.Replace(list, strconv.Itoa(version)))
}

// TestOverlappingSources is what may happen while an informer goes from all namespaces to one, or back: two sources report the same
// changes, one later than the other. Handlers and store must only go forward.
func TestOverlappingSources(t *testing.T) {
	for name, test := range map[string]struct {
		do     func(t *testing.T, whole, one *source)
		events []string
		left   []string
	}{
		"a list from before an object was created": {
			func(t *testing.T, whole, one *source) {
				replace(t, whole, 5)
				require.NoError(t, whole.Add(versioned("new", 12)))
				replace(t, one, 10)
			},
			[]string{"add a/new"}, []string{"a/new"},
		},
		"a late deletion of an object that exists again": {
			func(t *testing.T, whole, one *source) {
				replace(t, whole, 5, versioned("x", 5))
				replace(t, one, 15, versioned("x", 15))
				require.NoError(t, whole.Delete(versioned("x", 12)))
			},
			[]string{"initial a/x", "update a/x to a/x"}, []string{"a/x"},
		},
		"a late addition of an object that is gone": {
			func(t *testing.T, whole, one *source) {
				replace(t, whole, 5)
				replace(t, one, 15)
				require.NoError(t, whole.Add(versioned("x", 10)))
			},
			nil, nil,
		},
		"a late update": {
			func(t *testing.T, whole, one *source) {
				replace(t, whole, 5, versioned("x", 5))
				replace(t, one, 15, versioned("x", 15))
				require.NoError(t, whole.Update(versioned("x", 10)))
			},
			[]string{"initial a/x", "update a/x to a/x"}, []string{"a/x"},
		},
		"a list that is newer": {
			func(t *testing.T, whole, one *source) {
				replace(t, whole, 5, versioned("x", 5))
				replace(t, one, 15, versioned("y", 14))
			},
			[]string{"initial a/x", "gone a/x", "add a/y"}, []string{"a/y"},
		},
		"a list that is older": {
			func(t *testing.T, whole, one *source) {
				replace(t, one, 15, versioned("y", 14))
				replace(t, whole, 5, versioned("x", 5), object("b/x"))
			},
			[]string{"add a/y", "add b/x"}, []string{"a/y", "b/x"},
		},
		"a source that goes on where another was ahead": {
			func(t *testing.T, whole, one *source) {
				replace(t, one, 5)
				replace(t, whole, 5)
				require.NoError(t, whole.Add(versioned("x", 20)))
				require.NoError(t, whole.Delete(versioned("x", 25)))
				one.informer.exchange(one.informer.settle([]*source{one}, scope{[]string{"a"}, arcs.All}))
				require.NoError(t, one.Add(versioned("x", 20)))
				require.NoError(t, one.Delete(versioned("x", 25)))
				require.NoError(t, one.Add(versioned("x", 30)))
			},
			[]string{"add a/x", "delete a/x", "add a/x"}, []string{"a/x"},
		},
		"a source for all that goes on where another was ahead": {
			func(t *testing.T, whole, one *source) {
				replace(t, whole, 5)
				replace(t, one, 5)
				require.NoError(t, one.Add(versioned("x", 20)))
				one.informer.exchange([]*source{one}, nil)
				require.NoError(t, whole.Add(versioned("x", 20)))
				require.NoError(t, whole.Update(versioned("x", 21)))
			},
			[]string{"add a/x", "update a/x to a/x"}, []string{"a/x"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, whole, one, handler := overlapped(t)
			r.informer.everSynced = name == "a list that is older"
			test.do(t, whole, one)
			assert.Equal(t, test.events, append([]string(nil), handler.next(r, len(test.events))...), "in order")
			assert.Equal(t, test.left, r.keys())
		})
	}
}

// TestVersionAfterAJoin has a namespace that is listed at an older version than the others: the store claims no more than it has.
func TestVersionAfterAJoin(t *testing.T) {
	r := newRig(t, Config{Namespaces: []string{"a"}})
	a := r.informer.sources[0]
	replace(t, a, 100)
	b := r.informer.join(scope{[]string{"a", "b"}, arcs.All})
	replace(t, b[0], 50)
	assert.Equal(t, "100", r.informer.LastSyncResourceVersion())
	r.informer.settle(b, scope{[]string{"a", "b"}, arcs.All})
	assert.Equal(t, "50", r.informer.LastSyncResourceVersion())
	for namespace, want := range map[string]string{"a": "100", "b": "50", "c": "", "": "50"} {
		assert.Equal(t, want, r.informer.Reached(namespace), namespace)
	}
	b[0].UpdateResourceVersion("120")
	assert.Equal(t, "100", r.informer.LastSyncResourceVersion())
	a.UpdateResourceVersion("130")
	assert.Equal(t, "120", r.informer.LastSyncResourceVersion())
	replace(t, a, 20) // a backup was restored
	assert.Equal(t, "20", r.informer.LastSyncResourceVersion())
	assert.Equal(t, "20", r.informer.Reached("a"))
	a.UpdateResourceVersion("unknown")
	assert.Empty(t, r.informer.LastSyncResourceVersion())
	assert.Equal(t, "unknown", r.informer.Reached("a"))
	r.informer.exchange(b, nil)
	assert.Equal(t, "unknown", r.informer.LastSyncResourceVersion(), "a single source needs no order")
}

// TestReachedWhileSourcesOverlap reports the source that is ahead.
func TestReachedWhileSourcesOverlap(t *testing.T) {
	r, whole, one, _ := overlapped(t)
	replace(t, whole, 10)
	assert.Equal(t, "10", r.informer.Reached("a"))
	replace(t, one, 12)
	assert.Equal(t, "12", r.informer.Reached("a"))
	assert.Equal(t, "10", r.informer.Reached("b"))
	whole.UpdateResourceVersion("14")
	assert.Equal(t, "14", r.informer.Reached("a"))
}

// TestChangesOfNamespacesWhileObjectsAreCreated compares the delivery.Events with what an informer may say when nothing is deleted.
func TestChangesOfNamespacesWhileObjectsAreCreated(t *testing.T) {
	r := newRig(t, Config{})
	var deleted []string
	_, err := r.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
		name, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
		if name[:2] == "a/" { // b is out of scope at times
			deleted = append(deleted, name)
		}
	}})
	require.NoError(t, err)
	stop := r.startSynced()
	writing, done := context.WithCancel(r.ctx)
	written := make(chan int)
	go func() {
		count := 0
		for ; writing.Err() == nil && count < 1_500; count++ {
			r.create(fmt.Sprintf("a/%d", count))
			r.create(fmt.Sprintf("b/%d", count))
		}
		written <- count
	}()
	for n := range 40 {
		require.NoError(t, r.setNamespaces(r.ctx, [][]string{{"a"}, all}[n%2]...))
	}
	done()
	count := <-written
	r.await("all objects", func() bool { return r.informer.store.Len("a") == count })
	stop()
	assert.Empty(t, deleted)
}

// TestSetNamespacesWhileInformersStart is for the race detector: no source must be left running.
func TestSetNamespacesWhileInformersStart(t *testing.T) {
	r := newRig(t, Config{Namespaces: []string{"a"}}, "a/x", "b/x")
	for range 200 {
		r.informer.ResetNamespaces([]string{"a"})
		stop := r.start()
		require.NoError(t, r.setNamespaces(r.ctx, "b"))
		r.await("sync", func() bool { return r.informer.IsRunning() && r.informer.HasSynced() })
		assert.Equal(t, []string{"b/x"}, r.keys())
		stop()
	}
}

// TestLeavingSourcesAreNotLaunched starts the informer after sources were stopped for good and before they are removed.
func TestLeavingSourcesAreNotLaunched(t *testing.T) {
	r := newRig(t, Config{Namespaces: []string{"a"}}, "a/x")
	assert.Len(t, r.informer.leave(r.informer.sources), 1)
	stop := r.start()
	r.await("start", r.informer.IsRunning)
	stop()
	assert.Nil(t, r.informer.sources[0].ended)
	assert.Zero(t, r.server.Lists())
}
