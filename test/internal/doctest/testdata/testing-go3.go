//doctest:module test/contract
package block

import (
	"k8s.io/client-go/applyconfigurations"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

func serve(client *fake.Clientset) error {
	// BLOCK
	return err
}
