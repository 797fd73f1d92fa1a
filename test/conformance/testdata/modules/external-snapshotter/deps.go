//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "github.com/kubernetes-csi/external-snapshotter/client/v8/clientset/versioned/fake"
	_ "github.com/kubernetes-csi/external-snapshotter/client/v8/informers/externalversions"
)
