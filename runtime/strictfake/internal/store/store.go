// Package store keeps the objects of a strict fake: by resource, namespace and name, each at a revision, with the history of
// changes that lists and watches from older revisions need. It also deletes objects and collects garbage, because both only depend
// on metadata. It knows nothing of Go types and schemas; the codec room does.
//
// A Store has one lock, which callers hold around all calls, see Store.Lock. Only watches take it themselves. Records are immutable
// once they are stored, apart from their decoded forms, which the lock guards too.
package store

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
)

// Key identifies an object of a resource.
type Key = cache.ObjectName

// Config configures a store.
type Config struct {
	// CollectsGarbage is set if dependents of deleted objects are deleted too.
	CollectsGarbage bool
	// History is how many changes of each resource are kept.
	History int
	// Clock is the clock of creation and deletion timestamps.
	Clock clock.PassiveClock
}

// firstRevision is the revision of a store without objects. It is not 0, which means "any version".
const firstRevision = 1

// Store has the objects of all resources. Revisions count their changes.
type Store struct {
	config Config
	lock   sync.Mutex
	// revision is the revision of the last change, and compacted the oldest revision that is kept.
	revision, compacted uint64
	resources           map[schema.GroupResource]*Resource
	// kinds are the kinds of all resources, in all versions.
	kinds   map[schema.GroupVersionKind]bool
	garbage *graph
}

// New returns a store without resources.
func New(config Config) *Store {
	return &Store{
		config: config, revision: firstRevision, compacted: firstRevision,
		resources: map[schema.GroupResource]*Resource{}, kinds: map[schema.GroupVersionKind]bool{}, garbage: newGraph(),
	}
}

// Lock locks the store. Whoever holds the lock must not call clients of the server.
func (s *Store) Lock() { s.lock.Lock() }

// Unlock unlocks the store.
func (s *Store) Unlock() { s.lock.Unlock() }

// Revision returns the revision of the last change.
func (s *Store) Revision() uint64 { return s.revision }

// Now returns the time for timestamps, to the second.
func (s *Store) Now() metav1.Time { return metav1.NewTime(s.config.Clock.Now().Truncate(time.Second)) }

// Resource has all objects of a kind.
type Resource struct {
	// Kind is the kind of the objects.
	Kind schema.GroupKind
	// Namespaced is set if objects are in namespaces.
	Namespaced bool
	// Counted is set if objects have a metadata.generation.
	Counted bool

	objects map[Key]*Record
	// sorted caches the keys of the objects in list order.
	sorted []Key
	// oldest is the change before the first change that is kept, and latest the last change.
	oldest, latest *change
	// kept is the number of changes that are kept.
	kept int
}

// Register returns the resource with a name, and adds it to the store if it is new. From then on, the garbage collector knows
// whether owners of this kind and version exist.
func (s *Store) Register(name schema.GroupResource, kind schema.GroupVersionKind, namespaced, counted bool) *Resource {
	s.kinds[kind] = true
	r := s.resources[name]
	if r == nil {
		start := &change{nextAvailable: make(chan struct{})}
		r = &Resource{
			Kind: kind.GroupKind(), Namespaced: namespaced, Counted: counted,
			objects: map[Key]*Record{}, oldest: start, latest: start,
		}
		s.resources[name] = r
	}
	return r
}

// Record is an object at one revision. It is immutable.
type Record struct {
	// Key has the namespace and name of the object.
	Key Key
	// Object is the object in the storage version, as a server reads it.
	Object *unstructured.Unstructured
	// Stored is the object as a server stores it. Defaults may be missing, and fields may be left from an older schema.
	Stored *unstructured.Unstructured
	// Revision is the revision of the change that stored the object, or 0 if it is not stored.
	Revision uint64
	// Untidy is set if the stored object has fields that a server drops when it reads the object. The next write then counts as a
	// change.
	Untidy bool

	forms []form
}

// form is a record's object as a Go object.
type form struct {
	version schema.GroupVersion
	object  runtime.Object
}

// NewRecord returns a record of an object that is not stored yet and that a server reads as it stores it. The record owns the object.
func NewRecord(object *unstructured.Unstructured) *Record {
	return &Record{Key: Key{Namespace: object.GetNamespace(), Name: object.GetName()}, Object: object, Stored: object}
}

// Form returns the form of the record for a version, or nil if SetForm has not been called for that version.
func (r *Record) Form(version schema.GroupVersion) runtime.Object {
	for _, f := range r.forms {
		if f.version == version {
			return f.object
		}
	}
	return nil
}

// SetForm keeps a form of the record for a version. The object must not be modified from then on.
func (r *Record) SetForm(version schema.GroupVersion, object runtime.Object) {
	r.forms = append(r.forms, form{version, object})
}

// setRevision sets the revision of a record that is not shared yet, and the resource version of its object.
func (r *Record) setRevision(revision uint64) {
	version := strconv.FormatUint(revision, 10)
	r.Revision = revision
	r.Object.SetResourceVersion(version)
	r.Stored.SetResourceVersion(version)
	for _, f := range r.forms {
		if accessor, ok := f.object.(metav1.Object); ok {
			accessor.SetResourceVersion(version)
		}
	}
}

// Get returns the record of a key, or nil if the store lacks the key.
func (r *Resource) Get(key Key) *Record { return r.objects[key] }

// keys returns the keys of all objects in list order.
func (r *Resource) keys() []Key {
	if r.sorted == nil {
		r.sorted = slices.Collect(maps.Keys(r.objects))
		slices.SortFunc(r.sorted, compareKeys)
	}
	return r.sorted
}

// compareKeys compares keys as etcd does, as strings "namespace/name".
func compareKeys(a, b Key) int {
	if a.Namespace == b.Namespace {
		return strings.Compare(a.Name, b.Name)
	}
	return strings.Compare(a.Namespace+"/", b.Namespace+"/")
}

// Put stores a record at the next revision, in place of the object with the same key.
func (s *Store) Put(r *Resource, record *Record) { s.change(r, record.Key, record) }

// Remove removes the object with a key, which must exist.
func (s *Store) Remove(r *Resource, key Key) { s.change(r, key, nil) }

// change stores a record, or removes the object if it is nil, and appends the change to the history.
func (s *Store) change(r *Resource, key Key, is *Record) {
	was := r.objects[key]
	s.revision++
	if is == nil {
		delete(r.objects, key)
	} else {
		is.setRevision(s.revision)
		r.objects[key] = is
	}
	if is == nil || was == nil {
		r.sorted = nil
	}
	s.garbage.observe(place{r, key}, is, was)
	r.append(&change{key: key, is: is, was: was, revision: s.revision, nextAvailable: make(chan struct{})})
	for ; r.kept > s.config.History; r.kept-- {
		r.oldest = r.oldest.next
	}
}

// Reread reads the stored objects of a resource again, after their schema has changed, and replaces its objects. Their revisions
// do not change, and watches see nothing. If read fails, Reread returns its error, and all objects stay as they were.
func (s *Store) Reread(r *Resource, read func(stored *unstructured.Unstructured) (*unstructured.Unstructured, error)) error {
	rewritten := make(map[Key]*Record, len(r.objects))
	for key, old := range r.objects {
		u, err := read(old.Stored)
		if err != nil {
			return err
		}
		record := NewRecord(u)
		record.Stored, record.Untidy = old.Stored, old.Untidy
		record.setRevision(old.Revision)
		rewritten[key] = record
	}
	r.objects = rewritten
	return nil
}
