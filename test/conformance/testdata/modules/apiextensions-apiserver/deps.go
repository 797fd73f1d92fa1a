//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
	_ "k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
)
