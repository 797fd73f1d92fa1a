//doctest:module examples/kubebuilder
package block

import (
	listers "example.com/guestbook/pkg/generated/listers/api/v1"
	"example.com/guestbook/pkg/generated/listers/reader"
)

func change(lister listers.GuestbookLister) error {
	// BLOCK
	return nil
}
