//doctest:module examples/kubebuilder
package block

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	apiv1 "example.com/guestbook/api/v1"
	listers "example.com/guestbook/pkg/generated/listers/api/v1"
	"k8s.io/client-go/tools/cache"
)

func look(informer cache.SharedIndexInformer, owner metav1.ObjectMeta) ([]*apiv1.Guestbook, error) {
	// BLOCK
	return books, err
}
