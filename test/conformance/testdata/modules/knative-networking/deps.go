//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "knative.dev/networking/pkg/client/clientset/versioned/fake"
	_ "knative.dev/networking/pkg/client/informers/externalversions"
)
