//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset/fake"
	_ "k8s.io/kube-aggregator/pkg/client/informers/externalversions"
)
