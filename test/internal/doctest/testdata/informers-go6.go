//doctest:module examples
package block

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

func sharded(ctx context.Context, kube kubernetes.Interface) error {
	// BLOCK
	_ = pods
	return nil
}
