//doctest:module examples
package block

import (
	"k8s.io/client-go/applyconfigurations"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

func serve() (*fake.Clientset, error) {
	// BLOCK
	return client, err
}
