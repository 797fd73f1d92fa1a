//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "github.com/argoproj/argo-rollouts/pkg/client/clientset/versioned/fake"
	_ "github.com/argoproj/argo-rollouts/pkg/client/informers/externalversions"
)
