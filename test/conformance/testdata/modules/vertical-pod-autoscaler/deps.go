//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/client/clientset/versioned/fake"
	_ "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/client/informers/externalversions"
)
