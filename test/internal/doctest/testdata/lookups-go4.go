//doctest:module examples/kubebuilder
package block

import (
	informers "example.com/guestbook/pkg/generated/informers/externalversions/api/v1"
	listers "example.com/guestbook/pkg/generated/listers/api/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

func change(informer informers.GuestbookInformer) error {
	// BLOCK
	return nil
}
