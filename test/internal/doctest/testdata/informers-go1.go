//doctest:module examples
package block

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

func run(ctx context.Context, kube kubernetes.Interface, selector labels.Selector) error {
	// BLOCK
	fmt.Println(web)
	return err
}
