package controller

import (
	"context"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// kept holds objects for which an informer has the current version. They are read when they are needed, and kept as long as it is
// the same and something refers to them.
type kept[R Object] struct {
	source   informer.Source[R]
	metadata *informer.Informer[*metav1.PartialObjectMetadata]
	// needed reports whether something refers to an object.
	needed func(cache.ObjectName) bool

	lock    sync.Mutex
	objects map[cache.ObjectName]R
	// swept is the number of objects that were needed when that was last checked.
	swept int
}

func newKept[R, T Object](c *Controller[T], index string, source informer.Source[R]) (*kept[R], error) {
	reduced, err := informer.MetadataOf(source)
	if err != nil {
		return nil, err
	}
	k := &kept[R]{source: source, objects: map[cache.ObjectName]R{}}
	k.needed = func(name cache.ObjectName) bool {
		all, _ := c.objects.Indexer().IndexKeys(index, name.String())
		return len(all) > 0
	}
	k.metadata = watchReferred(c, index, informer.For(c.Factory(), reduced, informer.WithTransform(onlyVersion)), k.drop)
	return k, nil
}

// onlyVersion reduces metadata to what identifies a version of an object. kubectl's annotation alone has all data of a secret.
func onlyVersion(object any) (any, error) {
	if whole, ok := object.(*metav1.PartialObjectMetadata); ok {
		return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Name: whole.Name, Namespace: whole.Namespace, UID: whole.UID, ResourceVersion: whole.ResourceVersion,
		}}, nil
	}
	return object, nil
}

func (k *kept[R]) get(ctx context.Context, name cache.ObjectName) (object R, exists bool, err error) {
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
	if IsNotFound(err) {
		return object, false, nil // the cache is behind
	}
	if err != nil {
		return object, false, err
	}
	k.keep(name, object)
	return object, true, nil
}

func (k *kept[R]) keep(name cache.ObjectName, object R) {
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

func (k *kept[R]) drop(name cache.ObjectName) {
	k.lock.Lock()
	defer k.lock.Unlock()
	delete(k.objects, name)
}

func (k *kept[R]) namespaces() []string { return k.metadata.Namespaces() }
