package cached

import (
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"unsafe"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// namespacePrefix is the prefix of the second index that each index of a namespaced kind has, for lookups in a namespace. The keys
// of that index have a prefix, too.
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

// AddNamespacedIndex adds an index to indexers, and a second one for lookups in a namespace.
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

// EntryKey returns the key of a map entry. Keys of labels and annotations cannot contain the separator, a zero byte.
func EntryKey(key, value string) string { return key + "\x00" + value }

// LookUp returns the objects that an index has for a key. The name of the index must have the prefix "namespace/", so that
// lookups in a namespace do not have to allocate it.
func LookUp[T Object](o Objects, index, key string) ([]T, error) {
	return lookUp[T](o, index, key, newBuffer())
}

// LookUpInt is LookUp for an integer.
func LookUpInt[T Object](o Objects, index string, value int64) ([]T, error) {
	b := newBuffer()
	b.key = strconv.AppendInt(b.key, value, 10)
	return lookUp[T](o, index, b.keyFor(o), b)
}

// LookUpUint is LookUp for an unsigned integer.
func LookUpUint[T Object](o Objects, index string, value uint64) ([]T, error) {
	b := newBuffer()
	b.key = strconv.AppendUint(b.key, value, 10)
	return lookUp[T](o, index, b.keyFor(o), b)
}

// LookUpEntry is LookUp for a map entry.
func LookUpEntry[T Object](o Objects, index, key, value string) ([]T, error) {
	b := newBuffer()
	b.key = append(append(append(b.key, key...), 0), value...)
	return lookUp[T](o, index, b.keyFor(o), b)
}

// lookUp releases the buffer, which may contain the key.
func lookUp[T Object](o Objects, index, key string, b *buffer) ([]T, error) {
	objects, err := o.lookUp(index, key, b)
	list := typed[T](o, objects)
	b.release()
	if err != nil {
		var none T
		return nil, o.lookupError(err, none)
	}
	return list, nil
}

// lookUp returns cached objects, not copies. The slice may be the buffer's.
func (o Objects) lookUp(index, key string, b *buffer) (objects []any, err error) {
	s, name := o.source, index[len(namespacePrefix):]
	switch {
	case s.store != nil:
		objects, err = s.store.AppendByIndex(b.objects, name, o.namespace, key)
		if err == nil {
			b.objects = objects
		}
		return objects, err
	case o.namespace == metav1.NamespaceAll:
		return s.indexer.ByIndex(name, key)
	}
	return s.indexer.ByIndex(index, o.namespace+"/"+key)
}

// lookupError takes a nil object for its type. With a reflect.Type parameter, lister packages would have to compile reflect's
// generics.
func (o Objects) lookupError(err error, pointer any) error {
	kind := reflect.TypeOf(pointer).Elem().Name()
	return fmt.Errorf("look up %s: %w; add %sIndexers to the informer", o.source.resource, err, kind)
}

// buffer is the temporary memory of a read, so that only its result is allocated.
type buffer struct {
	objects []any
	key     []byte
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// newBuffer returns an empty buffer. It must be released.
//
//go:noinline
func newBuffer() *buffer { return buffers.Get().(*buffer) }

// release empties the buffer and returns it to the pool.
//
//go:noinline
func (b *buffer) release() {
	clear(b.objects)
	b.objects, b.key = b.objects[:0], b.key[:0]
	buffers.Put(b)
}

// keyFor returns the key, which is only valid until the buffer is released. If an indexer may keep it, it returns a copy.
func (b *buffer) keyFor(o Objects) string {
	if o.source.store == nil {
		return string(b.key)
	}
	return unsafe.String(unsafe.SliceData(b.key), len(b.key))
}
