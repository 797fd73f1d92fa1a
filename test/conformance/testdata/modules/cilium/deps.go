//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "github.com/cilium/cilium/pkg/k8s/slim/k8s/client/clientset/versioned/fake"
)
