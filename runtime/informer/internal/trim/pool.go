package trim

import (
	"maps"
	"slices"
	"strconv"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pools makes the metadata of objects share equal labels, annotations and finalizers: even a small map takes more memory than the
// rest of the metadata. The shared values must not be modified.
type pools struct {
	lock  sync.Mutex
	maps  pool[map[string]string]
	lists pool[[]string]
}

func (p *pools) share(object metav1.Object) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, field := range []struct {
		get func() map[string]string
		set func(map[string]string)
	}{{object.GetLabels, object.SetLabels}, {object.GetAnnotations, object.SetAnnotations}} {
		if values := field.get(); len(values) > 0 && sizeOf(values) <= longest {
			var text []byte
			for _, k := range slices.Sorted(maps.Keys(values)) {
				text = strconv.AppendQuote(strconv.AppendQuote(text, k), values[k])
			}
			field.set(p.maps.share(text, values))
		}
	}
	if finalizers := object.GetFinalizers(); len(finalizers) > 0 {
		var text []byte
		for _, finalizer := range finalizers {
			text = strconv.AppendQuote(text, finalizer)
		}
		object.SetFinalizers(p.lists.share(text, finalizers))
	}
}

// sizeOf returns the size of the strings in a map, in bytes.
func sizeOf(values map[string]string) (size int) {
	for k, v := range values {
		size += len(k) + len(v)
	}
	return size
}

// pool has values by their encoded content.
type pool[V any] map[string]V

const (
	// mostPooled is the maximum number of values in a pool. A full pool is emptied.
	mostPooled = 1024
	// longest is the maximum size of a pooled map, in bytes. Larger maps are rarely equal, and a pool keeps maps after their object is
	// gone or a transform function has dropped them.
	longest = 1024
)

// share returns the pooled value with the same content, or adds value to the pool. The text is its encoded content.
func (p *pool[V]) share(text []byte, value V) V {
	if known, ok := (*p)[string(text)]; ok {
		return known
	}
	if *p == nil || len(*p) >= mostPooled {
		*p = pool[V]{}
	}
	(*p)[string(text)] = value
	return value
}
