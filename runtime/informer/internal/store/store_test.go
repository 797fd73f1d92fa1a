package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
)

func pod(namespace, name, node string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: corev1.PodSpec{NodeName: node}}
}

func nameOf(obj any) cache.ObjectName {
	name, err := NameOf(obj)
	if err != nil {
		return cache.ObjectName{Name: err.Error()}
	}
	return name
}

// indexers has an index with one key, one with two keys, and one whose function fails for pods without a node.
func indexers() cache.Indexers {
	return cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		"node": func(obj any) ([]string, error) {
			if node := obj.(*corev1.Pod).Spec.NodeName; node != "" {
				return []string{node}, nil
			}
			return nil, errors.New("no node")
		},
		"two": func(obj any) ([]string, error) {
			return []string{obj.(*corev1.Pod).Name, obj.(*corev1.Pod).Spec.NodeName}, nil
		},
	}
}

func objectsOf(pods ...*corev1.Pod) Objects {
	objects := Objects{}
	for _, p := range pods {
		objects.Put(nameOf(p), p)
	}
	return objects
}

// model is a store of client-go with the same objects, which a store is compared with.
type model struct {
	cache.Indexer

	*testing.T
}

func newModel(t *testing.T) model {
	return model{cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers()), t}
}

func sorted(objects []any) []string {
	var names []string
	for _, obj := range objects {
		names = append(names, fmt.Sprint(nameOf(obj), " on ", obj.(*corev1.Pod).Spec.NodeName))
	}
	return slices.Sorted(slices.Values(names))
}

// equal compares all that can be read.
func (m model) equal(s *Store) {
	m.Helper()
	assert.Equal(m, sorted(m.List()), sorted(s.List()))
	assert.ElementsMatch(m, m.ListKeys(), s.ListKeys())
	assert.Equal(m, len(m.List()), s.Len(metav1.NamespaceAll))
	for name := range indexers() {
		assert.ElementsMatch(m, m.ListIndexFuncValues(name), s.ListIndexFuncValues(name), name)
		for _, key := range append(m.ListIndexFuncValues(name), "none") {
			want, err := m.ByIndex(name, key)
			require.NoError(m, err)
			got, err := s.ByIndex(name, key)
			require.NoError(m, err)
			assert.Equal(m, sorted(want), sorted(got), "%s %s", name, key)
			keys, err := m.IndexKeys(name, key)
			require.NoError(m, err)
			gotKeys, err := s.IndexKeys(name, key)
			require.NoError(m, err)
			assert.ElementsMatch(m, keys, gotKeys)
		}
	}
	for _, obj := range m.List() {
		for name := range indexers() {
			want, wantErr := m.Index(name, obj)
			got, err := s.Index(name, obj)
			assert.Equal(m, wantErr, err)
			assert.Equal(m, sorted(want), sorted(got))
		}
		got, exists, err := s.Get(obj)
		assert.NoError(m, err)
		assert.True(m, exists)
		assert.Same(m, obj, got)
	}
}

// TestStoreEqualsClientGos makes the same changes to a store and to one of client-go.
func TestStoreEqualsClientGos(t *testing.T) {
	s, m := New(indexers()), newModel(t)
	for _, p := range []*corev1.Pod{pod("a", "x", "n"), pod("a", "y", "n"), pod("b", "x", "m"), pod("a", "x", "m"), pod("c", "n", "n")} {
		require.NoError(t, s.Add(p))
		require.NoError(t, m.Add(p))
		m.equal(s)
	}
	moved := pod("b", "x", "n")
	require.NoError(t, s.Update(moved))
	require.NoError(t, m.Update(moved))
	m.equal(s)
	for _, gone := range []any{moved, pod("a", "y", "n"), pod("none", "none", "n")} {
		require.NoError(t, s.Delete(gone))
		require.NoError(t, m.Delete(gone))
		m.equal(s)
	}
	list := []any{pod("a", "x", "n"), pod("d", "x", "m")}
	require.NoError(t, s.Replace(list, "5"))
	require.NoError(t, m.Replace(list, "5"))
	m.equal(s)
	assert.Equal(t, "5", s.LastStoreSyncResourceVersion())
	assert.NoError(t, s.Resync())
}

func TestSwap(t *testing.T) {
	for _, namespace := range []string{metav1.NamespaceAll, "a", "b", "c"} {
		s, m := New(indexers()), newModel(t)
		kept, changed, gone, other := pod("a", "kept", "n"), pod("a", "changed", "n"), pod("a", "gone", "n"), pod("b", "other", "n")
		for _, p := range []*corev1.Pod{kept, changed, gone, other} {
			require.NoError(t, s.Add(p))
			require.NoError(t, m.Add(p))
		}
		fresh := map[string]Objects{
			metav1.NamespaceAll: objectsOf(kept, pod("a", "changed", "m"), pod("c", "new", "n")),
			"a":                 objectsOf(kept, pod("a", "changed", "m"), pod("a", "new", "m")),
			"b":                 {},
			"c":                 objectsOf(pod("c", "new", "m")),
		}[namespace]
		before := map[string]map[string]any{}
		told := false
		s.Swap(namespace, func(old Objects) Objects {
			before = maps.Clone(old)
			assert.Equal(t, sorted([]any{kept, changed, gone, other}), sorted(s.List()), "nothing has changed")
			return fresh
		}, func() {
			told = true
			_, exists := s.GetByName("c", "new")
			_, expected := fresh["c"]
			assert.Equal(t, expected, exists, "all has changed")
		})
		assert.True(t, told)
		for in, objects := range before {
			assert.True(t, namespace == metav1.NamespaceAll || in == namespace)
			for _, obj := range objects {
				require.NoError(t, m.Delete(obj))
			}
		}
		for _, obj := range fresh.All() {
			require.NoError(t, m.Add(obj))
		}
		m.equal(s)
	}
}

// TestFailingIndexFunctions leave objects out of the index, and out of nothing else.
func TestFailingIndexFunctions(t *testing.T) {
	var told []error
	defer func(before []utilruntime.ErrorHandler) { utilruntime.ErrorHandlers = before }(utilruntime.ErrorHandlers)                             //nolint:reassign // it is a hook
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{func(_ context.Context, err error, _ string, _ ...any) { told = append(told, err) }} //nolint:reassign // it is a hook
	s := New(indexers())
	require.NoError(t, s.Add(pod("a", "x", "")))
	require.Len(t, told, 1)
	assert.EqualError(t, told[0], `index "node" omits a/x: no node`)
	assert.Empty(t, s.ListIndexFuncValues("node"))
	assert.Equal(t, 1, s.Len("a"))
	_, err := s.Index("node", pod("a", "x", ""))
	assert.EqualError(t, err, "no node")
}

// TestPanickingIndexFunctions change nothing, and leave no lock behind.
func TestPanickingIndexFunctions(t *testing.T) {
	broken := true
	s := New(cache.Indexers{"index": func(any) ([]string, error) {
		if broken {
			panic("broken") //nolint:forbidigo // as code of users does
		}
		return []string{"key"}, nil
	}})
	assert.Panics(t, func() { _ = s.Add(pod("a", "x", "n")) })
	assert.Panics(t, func() { _ = s.Replace([]any{pod("a", "x", "n")}, "1") })
	assert.Empty(t, s.List())
	broken = false
	require.NoError(t, s.Add(pod("a", "x", "n")))
	assert.Len(t, s.List(), 1)
}

func TestMissingIndexes(t *testing.T) {
	s := New(nil)
	_, err := s.ByIndex("none", "x")
	assert.EqualError(t, err, "index with name none does not exist")
	_, err = s.Index("none", pod("a", "x", "n"))
	assert.Error(t, err)
	_, err = s.IndexKeys("none", "x")
	assert.Error(t, err)
	assert.Nil(t, s.ListIndexFuncValues("none"))
}

func TestAddIndexers(t *testing.T) {
	s, m := New(nil), newModel(t)
	for _, p := range []*corev1.Pod{pod("a", "x", "n"), pod("b", "x", "m")} {
		require.NoError(t, s.Add(p))
		require.NoError(t, m.Add(p))
	}
	require.NoError(t, s.AddIndexers(indexers()))
	m.equal(s)
	more := cache.Indexers{"node": cache.MetaNamespaceIndexFunc, "other": cache.MetaNamespaceIndexFunc}
	assert.EqualError(t, s.AddIndexers(more), `indexer conflict: duplicate index "node"`)
	assert.Len(t, s.GetIndexers(), 3, "none was added")
	s.AddMissing(more)
	assert.Len(t, s.GetIndexers(), 4)
	s.RemoveIndexer("other")
	assert.Len(t, s.GetIndexers(), 3)
	require.NoError(t, s.AddIndexers(cache.Indexers{"other": cache.MetaNamespaceIndexFunc}))
	s.RemoveIndexer("other")
	m.equal(s)
}

// TestNamespaceIndexIsReserved has another function under the name of the index by namespace.
func TestNamespaceIndexIsReserved(t *testing.T) {
	s := New(cache.Indexers{cache.NamespaceIndex: func(any) ([]string, error) { return []string{"x"}, nil }})
	require.NoError(t, s.Add(pod("a", "x", "n")))
	found, err := s.ByIndex(cache.NamespaceIndex, "a")
	require.NoError(t, err)
	assert.Len(t, found, 1)
	found, err = s.Index(cache.NamespaceIndex, pod("a", "y", "n"))
	require.NoError(t, err)
	assert.Len(t, found, 1)
}

func TestNames(t *testing.T) {
	s := New(nil)
	require.NoError(t, s.Add(pod("a", "x", "n")))
	for _, obj := range []any{cache.ExplicitKey("a/x"), cache.DeletedFinalStateUnknown{Key: "a/x"}, pod("a", "x", "m")} {
		_, exists, err := s.Get(obj)
		require.NoError(t, err)
		assert.True(t, exists)
	}
	_, exists, err := s.GetByKey("a/b/c")
	assert.NoError(t, err)
	assert.False(t, exists)
	_, exists, err = s.GetByKey("a/x")
	assert.NoError(t, err)
	assert.True(t, exists)
	_, _, err = s.Get(0)
	assert.ErrorContains(t, err, "object has no meta")
	assert.Error(t, s.Add(0))
	assert.Error(t, s.Delete(0))
	assert.Error(t, s.Replace([]any{0}, ""))
	assert.Nil(t, s.Remove(cache.NewObjectName("a", "none")))
}

func TestRange(t *testing.T) {
	s := New(nil)
	for n := range 3 {
		require.NoError(t, s.Add(pod("a", strconv.Itoa(n), "n")))
		require.NoError(t, s.Add(pod("b", strconv.Itoa(n), "n")))
	}
	for namespace, want := range map[string]int{"": 6, "a": 3, "none": 0} {
		seen := 0
		s.Range(namespace, func(any) bool { seen++; return s.Len("") > 0 })
		assert.Equal(t, want, seen, "and the store can be read meanwhile")
	}
	seen := 0
	s.Range("", func(any) bool { seen++; return seen < 2 })
	assert.Equal(t, 2, seen)
}

func TestBytes(t *testing.T) {
	s := New(nil)
	assert.Zero(t, s.Bytes())
	small, large := pod("a", "0", "n"), pod("a", "1", "n")
	large.Labels = map[string]string{"key": "value"}
	large.Finalizers = make([]string, 5, 10)
	sizes := map[*corev1.Pod]int64{}
	for _, p := range []*corev1.Pod{small, large} {
		one := New(nil)
		require.NoError(t, one.Add(p))
		sizes[p] = one.Bytes()
	}
	assert.Equal(t, int64(len("key")+len("value")+2*16+10*16), sizes[large]-sizes[small])
	for n := range 2 * samples {
		require.NoError(t, s.Add(pod("a", fmt.Sprintf("%03d", n), "n")))
	}
	assert.Equal(t, (sizes[small]+2)*2*samples, s.Bytes())
	require.NoError(t, s.Add(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.Now(), UID: "u"}}))
}

func TestReadingByIndexAllocatesNothing(t *testing.T) {
	s := New(indexers())
	require.NoError(t, s.Add(pod("a", "x", "n")))
	buffer := make([]any, 0, 1)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		buffer, _ = s.AppendByIndex(buffer[:0], "node", "n")
		_, _ = s.GetByName("a", "x")
	}))
	assert.Len(t, buffer, 1)
}

// TestReadingAsIndexerAllocatesLittle reads as client-go's listers do: by key, and by index with a new slice for the result.
func TestReadingAsIndexerAllocatesLittle(t *testing.T) {
	s := New(indexers())
	for n := range 10 {
		require.NoError(t, s.Add(pod("a", strconv.Itoa(n), "n")))
	}
	var indexer cache.Indexer = s
	assert.Zero(t, testing.AllocsPerRun(100, func() { _, _, _ = indexer.GetByKey("a/1") }))
	for index, key := range map[string]string{"node": "n", cache.NamespaceIndex: "a"} {
		// With the race detector, making room in a slice allocates twice.
		assert.LessOrEqual(t, testing.AllocsPerRun(100, func() { _, _ = indexer.ByIndex(index, key) }), 2.0, index)
	}
}
