package strict

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// record is an object at one revision. It is immutable.
type record struct {
	// object is the object in the storage version.
	object   *unstructured.Unstructured
	revision uint64
	// untidy is set if the stored object has fields that a server drops when it reads the object. The next write then counts as a
	// change.
	untidy bool

	lock sync.Mutex
	// typed caches the object in the types of requested versions.
	typed map[schema.GroupVersion]runtime.Object
}

func newRecord(object *unstructured.Unstructured) *record {
	return &record{object: object, typed: map[schema.GroupVersion]runtime.Object{}}
}

// setRevision sets the revision of a record that is not shared yet, and the resource version of its object.
func (r *record) setRevision(revision uint64) {
	version := strconv.FormatUint(revision, 10)
	r.revision = revision
	r.object.SetResourceVersion(version)
	for _, typed := range r.typed {
		if accessor, ok := typed.(metav1.Object); ok {
			accessor.SetResourceVersion(version)
		}
	}
}

// change is a change in the history of a resource. Each watch refers to the change that it delivered last and waits for the next,
// so slow watches block nothing, and changes that no watch needs can be freed.
type change struct {
	key           cache.ObjectName
	is, was       *record // is is nil for deletions, was for creations
	revision      uint64
	next          *change
	nextAvailable chan struct{}
}

// resource has all objects of a kind.
type resource struct {
	name    schema.GroupResource
	storage *served
	objects map[cache.ObjectName]*record
	// sorted caches the keys of the objects in list order.
	sorted []cache.ObjectName
	// oldest is the change before the first change that is kept, and latest the last change.
	oldest, latest *change
	remembered     int
}

func newResource(name schema.GroupResource) *resource {
	start := &change{nextAvailable: make(chan struct{})}
	return &resource{name: name, objects: map[cache.ObjectName]*record{}, oldest: start, latest: start}
}

// keys returns the keys of all objects in list order.
func (r *resource) keys() []cache.ObjectName {
	if r.sorted == nil {
		r.sorted = slices.Collect(maps.Keys(r.objects))
		slices.SortFunc(r.sorted, compareKeys)
	}
	return r.sorted
}

// compareKeys compares keys as etcd does, as strings "namespace/name".
func compareKeys(a, b cache.ObjectName) int {
	if a.Namespace == b.Namespace {
		return strings.Compare(a.Name, b.Name)
	}
	return strings.Compare(a.Namespace+"/", b.Namespace+"/")
}

// put stores a record, or removes the object if it is nil, and records the change.
func (s *Server) put(r *resource, key cache.ObjectName, is *record) {
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
	for ; r.remembered > s.remembered; r.remembered-- {
		r.oldest = r.oldest.next
	}
}

func (r *resource) append(c *change) {
	r.latest.next = c
	close(r.latest.nextAvailable)
	r.latest = c
	r.remembered++
}

// forget drops the changes up to a revision.
func (r *resource) forget(revision uint64) {
	for r.oldest.next != nil && r.oldest.next.revision <= revision {
		r.oldest = r.oldest.next
		r.remembered--
	}
}

// since returns the last change up to a revision. It returns false if later changes may have been dropped.
func (s *Server) since(r *resource, revision uint64) (*change, bool) {
	if revision < max(r.oldest.revision, s.compacted) {
		return nil, false
	}
	c := r.oldest
	if revision >= r.latest.revision {
		return r.latest, true
	}
	for c.next != nil && c.next.revision <= revision {
		c = c.next
	}
	return c, true
}

// convertStored converts all objects of a resource to the storage version. Their revisions do not change.
func (s *Server) convertStored(r *resource) error {
	for key, old := range r.objects {
		u, err := s.inVersion(r.storage, old.object)
		if err != nil {
			return err
		}
		u = u.DeepCopy()
		r.storage.schema.Prune(u.Object)
		r.storage.schema.Default(u.Object)
		converted := newRecord(u)
		converted.setRevision(old.revision)
		r.objects[key] = converted
	}
	return nil
}

// at returns the keys of a resource, in list order, and its objects at a revision. It returns false if the revision is no longer kept.
func (s *Server) at(r *resource, revision uint64) ([]cache.ObjectName, map[cache.ObjectName]*record, bool) {
	c, ok := s.since(r, revision)
	if !ok {
		return nil, nil, false
	}
	if c.next == nil {
		return r.keys(), r.objects, true
	}
	objects, undone := maps.Clone(r.objects), map[cache.ObjectName]bool{}
	for c = c.next; c != nil; c = c.next {
		if undone[c.key] {
			continue
		}
		undone[c.key] = true
		if c.was == nil {
			delete(objects, c.key)
		} else {
			objects[c.key] = c.was
		}
	}
	return slices.SortedFunc(maps.Keys(objects), compareKeys), objects, true
}
