//doctest:module examples
package block

import (
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

func handle(
	factory *informers.Factory, client versioned.Interface, queue workqueue.TypedInterface[string],
) (cache.ResourceEventHandlerRegistration, error) {
	// BLOCK
	return registration, err
}
