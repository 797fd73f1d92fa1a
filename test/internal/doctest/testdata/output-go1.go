//doctest:module examples
package block

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	fleetv1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
)

func apply(ctx context.Context, client versioned.Interface) error {
	// BLOCK
	return err
}
