package lister

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"

	"k8s.io/client-go/tools/cache"
)

// Value is what an [Index] finds objects by: a string, a boolean, an integer, or an entry of a map.
type Value interface {
	~string | ~bool | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | Entry
}

// Entry is an entry of a map, such as a label. A key must not contain a zero byte; keys of labels and annotations cannot.
type Entry struct{ Key, Value string }

// Index finds objects by the values of a property, in all namespaces or in one. It is declared once, usually as a package
// variable, and added to each informer that it looks up in, see [Indexers]. An Index may be used concurrently.
type Index[T Object, V Value] struct {
	name string
	// namespaced is the name of a second index, for lookups in a namespace. Its keys begin with the namespace.
	namespaced string
	valuesOf   func(T) []V
	kind       reflect.Kind
}

// NewIndex returns an index. An object is found by each of the values that valuesOf returns for it, also by zero values, and is not
// found if there are none. The function valuesOf must not modify the object, and depend on nothing else. The name must be unique
// for an informer; the path of the field is a good one, with the name of the package in front if the index is for informers of
// others.
func NewIndex[T Object, V Value](name string, valuesOf func(object T) []V) *Index[T, V] {
	return &Index[T, V]{name: name, namespaced: "namespace/" + name, valuesOf: valuesOf, kind: reflect.TypeFor[V]().Kind()}
}

// Name returns the name of the index.
func (i *Index[T, V]) Name() string { return i.name }

// Indexed is what an [Index] looks up in: an informer of package informer, a [Lister], or a cache.Indexer.
type Indexed interface {
	ByIndex(indexName, indexedValue string) ([]any, error)
}

// Get returns the objects that have a value, in all namespaces and in no particular order. It returns an error if the index was not
// added to the informer.
func (i *Index[T, V]) Get(in Indexed, value V) ([]T, error) {
	return i.lookUp(in, i.name, "", value)
}

// In is Get for one namespace, and as fast. For cluster-scoped kinds, namespace is empty.
func (i *Index[T, V]) In(in Indexed, namespace string, value V) ([]T, error) {
	if namespace == "" {
		return i.Get(in, value)
	}
	return i.lookUp(in, i.namespaced, namespace, value)
}

// lookUp returns the objects that one of the two indexes has for a value. The namespace is empty for the first one.
func (i *Index[T, V]) lookUp(in Indexed, index, namespace string, value V) ([]T, error) {
	if holder, ok := in.(interface{ Indexer() cache.Indexer }); ok {
		in = holder.Indexer()
	}
	copied, copies := in.(copying)
	if copies {
		in = copied.Indexer
	}
	fast, ok := in.(store)
	if !ok {
		found, err := in.ByIndex(index, i.key(namespace, value))
		return result[T](found, copies, err)
	}
	b := newBuffer()
	defer b.release()
	b.key = i.appendKey(b.key, namespace, value)
	var err error
	b.objects, err = fast.AppendByIndex(b.objects, index, b.text())
	return result[T](b.objects, copies, err)
}

// result returns the objects or the error of a lookup.
func result[T Object](found []any, copies bool, err error) ([]T, error) {
	if err != nil {
		return nil, fmt.Errorf("look up %v: %w; add the index to the informer: informer.WithIndexers(lister.Indexers(index))",
			reflect.TypeFor[T](), err)
	}
	return typed[T](found, copies), nil
}

// key returns the key of a value. For strings without a namespace, it is the string itself, not a copy.
func (i *Index[T, V]) key(namespace string, value V) string {
	if namespace == "" && i.kind == reflect.String {
		return reflect.ValueOf(value).String()
	}
	return string(i.appendKey(make([]byte, 0, 64), namespace, value))
}

// appendKey appends the key of a value, which begins with the namespace if that is not empty.
func (i *Index[T, V]) appendKey(dst []byte, namespace string, value V) []byte {
	if namespace != "" {
		dst = append(append(dst, namespace...), '/')
	}
	switch v := reflect.ValueOf(value); i.kind {
	case reflect.String:
		return append(dst, v.String()...)
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Struct:
		entry := any(value).(Entry)
		return append(append(append(dst, entry.Key...), 0), entry.Value...)
	default:
		if v.CanInt() {
			return strconv.AppendInt(dst, v.Int(), 10)
		}
		return strconv.AppendUint(dst, v.Uint(), 10)
	}
}

// keys returns the keys of an object, with its namespace or without. Objects of other types have none.
func (i *Index[T, V]) keys(obj any, namespaced bool) []string {
	object, ok := obj.(T)
	if !ok {
		return nil
	}
	namespace := ""
	if namespaced {
		if namespace = object.GetNamespace(); namespace == "" {
			return nil // cluster-scoped: In uses the other index
		}
	}
	values := i.valuesOf(object)
	if len(values) == 0 {
		return nil
	}
	keys := make([]string, len(values))
	for n, value := range values {
		keys[n] = i.key(namespace, value)
	}
	return keys
}

// Definition is an [Index] of any types.
type Definition interface {
	// Name returns the name of the index.
	Name() string
	indexers() cache.Indexers
}

// indexers returns the two indexes behind an Index.
func (i *Index[T, V]) indexers() cache.Indexers {
	return cache.Indexers{
		i.name:       func(obj any) ([]string, error) { return i.keys(obj, false), nil },
		i.namespaced: func(obj any) ([]string, error) { return i.keys(obj, true), nil },
	}
}

// Indexers returns what an informer or a cache.Indexer needs for lookups in indexes, with the index by namespace that every
// informer should have. Pass it to informer.WithIndexers, to Source.WithIndexers, or to cache.NewIndexer. If two indexes have the
// same name, the last one counts.
//
// AddIndexers of client-go's informers refuses an index that the informer has. Informers of factories have the index by namespace: delete
// cache.NamespaceIndex from the result before.
func Indexers(indexes ...Definition) cache.Indexers {
	all := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	for _, index := range indexes {
		maps.Copy(all, index.indexers())
	}
	return all
}
