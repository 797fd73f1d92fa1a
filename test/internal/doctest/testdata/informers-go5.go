//doctest:module examples
package block

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

func followed(kube kubernetes.Interface) *informer.Factory {
	// BLOCK
	return factory
}
