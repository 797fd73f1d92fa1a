//doctest:module examples/kubebuilder
package block

import (
	"fmt"

	informers "example.com/guestbook/pkg/generated/informers/externalversions/api/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

func read(informer informers.GuestbookInformer) {
	// BLOCK
	fmt.Println(sorted, found, count, inn)
}
