//doctest:module examples/kubebuilder
package block

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type GuestbookSpec struct{}

// BLOCK
