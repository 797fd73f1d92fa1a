//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "github.com/cert-manager/cert-manager/pkg/client/clientset/versioned/fake"
	_ "github.com/cert-manager/cert-manager/pkg/client/informers/externalversions"
)
