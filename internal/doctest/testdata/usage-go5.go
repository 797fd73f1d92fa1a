//doctest:module examples/kubebuilder
package block

import listers "example.com/guestbook/pkg/generated/listers/api/v1"

func change(reader listers.GuestbookReader) error {
	// BLOCK
	return nil
}
