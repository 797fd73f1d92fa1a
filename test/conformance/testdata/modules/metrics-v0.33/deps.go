//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "k8s.io/metrics/pkg/client/clientset/versioned/fake"
)
