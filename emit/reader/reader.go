// Package reader reads more from listers than List and Get do. It accepts the generated listers, those of one namespace, and any
// other implementation of their interfaces, such as a mock, of which it calls List or Get.
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

// Lister lists objects.
type Lister[T cached.Object] interface {
	List(selector labels.Selector) ([]T, error)
}

// Getter gets objects by name: the lister of a cluster-scoped kind or of one namespace.
type Getter[T cached.Object] interface {
	Get(name string) (T, error)
}

// All iterates over the objects of a lister, in no particular order. With generated listers, no slice of all objects is allocated.
func All[T cached.Object](lister Lister[T]) iter.Seq[T] { return cached.All[T](objectsOf(lister)) }

// Sorted returns the objects of a lister, sorted by namespace and name.
func Sorted[T cached.Object](lister Lister[T]) []T { return cached.Sorted[T](objectsOf(lister)) }

// Len returns the number of objects of a lister.
func Len[T cached.Object](lister Lister[T]) int { return objectsOf(lister).Len() }

// Exists reports whether the named object exists. It does not allocate a NotFound error, as Get of generated listers does.
func Exists[T cached.Object](lister Getter[T], name string) bool {
	if objects, ok := cached.Of(lister); ok {
		return objects.Exists(name)
	}
	_, err := lister.Get(name)
	if err != nil && !apierrors.IsNotFound(err) {
		utilruntime.HandleError(err)
	}
	return err == nil
}

// Copies returns an indexer with deep copies of the objects of a lister. Pass it to the constructor of the lister, for one whose
// methods, including lookups and handwritten methods, return copies, which may be modified. Lookups need a generated lister.
func Copies[T cached.Object](lister Lister[T]) cache.Indexer {
	objects := objectsOf(lister)
	if objects.Namespace() != "" {
		objects = foreign(lister) // the indexer has only what the lister has
	}
	return objects.Copies().Indexer()
}

func objectsOf[T cached.Object](lister Lister[T]) cached.Objects {
	if objects, ok := cached.Of(lister); ok {
		return objects
	}
	return foreign(lister)
}

// foreign returns objects that are read by List. An error of List is logged.
func foreign[T cached.Object](lister Lister[T]) cached.Objects {
	return cached.New(newListed(func() []any {
		list, err := lister.List(labels.Everything())
		if err != nil {
			utilruntime.HandleError(err)
		}
		objects := make([]any, len(list))
		for i, object := range list {
			objects[i] = object
		}
		return objects
	}), schema.GroupResource{})
}
