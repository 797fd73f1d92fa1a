//doctest:module examples
package block

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// BLOCK
