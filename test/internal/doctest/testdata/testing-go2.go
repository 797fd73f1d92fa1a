//doctest:module test
package block

import (
	"github.com/informer-gen-lite/informer-gen-lite/crdfake"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

func serve() error {
	// BLOCK
	return err
}
