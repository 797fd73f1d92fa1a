package lister

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"k8s.io/client-go/tools/cache"
)

// Value is what an [Index] finds objects by: a string, a boolean, an integer, or an entry of a map.
type Value interface {
	~string | ~bool | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | Entry
}

// Entry is an entry of a map, such as a label. A key must not contain a zero byte; those of labels and annotations cannot.
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
	b := newBuffer()
	defer b.release()
	if i.kind == reflect.String {
		return lookUp[T](in, i.name, reflect.ValueOf(value).String(), b)
	}
	b.key = i.appendKey(b.key, value)
	return lookUp[T](in, i.name, b.text(), b)
}

// In is Get for one namespace, and as fast. For cluster-scoped kinds, namespace is empty.
func (i *Index[T, V]) In(in Indexed, namespace string, value V) ([]T, error) {
	if namespace == "" {
		return i.Get(in, value)
	}
	b := newBuffer()
	defer b.release()
	b.key = i.appendKey(append(append(b.key, namespace...), '/'), value)
	return lookUp[T](in, i.namespaced, b.text(), b)
}

// lookUp returns the objects that an index has for a key, which may be the text of the buffer.
func lookUp[T Object](in Indexed, index, key string, b *buffer) ([]T, error) {
	found, copies, err := find(in, index, key, b)
	if err != nil {
		return nil, fmt.Errorf("look up %v: %w; add the index to the informer: informer.WithIndexers(lister.Indexers(index))",
			reflect.TypeFor[T](), err)
	}
	return typed[T](found, copies), nil
}

// find returns the objects that an index has for a key, which may be the text of the buffer, and whether they must be copied. The slice
// may be the buffer's.
func find(in Indexed, index, key string, b *buffer) (found []any, copies bool, err error) {
	if holder, ok := in.(interface{ Indexer() cache.Indexer }); ok {
		in = holder.Indexer()
	}
	if copied, ok := in.(copying); ok {
		in, copies = copied.Indexer, true
	}
	fast, ok := in.(store)
	if !ok {
		if len(b.key) > 0 {
			key = strings.Clone(key) // others may keep it
		}
		found, err = in.ByIndex(index, key)
		return found, copies, err
	}
	b.objects, err = fast.AppendByIndex(b.objects, index, key)
	return b.objects, copies, err
}

// appendKey appends the text of a value.
func (i *Index[T, V]) appendKey(dst []byte, value V) []byte {
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

// keys returns the keys of an object, each with a prefix. Objects of other types have none.
func (i *Index[T, V]) keys(obj any, prefix func(T) string) []string {
	object, ok := obj.(T)
	if !ok {
		return nil
	}
	values := i.valuesOf(object)
	if len(values) == 0 {
		return nil
	}
	start := prefix(object)
	keys := make([]string, len(values))
	for n, value := range values {
		if start == "" && i.kind == reflect.String {
			keys[n] = reflect.ValueOf(value).String() // the string of the object, not a copy
			continue
		}
		keys[n] = string(i.appendKey([]byte(start), value))
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
		i.name: func(obj any) ([]string, error) { return i.keys(obj, func(T) string { return "" }), nil },
		i.namespaced: func(obj any) ([]string, error) {
			if object, ok := obj.(T); ok && object.GetNamespace() == "" {
				return nil, nil // cluster-scoped: In uses the other index
			}
			return i.keys(obj, func(object T) string { return object.GetNamespace() + "/" }), nil
		},
	}
}

// Indexers returns what an informer or a cache.Indexer needs for lookups in indexes, with the index by namespace that every
// informer should have. Pass it to informer.WithIndexers, to Source.WithIndexers, or to cache.NewIndexer. If two indexes have the
// same name, the last one counts.
//
// AddIndexers of client-go's informers refuses an index that the informer has. Those of factories have the index by namespace: delete
// cache.NamespaceIndex from the result before.
func Indexers(indexes ...Definition) cache.Indexers {
	all := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	for _, index := range indexes {
		maps.Copy(all, index.indexers())
	}
	return all
}
