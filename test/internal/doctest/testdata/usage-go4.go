//doctest:module examples/kubebuilder
package block

import (
	"fmt"

	informers "example.com/guestbook/pkg/generated/informers/externalversions/api/v1"
	"example.com/guestbook/pkg/generated/listers/reader"
)

func read(informer informers.GuestbookInformer) {
	// BLOCK
	fmt.Println(books, found, count, inn)
}
