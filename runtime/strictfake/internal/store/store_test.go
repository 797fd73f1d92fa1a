package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/clock"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var things = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Thing"}

// newStore returns a store with one resource.
func newStore(history int) (*Store, *Resource) {
	s := New(Config{CollectsGarbage: true, History: history, Clock: clock.RealClock{}})
	return s, s.Register(schema.GroupResource{Group: "example.com", Resource: "things"}, things, true, true)
}

// put stores an object that is named "namespace/name".
func (s *Store) put(r *Resource, path string) *Record {
	namespace, name, _ := strings.Cut(path, "/")
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetNamespace(namespace)
	u.SetName(name)
	record := NewRecord(u)
	s.Put(r, record)
	return record
}

func paths(records []*Record) (paths []string) {
	for _, record := range records {
		paths = append(paths, record.Key.String())
	}
	return paths
}

// TestPage reads pages of lists at several revisions.
func TestPage(t *testing.T) {
	s, r := newStore(100)
	for _, path := range []string{"b/x", "a-b/x", "a/y", "a/x"} {
		s.put(r, path)
	}
	s.Remove(r, Key{Namespace: "a", Name: "x"})
	s.put(r, "c/x")
	isX := func(record *Record) bool { return record.Key.Name == "x" }
	for name, test := range map[string]struct {
		query     Query
		want      []string
		start     string
		remaining int64
	}{
		"now":       {Query{Revision: 7}, []string{"a-b/x", "a/y", "b/x", "c/x"}, "", 0},
		"before":    {Query{Revision: 5}, []string{"a-b/x", "a/x", "a/y", "b/x"}, "", 0},
		"first":     {Query{Revision: 2}, []string{"b/x"}, "", 0},
		"empty":     {Query{Revision: 1}, nil, "", 0},
		"namespace": {Query{Revision: 5, Namespace: "a"}, []string{"a/x", "a/y"}, "", 0},
		"limit":     {Query{Revision: 7, Limit: 2}, []string{"a-b/x", "a/y"}, "a/y\x00", 2},
		"next":      {Query{Revision: 7, Limit: 2, Start: "a/y\x00"}, []string{"b/x", "c/x"}, "", 0},
		"local":     {Query{Revision: 5, Namespace: "a", Limit: 1}, []string{"a/x"}, "x\x00", 1},
		"matches":   {Query{Revision: 7, Limit: 1, Matches: isX}, []string{"a-b/x"}, "a-b/x\x00", 0},
	} {
		p, ok := s.Page(r, test.query)
		require.True(t, ok, name)
		assert.Equal(t, test.want, paths(p.Records), name)
		if test.start != "" {
			token, err := ParseToken(p.Continue)
			require.NoError(t, err, name)
			assert.Equal(t, Token{test.query.Revision, test.start}, token, name)
		} else {
			assert.Empty(t, p.Continue, name)
		}
		if test.remaining > 0 {
			assert.Equal(t, test.remaining, *p.Remaining, name)
		} else {
			assert.Nil(t, p.Remaining, name)
		}
	}
	s.Compact()
	_, ok := s.Page(r, Query{Revision: 6})
	assert.False(t, ok)
}

func TestToken(t *testing.T) {
	latest, err := ParseToken(Token{Start: "a"}.Encode())
	require.NoError(t, err)
	assert.Equal(t, Token{0, "a"}, latest)
	for text, want := range map[string]string{
		"?":                              "illegal base64 data",
		"e30":                            "does not recognize this encoded version",
		"eyJ2IjoxfQ":                     "cannot unmarshal number",
		"eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ": "incorrect encoded start resourceVersion",
		Token{Revision: 5}.Encode():      "encoded start key empty",
		Token{5, "../x"}.Encode():        "continue key is not valid: ../x",
	} {
		_, err := ParseToken(text)
		assert.ErrorContains(t, err, want, text)
	}
}

// TestHistory keeps two changes.
func TestHistory(t *testing.T) {
	s, r := newStore(2)
	for i := range 5 {
		s.put(r, fmt.Sprint("a/", i))
	}
	assert.EqualValues(t, 6, s.Revision())
	assert.EqualValues(t, 4, s.Oldest(r))
	_, ok := s.Page(r, Query{Revision: 3})
	assert.False(t, ok)
	p, ok := s.Page(r, Query{Revision: 4})
	require.True(t, ok)
	assert.Len(t, p.Records, 3)
}

func TestForms(t *testing.T) {
	s, r := newStore(1)
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetName("a")
	record, typed := NewRecord(u), &metav1.PartialObjectMetadata{}
	record.SetForm(things.GroupVersion(), typed)
	s.Put(r, record)
	assert.Same(t, typed, record.Form(things.GroupVersion()))
	assert.Equal(t, "2", typed.ResourceVersion, "forms have the version of the record")
	assert.Nil(t, record.Form(schema.GroupVersion{Version: "v2"}))
}

// TestReread replaces all objects or none.
func TestReread(t *testing.T) {
	s, r := newStore(10)
	a, b := s.put(r, "x/a"), s.put(r, "x/b")
	problem := errors.New("no way")
	err := s.Reread(r, func(u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		if u.GetName() == "b" {
			return nil, problem
		}
		return u.DeepCopy(), nil
	})
	require.ErrorIs(t, err, problem)
	assert.Same(t, a, r.Get(a.Key))
	require.NoError(t, s.Reread(r, func(u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		return u.DeepCopy(),
			nil
	}))
	assert.NotSame(t, b, r.Get(b.Key))
	assert.Equal(t, b.Revision, r.Get(b.Key).Revision)
	assert.EqualValues(t, 3, s.Revision())
}

// TestStored rereads what was stored, not what was read from it with an older schema.
func TestStored(t *testing.T) {
	s, r := newStore(10)
	stored := &unstructured.Unstructured{Object: map[string]any{}}
	stored.SetName("a")
	read := stored.DeepCopy()
	read.Object["spec"] = "default"
	record := NewRecord(read)
	record.Stored = stored
	s.Put(r, record)
	assert.Equal(t, "2", stored.GetResourceVersion())
	require.NoError(t, s.Reread(r, func(u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
		assert.NotContains(t, u.Object, "spec")
		return u.DeepCopy(), nil
	}))
	assert.NotContains(t, r.Get(record.Key).Object.Object, "spec")
	assert.Same(t, stored, r.Get(record.Key).Stored)
}

// all is a view of all objects.
type all struct{}

func (all) Matches(*Record) bool { return true }

func (all) Event(kind watch.EventType, record *Record, _ uint64) watch.Event {
	return watch.Event{Type: kind, Object: record.Object}
}

func (all) Bookmark(uint64, bool) watch.Event { return watch.Event{Type: watch.Bookmark} }

// TestStoppedWatch stops watches whose events nobody reads, and lets others time out.
func TestStoppedWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, r := newStore(1000)
		for i := range 2 * resultBuffer {
			s.put(r, fmt.Sprint("a/", i))
		}
		stopped, _ := s.Watch(r, all{}, WatchOptions{Initial: true})
		late, _ := s.Watch(r, all{}, WatchOptions{Initial: true, Timeout: time.Second})
		behind, _ := s.Watch(r, all{}, WatchOptions{After: 1, Timeout: time.Second})
		bookmarked, _ := s.Watch(r, all{}, WatchOptions{Bookmarks: true, Timeout: 3*time.Minute + time.Second})
		synctest.Wait()
		stopped.Stop()
		stopped.Stop()
		time.Sleep(4 * time.Minute)
		for name, w := range map[string]*Watcher{"stopped": stopped, "late": late, "behind": behind} {
			count := 0
			for range w.ResultChan() {
				count++
			}
			assert.Equal(t, resultBuffer, count, name)
		}
		count := 0
		for range bookmarked.ResultChan() {
			count++
		}
		assert.Equal(t, 3, count)
		s.Compact()
		_, ok := s.Watch(r, all{}, WatchOptions{After: 5})
		assert.False(t, ok)
	})
}
