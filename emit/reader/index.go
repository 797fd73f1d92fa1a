package reader

import (
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"unsafe"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// Each index of a namespaced kind has a second one for lookups in a namespace. Its name and its keys have a prefix.
const namespacePrefix = "namespace/"

// AddIndex adds an index to indexers.
func AddIndex[T Object](indexers cache.Indexers, name string, keysOf func(T) []string) {
	indexers[name] = func(obj any) ([]string, error) {
		object, ok := obj.(T)
		if !ok {
			return nil, nil
		}
		return keysOf(object), nil
	}
}

// AddNamespacedIndex adds an index to indexers, and another one for lookups in a namespace.
func AddNamespacedIndex[T Object](indexers cache.Indexers, name string, keysOf func(T) []string) {
	AddIndex(indexers, name, keysOf)
	AddIndex(indexers, namespacePrefix+name, func(object T) []string {
		keys := keysOf(object)
		namespaced := make([]string, len(keys))
		for i, key := range keys {
			namespaced[i] = object.GetNamespace() + "/" + key
		}
		return namespaced
	})
}

// EntryKey returns the key of a map entry. The zero byte does not occur in keys of labels and annotations.
func EntryKey(key, value string) string { return key + "\x00" + value }

// LookUp returns the objects that an index has under a key. The name of the index is passed with the prefix "namespace/", which
// lookups that need it would otherwise have to allocate.
func (r ResourceIndexer[T]) LookUp(index, key string) ([]T, error) {
	if r.source.store != nil {
		return r.lookUp(index, key, buffers.Get().(*buffer))
	}
	if r.namespace == metav1.NamespaceAll {
		index = index[len(namespacePrefix):]
	} else {
		key = r.namespace + "/" + key
	}
	objects, err := r.source.indexer.ByIndex(index, key)
	if err != nil {
		return nil, r.lookupError(err)
	}
	return r.source.results(objects), nil
}

// LookUpInt is LookUp for an integer.
func (r ResourceIndexer[T]) LookUpInt(index string, value int64) ([]T, error) {
	if r.source.store == nil {
		return r.LookUp(index, strconv.FormatInt(value, 10))
	}
	b := buffers.Get().(*buffer)
	b.key = strconv.AppendInt(b.key[:0], value, 10)
	return r.lookUp(index, b.keyString(), b)
}

// LookUpUint is LookUp for an unsigned integer.
func (r ResourceIndexer[T]) LookUpUint(index string, value uint64) ([]T, error) {
	if r.source.store == nil {
		return r.LookUp(index, strconv.FormatUint(value, 10))
	}
	b := buffers.Get().(*buffer)
	b.key = strconv.AppendUint(b.key[:0], value, 10)
	return r.lookUp(index, b.keyString(), b)
}

// LookUpEntry is LookUp for a map entry.
func (r ResourceIndexer[T]) LookUpEntry(index, key, value string) ([]T, error) {
	if r.source.store == nil {
		return r.LookUp(index, EntryKey(key, value))
	}
	b := buffers.Get().(*buffer)
	b.key = append(append(append(b.key[:0], key...), 0), value...)
	return r.lookUp(index, b.keyString(), b)
}

// buffer holds the memory of a lookup, which allocates nothing but its result.
type buffer struct {
	objects []any
	key     []byte
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// keyString returns the key without copying it. The string is valid while the caller owns the buffer.
func (b *buffer) keyString() string { return unsafe.String(unsafe.SliceData(b.key), len(b.key)) }

// lookUp uses the indexer's AppendByIndex and gives the buffer back.
func (r ResourceIndexer[T]) lookUp(index, key string, b *buffer) ([]T, error) {
	found, err := r.source.store.AppendByIndex(b.objects, index[len(namespacePrefix):], r.namespace, key)
	if err != nil {
		return nil, r.lookupError(err)
	}
	list := r.source.results(found)
	clear(found)
	b.objects = found[:0]
	buffers.Put(b)
	return list, nil
}

func (r ResourceIndexer[T]) lookupError(err error) error {
	kind := reflect.TypeFor[T]().Elem().Name()
	return fmt.Errorf("look up %s: %w; add %sIndexers to the informer", r.source.resource, err, kind)
}
