package lister

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// AnyLister lists objects: a [Lister], a [NamespaceLister], a generated lister, or a mock.
type AnyLister[T Object] interface {
	List(selector labels.Selector) ([]T, error)
}

// Getter gets objects by name: a [NamespaceLister], or the generated lister of a cluster-scoped kind or of one namespace.
type Getter[T Object] interface {
	Get(name string) (T, error)
}

// reader is implemented by the listers of this package, which need not build a list to be read.
type reader interface{ read() objects }

// All iterates over the objects of a lister, in no particular order. It iterates over the objects that there are when it begins.
// An error of a lister of another package is logged.
func All[T Object](lister AnyLister[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		if own, ok := lister.(reader); ok {
			own.read().each(func(obj any) bool { return yield(obj.(T)) })
			return
		}
		for _, object := range listOf(lister) {
			if !yield(object) {
				return
			}
		}
	}
}

// Sorted returns the objects of a lister, sorted by namespace and name. An error of a lister of another package is logged.
func Sorted[T Object](lister AnyLister[T]) []T {
	objects := slices.Clone(listOf(lister))
	slices.SortFunc(objects, func(a, b T) int { return compare(a, b) })
	return objects
}

func compare(a, b metav1.Object) int {
	return cmp.Or(strings.Compare(a.GetNamespace(), b.GetNamespace()), strings.Compare(a.GetName(), b.GetName()))
}

// Len returns the number of objects of a lister. An error of a lister of another package is logged.
func Len[T Object](lister AnyLister[T]) int {
	if own, ok := lister.(reader); ok {
		return own.read().len()
	}
	return len(listOf(lister))
}

// Exists reports whether the named object exists. With the listers of this package, it does not allocate a NotFound error as Get
// does. Other errors are logged.
func Exists[T Object](lister Getter[T], name string) bool {
	var err error
	if own, ok := lister.(reader); ok {
		var exists bool
		if _, exists, err = own.read().find(name); err == nil {
			return exists
		}
	} else {
		_, err = lister.Get(name)
	}
	if err != nil && !apierrors.IsNotFound(err) {
		utilruntime.HandleError(err)
	}
	return err == nil
}

// listOf returns all objects of a lister.
func listOf[T Object](lister AnyLister[T]) []T {
	objects, err := lister.List(labels.Everything())
	if err != nil {
		utilruntime.HandleError(err)
	}
	return objects
}
