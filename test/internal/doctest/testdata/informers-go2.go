//doctest:module examples
package block

import (
	"context"

	"k8s.io/apimachinery/pkg/labels"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

func run(ctx context.Context, client versioned.Interface, selector labels.Selector) error {
	// BLOCK
	_, err = lister.List(labels.Everything())
	return err
}
