package hold

import (
	"context"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/absent"
)

// Kept holds objects for which an informer has the current version. They are read when they are needed, and kept as long as it is
// the same and something refers to them.
type Kept[R informer.Object] struct {
	source   informer.Source[R]
	metadata *informer.Informer[*metav1.PartialObjectMetadata]
	needed   func(cache.ObjectName) bool

	lock    sync.Mutex
	objects map[cache.ObjectName]R
	// swept is the number of objects that were needed when that was last checked.
	swept int
}

// NewKept returns a Kept for the objects of a source. The informer has their metadata, for which informer.WithVersionsOnly is enough; call
// Drop for each object that it deletes. The function needed reports whether something refers to an object.
func NewKept[R informer.Object](
	source informer.Source[R], metadata *informer.Informer[*metav1.PartialObjectMetadata], needed func(cache.ObjectName) bool,
) *Kept[R] {
	return &Kept[R]{source: source, metadata: metadata, needed: needed, objects: map[cache.ObjectName]R{}}
}

// Get implements Objects.
func (k *Kept[R]) Get(ctx context.Context, name cache.ObjectName) (object R, exists bool, err error) {
	found, exists, err := k.metadata.Indexer().GetByKey(name.String())
	if err != nil || !exists {
		return object, false, err
	}
	version := found.(*metav1.PartialObjectMetadata).ResourceVersion
	k.lock.Lock()
	object, exists = k.objects[name]
	k.lock.Unlock()
	if exists && version != "" && object.GetResourceVersion() == version {
		return object, true, nil
	}
	object, err = k.source.Client(name.Namespace).Get(ctx, name.Name, metav1.GetOptions{})
	if absent.Is(err) {
		return object, false, nil // the cache is behind
	}
	if err != nil {
		return object, false, err
	}
	k.keep(name, object)
	return object, true, nil
}

func (k *Kept[R]) keep(name cache.ObjectName, object R) {
	k.lock.Lock()
	defer k.lock.Unlock()
	k.objects[name] = object
	if len(k.objects) <= 2*k.swept {
		return
	}
	for name := range k.objects {
		if !k.needed(name) {
			delete(k.objects, name)
		}
	}
	k.swept = max(len(k.objects), 8)
}

// Drop forgets an object.
func (k *Kept[R]) Drop(name cache.ObjectName) {
	k.lock.Lock()
	defer k.lock.Unlock()
	delete(k.objects, name)
}

// Namespaces implements Objects.
func (k *Kept[R]) Namespaces() []string { return k.metadata.Namespaces() }

// Unserved implements Objects.
func (k *Kept[R]) Unserved() bool { return k.metadata.Unserved() }
