// Package reader has more ways to read from a lister than its methods List and Get. It accepts generated listers, the listers of one
// namespace that they return, and other implementations such as mocks, whose List or Get it calls.
package reader

import (
	"iter"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/emit/cached"
)

// Object is a pointer to an API type.
type Object = cached.Object

// Lister lists objects.
type Lister[T Object] interface {
	List(selector labels.Selector) ([]T, error)
}

// Getter gets objects by name: the lister of a cluster-scoped kind or of one namespace.
type Getter[T Object] interface {
	Get(name string) (T, error)
}

// All iterates over the objects of a lister, in no particular order. It iterates over the objects that there are when it begins.
func All[T Object](lister Lister[T]) iter.Seq[T] { return cached.All[T](objectsOf(lister)) }

// Sorted returns the objects of a lister, sorted by namespace and name.
func Sorted[T Object](lister Lister[T]) []T { return cached.Sorted[T](objectsOf(lister)) }

// Len returns the number of objects of a lister.
func Len[T Object](lister Lister[T]) int { return objectsOf(lister).Len() }

// Exists reports whether the named object exists. It does not allocate a NotFound error, as Get of generated listers does.
func Exists[T Object](lister Getter[T], name string) bool {
	if objects, ok := cached.Of(lister); ok {
		return objects.Exists(name)
	}
	_, err := lister.Get(name)
	if err != nil && !apierrors.IsNotFound(err) {
		utilruntime.HandleError(err)
	}
	return err == nil
}

// Copies returns a read-only indexer with deep copies of the objects of a lister. Pass it to the lister constructor of the same kind:
// all methods of that lister, including lookups and handwritten methods, return copies, which may be modified.
//
// The indexer of a lister that was not generated, such as a mock, lists all objects for each read, and only has the index by
// namespace, so lookups return an error. That of the lister of a namespace lists for each read too, and has no other objects.
func Copies[T Object](lister Lister[T]) cache.Indexer {
	objects := objectsOf(lister)
	if objects.Namespace() != "" {
		objects = listedBy(lister, objects.Indexer().GetIndexers())
	}
	return objects.Copies().Indexer()
}

func objectsOf[T Object](lister Lister[T]) cached.Objects {
	if objects, ok := cached.Of(lister); ok {
		return objects
	}
	return listedBy(lister, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
}

// listedBy returns objects that are read by List. An error of List is logged.
func listedBy[T Object](lister Lister[T], indexers cache.Indexers) cached.Objects {
	list := func() []any {
		list, err := lister.List(labels.Everything())
		if err != nil {
			utilruntime.HandleError(err)
		}
		objects := make([]any, len(list))
		for i, object := range list {
			objects[i] = object
		}
		return objects
	}
	return cached.New(newListed(list, indexers), schema.GroupResource{})
}
