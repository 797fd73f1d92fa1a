package shared

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
)

// Client lists and watches the objects of one kind, as generated clients do.
type Client[L runtime.Object] interface {
	List(context.Context, metav1.ListOptions) (L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
}

// ListerWatcher returns a ListerWatcher for a client. If set, tweak modifies the options. The clientset, to which the client
// belongs, determines whether lists can be streamed.
func ListerWatcher[L runtime.Object](client Client[L], clientset any, tweak func(*metav1.ListOptions)) cache.ListerWatcher {
	tweaked := func(options metav1.ListOptions) metav1.ListOptions {
		if tweak != nil {
			tweak(&options)
		}
		return options
	}
	listWatch := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return client.List(ctx, tweaked(options))
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return client.Watch(ctx, tweaked(options))
		},
	}
	var listerWatcher cache.ListerWatcher
	listerWatcher = cache.ToListWatcherWithWatchListSemantics(listWatch, clientset) //emit:if WatchListSemantics
	if listerWatcher == nil {
		listerWatcher = listWatch
	}
	return listerWatcher
}

// MetadataListerWatcher returns a ListerWatcher for the metadata of objects.
func MetadataListerWatcher(client metadata.Interface, resource schema.GroupVersionResource, namespace string, tweak func(*metav1.ListOptions)) cache.ListerWatcher {
	var objects metadata.ResourceInterface = client.Resource(resource)
	if namespace != metav1.NamespaceAll {
		objects = client.Resource(resource).Namespace(namespace)
	}
	return ListerWatcher(objects, client, tweak)
}
