// Package reduce reduces objects to their metadata.
package reduce

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// Watch returns a watch for the metadata of the objects of another, which are of type T.
func Watch[T metav1.Object](whole watch.Interface) watch.Interface {
	results := make(chan watch.Event)
	reduced := watch.NewProxyWatcher(results)
	go func() { // not watch.Filter, which hangs after Stop if nobody receives
		defer close(results)
		defer whole.Stop()
		for {
			select {
			case event, ok := <-whole.ResultChan():
				if !ok {
					return
				}
				if object, ok := event.Object.(T); ok { // not the status of an error
					event.Object = meta.AsPartialObjectMetadata(object)
				}
				select {
				case results <- event:
				case <-reduced.StopChan():
					return
				}
			case <-reduced.StopChan():
				return
			}
		}
	}()
	return reduced
}
