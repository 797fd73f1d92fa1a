package shared

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/delivery"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

// TestRelistDeliversDeletionsFirst has a property that one object hands over to another, such as an address.
func TestRelistDeliversDeletionsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Config{}, "a/old", "a/zed")
		handler := r.handler()
		r.startSynced()
		handler.take(r, "initial a/old", "initial a/zed")
		release := r.server.Hold("")
		r.create("a/new")
		r.label("a/zed")
		r.delete("a/old")
		r.server.Expire()
		handler.takeInOrder(r, "gone a/old", "add a/new", "update a/zed to a/zed=1")
		release()
	})
}

// TestReadersSeeNoMixOfLists replaces all objects while a reader lists them, with and without an index, in all namespaces and in
// one.
func TestReadersSeeNoMixOfLists(t *testing.T) {
	const count = 200
	generation := func(n int) (list []any) {
		for i := range count {
			o := informertest.ConfigMap("a", fmt.Sprintf("%d-%d", n, i))
			o.Labels = map[string]string{"label": strconv.Itoa(n)}
			list = append(list, o)
		}
		return list
	}
	for _, namespace := range []string{"", "a"} {
		r := newRig(t, Config{Namespaces: []string{namespace}, Indexers: cache.Indexers{
			cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
			"all":                func(any) ([]string, error) { return []string{"all"}, nil },
		}})
		s := r.informer.sources[0]
		require.NoError(t, s.Replace(generation(0), "1"))
		ctx, stop := context.WithCancel(r.ctx)
		var readers sync.WaitGroup
		for name, read := range map[string]func() []any{
			"list":      r.informer.store.List,
			"namespace": func() []any { found, _ := r.informer.store.ByIndex(cache.NamespaceIndex, "a"); return found },
			"index":     func() []any { found, _ := r.informer.store.ByIndex("all", "all"); return found },
		} {
			readers.Go(func() {
				for ctx.Err() == nil {
					found := read()
					if assert.Len(t, found, count, name) {
						mixed := slices.ContainsFunc(found, func(o any) bool { return labelOf(o) != labelOf(found[0]) })
						assert.False(t, mixed, name)
					}
				}
			})
		}
		for n := range 50 {
			require.NoError(t, s.Replace(generation(n), "1"))
		}
		stop()
		readers.Wait()
	}
}

func labelOf(obj any) string {
	return obj.(interface{ GetLabels() map[string]string }).GetLabels()["label"]
}

func TestListsThatNameAnObjectTwice(t *testing.T) {
	r := newRig(t, Config{WatchErrorHandler: func(context.Context, *cache.Reflector, error) {}})
	s := r.informer.sources[0]
	require.NoError(t, s.Replace([]any{versioned("x", 1), versioned("y", 2), versioned("x", 3)}, "3"))
	assert.Equal(t, []string{"a/x", "a/y"}, r.keys())
	stored, _ := r.informer.store.GetByName("a", "x")
	assert.Equal(t, "3", versionOf(stored).text)
	assert.Error(t, s.Replace([]any{0}, "4"))
	assert.Error(t, s.Add(0))
	assert.Error(t, s.Delete(0))
	assert.NoError(t, s.Resync())
	require.NoError(t, s.Delete(versioned("none", 5)))
}

// TestLateListsDoNotCompleteTheNextSync has a list that arrives when its run was stopped, and the next one waits for sync.
func TestLateListsDoNotCompleteTheNextSync(t *testing.T) {
	listing, answer := make(chan struct{}), make(chan struct{})
	r := newRig(t, Config{}, "a/x")
	s := r.informer.sources[0]
	handler := &recorder{}
	ctx, cancel := context.WithCancel(r.ctx)
	r.informer.config.Transform = func(obj any) (any, error) { // is called while a list is stored
		close(listing)
		<-answer
		return obj, nil
	}
	_, err := r.informer.AddEventHandler(handler)
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.informer.RunWithContext(ctx)
	}()
	<-listing
	cancel()
	r.informer.ExpectSync() // as a factory does that restarts the informer
	next := r.informer.done()
	close(answer)
	<-ended
	select {
	case <-next:
		assert.Fail(t, "the old list has completed the sync")
	default:
	}
	assert.False(t, s.synced)
	assert.Equal(t, []string{"a/x"}, r.keys(), "its objects are as good as any")
}

// TestLowestVersionIsFoundRarely counts how often all sources are looked at: not for each event.
func TestLowestVersionIsFoundRarely(t *testing.T) {
	var namespaces []string
	for n := range 100 {
		namespaces = append(namespaces, strconv.Itoa(n))
	}
	published := 0
	r := newRig(t, Config{Namespaces: namespaces})
	r.informer.metrics.store = bookmarks(func(string) { published++ })
	for _, s := range r.informer.sources {
		replace(t, s, 10)
	}
	published = 0
	for v := range 1000 {
		r.informer.sources[7].UpdateResourceVersion(strconv.Itoa(11 + v))
	}
	assert.LessOrEqual(t, published, 1)
	assert.Equal(t, "10", r.informer.LastSyncResourceVersion())
	for _, s := range r.informer.sources {
		s.UpdateResourceVersion("500")
	}
	assert.Equal(t, "500", r.informer.LastSyncResourceVersion())
}

type bookmarks func(string)

func (b bookmarks) Bookmark(version string) { b(version) }

// TestMethods names the methods that a later client-go would add to its interfaces: the informer implements each without embedding
// the interface, so a new one fails to compile instead of being nil.
func TestMethods(t *testing.T) {
	var _ cache.SharedIndexInformer = &Informer{}
	var _ cache.Controller = controller{}
	var _ cache.ResourceEventHandlerRegistration = &delivery.Listener{}
	var _ cache.ReflectorStore = &source{}
	var _ cache.TransformingStore = &source{}
	var _ cache.ResourceVersionUpdater = &source{}
	var _ cache.ListerWatcher = &observed{}
	var _ cache.ListerWatcherWithContext = &observed{}
	assert.Equal(t, version{}, versionOf(&runtime.Unknown{}), "it has no metadata")
	o := &observed{source: newSource(New(Config{}), arcs.Part{Arcs: arcs.All}), client: cache.ToListerWatcherWithContext(informertest.NewServer().ListerWatcher(""))}
	assert.True(t, o.IsWatchListSemanticsUnSupported())
}
