package refcache

import (
	"context"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/absent"
)

// OnDemand reads objects when they are needed, and keeps them while an informer of their metadata has the same version and something
// refers to them.
type OnDemand[R informer.Object] struct {
	*informer.Informer[*metav1.PartialObjectMetadata] // of the metadata

	source informer.Source[R]
	needed func(cache.ObjectName) bool

	lock    sync.Mutex
	objects map[cache.ObjectName]R
	// swept is the number of objects that were needed at the last check.
	swept int
}

// NewOnDemand returns an OnDemand for the objects of a source. The informer has their metadata, for which informer.WithVersionsOnly is
// enough; call Drop for each object that it deletes. The function needed reports whether something refers to an object.
func NewOnDemand[R informer.Object](
	source informer.Source[R], metadata *informer.Informer[*metav1.PartialObjectMetadata], needed func(cache.ObjectName) bool,
) *OnDemand[R] {
	return &OnDemand[R]{Informer: metadata, source: source, needed: needed, objects: map[cache.ObjectName]R{}}
}

// Get implements Objects.
func (o *OnDemand[R]) Get(ctx context.Context, name cache.ObjectName) (object R, exists bool, err error) {
	found, exists, err := o.Indexer().GetByKey(name.String())
	if err != nil || !exists {
		return object, false, err
	}
	version := found.(*metav1.PartialObjectMetadata).ResourceVersion
	o.lock.Lock()
	object, exists = o.objects[name]
	o.lock.Unlock()
	if exists && version != "" && object.GetResourceVersion() == version {
		return object, true, nil
	}
	object, err = o.source.Client(name.Namespace).Get(ctx, name.Name, metav1.GetOptions{})
	if absent.Is(err) {
		return object, false, nil // the cache is behind
	}
	if err != nil {
		return object, false, err
	}
	o.keep(name, object)
	return object, true, nil
}

func (o *OnDemand[R]) keep(name cache.ObjectName, object R) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.objects[name] = object
	if len(o.objects) <= 2*o.swept {
		return
	}
	for name := range o.objects {
		if !o.needed(name) {
			delete(o.objects, name)
		}
	}
	o.swept = max(len(o.objects), 8)
}

// Drop forgets an object.
func (o *OnDemand[R]) Drop(name cache.ObjectName) {
	o.lock.Lock()
	defer o.lock.Unlock()
	delete(o.objects, name)
}
