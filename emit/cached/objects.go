// Package cached reads objects from the indexers of informers. Generated listers and package reader are built on it.
//
// Generic functions are compiled again in each lister package, and inlined functions for each kind. To save compile time, generic
// functions only convert types; other functions do the work, and some of them are marked go:noinline.
package cached

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
)

// Objects reads the objects of one type, in one namespace or all.
type Objects struct {
	source    *source
	namespace string
}

// New returns the objects of an indexer. The resource is for NotFound errors. All objects of the indexer must have the same type;
// otherwise, functions that return objects panic.
//
//go:noinline
func New(indexer cache.Indexer, resource schema.GroupResource) Objects {
	if c, ok := indexer.(copying); ok {
		return New(c.Indexer, resource).Copies()
	}
	s := &source{indexer: indexer, resource: resource}
	s.names, _ = indexer.(names)
	s.store, _ = indexer.(store)
	return Objects{source: s}
}

// ListerSource is embedded in generated listers. Lookups cannot have that name, and no plural does.
type ListerSource struct{ Objects Objects }

// read is a method that only generated listers have.
func (s ListerSource) read() Objects { return s.Objects }

// Of returns the objects of a generated lister, and false for other implementations, such as mocks.
func Of(lister any) (objects Objects, ok bool) {
	source, ok := lister.(interface{ read() Objects })
	if !ok {
		return Objects{}, false
	}
	return source.read(), true
}

// In returns the objects of a namespace.
func (o Objects) In(namespace string) Objects { return Objects{o.source, namespace} }

// Namespace returns the namespace, or "" for all namespaces.
func (o Objects) Namespace() string { return o.namespace }

// Copies returns the same objects, in all namespaces, as deep copies.
//
//go:noinline
func (o Objects) Copies() Objects {
	s := *o.source
	s.copies = true
	return Objects{source: &s}
}

// Indexer returns an indexer with the objects of all namespaces, or with their deep copies after Copies.
//
//go:noinline
func (o Objects) Indexer() cache.Indexer {
	if o.source.copies {
		return copying{o.source.indexer}
	}
	return o.source.indexer
}

// Exists reports whether the named object exists.
func (o Objects) Exists(name string) bool {
	_, exists, err := o.find(name)
	if err != nil { // never one of client-go's indexers
		utilruntime.HandleError(fmt.Errorf("read %s: %w", o.source.resource, err))
	}
	return exists
}

// Len returns the number of objects.
func (o Objects) Len() int {
	if o.source.store != nil {
		return o.source.store.Len(o.namespace)
	}
	return len(o.all())
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

// store is implemented by the stores of generated informers.
type store interface {
	// AppendByIndex appends the objects that an index has for a key, in one namespace or all. It does not retain the key.
	AppendByIndex(dst []any, index, namespace, key string) ([]any, error)
	// Range calls yield for the objects of one namespace, or of all, until yield returns false.
	Range(namespace string, yield func(obj any) bool)
	// Len returns the number of objects in one namespace or all.
	Len(namespace string) int
}

// get returns an object, or a NotFound error.
func (o Objects) get(name string) (any, error) {
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

func (o Objects) find(name string) (obj any, exists bool, err error) {
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
func (o Objects) all() []any {
	s := o.source
	if o.namespace == metav1.NamespaceAll {
		return s.indexer.List()
	}
	if objects, err := s.indexer.ByIndex(cache.NamespaceIndex, o.namespace); err == nil {
		return objects
	}
	var objects []any // slower: there is no index by namespace
	for _, obj := range s.indexer.List() {
		if obj.(metav1.Object).GetNamespace() == o.namespace {
			objects = append(objects, obj)
		}
	}
	return objects
}

// list returns cached objects, not copies, whose labels match the selector. The slice may be the buffer's.
func (o Objects) list(b *buffer, selector labels.Selector) []any {
	if _, selectable := selector.Requirements(); !selectable {
		return nil
	}
	objects := o.all()
	if selector.Empty() {
		return objects
	}
	if len(objects) > manyObjects {
		b.objects = appendMatchingOfMany(b.objects, objects, selector)
	} else {
		b.objects = appendMatching(b.objects, objects, selector)
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

// each calls yield for cached objects, not copies, until yield returns false.
func (o Objects) each(yield func(obj any) bool) {
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

// sorted returns cached objects, not copies, sorted by namespace and name.
func (o Objects) sorted() []any {
	objects := slices.Clone(o.all())
	slices.SortFunc(objects, func(x, y any) int {
		a, b := x.(metav1.Object), y.(metav1.Object)
		if order := strings.Compare(a.GetNamespace(), b.GetNamespace()); order != 0 {
			return order
		}
		return strings.Compare(a.GetName(), b.GetName())
	})
	return objects
}
