//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "sigs.k8s.io/kueue/client-go/clientset/versioned/fake"
	_ "sigs.k8s.io/kueue/client-go/informers/externalversions"
)
