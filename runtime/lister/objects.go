package lister

import (
	"slices"
	"unsafe"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// objects reads the objects of one type, in one namespace or all. Generic functions are compiled again for each type, so they only
// convert types; objects does the work.
type objects struct {
	source    *source
	namespace string
}

// source is the indexer that objects are read from. The fields that get uses are adjacent, for locality.
type source struct {
	indexer cache.Indexer
	// copies makes functions return deep copies.
	copies bool
	// names and store are the indexer, if it implements the interfaces.
	names    names
	store    store
	resource schema.GroupResource
}

// names is implemented by indexers that get objects by namespace and name, without allocating a key.
type names interface {
	GetByName(namespace, name string) (obj any, exists bool)
}

// store is implemented by the stores of the informers of this module.
type store interface {
	// AppendByIndex appends the objects that an index has for a key. It does not retain the key.
	AppendByIndex(dst []any, index, key string) ([]any, error)
	// Range calls yield for the objects of one namespace, or of all, until yield returns false.
	Range(namespace string, yield func(obj any) bool)
	// Len returns the number of objects in one namespace or all.
	Len(namespace string) int
}

func newObjects(indexer cache.Indexer, resource schema.GroupResource) objects {
	s := &source{indexer: indexer, resource: resource}
	if c, ok := indexer.(copying); ok {
		s.indexer, s.copies = c.Indexer, true
	}
	s.names, _ = s.indexer.(names)
	s.store, _ = s.indexer.(store)
	return objects{source: s}
}

// in returns the objects of a namespace.
func (o objects) in(namespace string) objects { return objects{o.source, namespace} }

// copied returns the same objects as deep copies.
func (o objects) copied() objects {
	s := *o.source
	s.copies = true
	return objects{&s, o.namespace}
}

// indexer returns an indexer with the objects of all namespaces.
func (o objects) indexer() cache.Indexer {
	if o.source.copies {
		return copying{o.source.indexer}
	}
	return o.source.indexer
}

// len returns the number of objects.
func (o objects) len() int {
	if o.source.store != nil {
		return o.source.store.Len(o.namespace)
	}
	return len(o.all())
}

// get returns an object, or a NotFound error.
func (o objects) get(name string) (any, error) {
	obj, exists, err := o.find(name)
	switch {
	case err != nil:
		return nil, err
	case !exists:
		return nil, apierrors.NewNotFound(o.source.resource, name)
	case o.source.copies:
		return copyOf(obj), nil
	}
	return obj, nil
}

// find returns a cached object, not a copy.
func (o objects) find(name string) (obj any, exists bool, err error) {
	if o.namespace == metav1.NamespaceAll {
		return o.source.indexer.GetByKey(name)
	}
	if o.source.names != nil {
		obj, exists = o.source.names.GetByName(o.namespace, name)
		return obj, exists, nil
	}
	return o.source.indexer.GetByKey(keyOf(o.namespace, name))
}

// keyOf joins namespace and name with a slash. It takes a third less time than the operator +.
func keyOf(namespace, name string) string {
	key := make([]byte, 0, len(namespace)+len("/")+len(name))
	key = append(append(append(key, namespace...), '/'), name...)
	return unsafe.String(unsafe.SliceData(key), len(key))
}

// all returns cached objects, not copies. The slice may be the indexer's.
func (o objects) all() []any {
	s := o.source
	if o.namespace == metav1.NamespaceAll {
		return s.indexer.List()
	}
	if found, err := s.indexer.ByIndex(cache.NamespaceIndex, o.namespace); err == nil {
		return found
	}
	var found []any // slower: there is no index by namespace
	for _, obj := range s.indexer.List() {
		if obj.(metav1.Object).GetNamespace() == o.namespace {
			found = append(found, obj)
		}
	}
	return found
}

// each calls yield for all objects, until yield returns false.
func (o objects) each(yield func(obj any) bool) {
	if o.source.copies {
		original := yield
		yield = func(obj any) bool { return original(copyOf(obj)) }
	}
	if o.source.store != nil {
		o.source.store.Range(o.namespace, yield)
		return
	}
	for _, obj := range o.all() {
		if !yield(obj) {
			return
		}
	}
}

// list returns cached objects, not copies, whose labels match the selector. The slice may be the buffer's.
func (o objects) list(b *buffer, selector labels.Selector) []any {
	if _, selectable := selector.Requirements(); !selectable {
		return nil
	}
	all := o.all()
	if selector.Empty() {
		return all
	}
	if len(all) > manyObjects {
		b.objects = appendMatchingOfMany(b.objects, all, selector)
	} else {
		b.objects = appendMatching(b.objects, all, selector)
	}
	return b.objects
}

// appendMatching appends the objects whose labels match the selector.
func appendMatching(dst, objects []any, selector labels.Selector) []any {
	for _, obj := range objects {
		if selector.Matches(labels.Set(obj.(metav1.Object).GetLabels())) {
			dst = append(dst, obj)
		}
	}
	return dst
}

// manyObjects is a number of objects that, with their labels, do not fit into a CPU cache.
const manyObjects = 4096

// appendMatchingOfMany is appendMatching for objects that are scattered in memory. It reads the labels of several objects, then
// the sizes of the maps, then their entries, so that the CPU can load several objects at the same time.
func appendMatchingOfMany(dst, objects []any, selector labels.Selector) []any {
	var all [64]map[string]string
	var sizes [len(all)]int
	unlabeled := selector.Matches(labels.Set(nil))
	for block := range slices.Chunk(objects, len(all)) {
		for i, obj := range block {
			all[i] = obj.(metav1.Object).GetLabels()
		}
		for i := range block {
			sizes[i] = len(all[i])
		}
		for i, obj := range block {
			if sizes[i] == 0 && unlabeled || sizes[i] > 0 && selector.Matches(labels.Set(all[i])) {
				dst = append(dst, obj)
			}
		}
	}
	return dst
}

// get returns an object, or a NotFound error.
func get[T Object](o objects, name string) (object T, err error) {
	obj, err := o.get(name)
	if err != nil {
		return object, err
	}
	return obj.(T), nil
}

// list returns the objects whose labels match the selector.
func list[T Object](o objects, selector labels.Selector) []T {
	b := newBuffer()
	defer b.release()
	return typed[T](o.list(b, selector), o.source.copies)
}

// typed converts the result of a read to a slice of typed objects. An empty result becomes nil.
func typed[T Object](objects []any, copies bool) []T {
	if len(objects) == 0 {
		return nil
	}
	list := make([]T, len(objects))
	for i, obj := range objects {
		if copies {
			obj = copyOf(obj)
		}
		list[i] = obj.(T)
	}
	return list
}
