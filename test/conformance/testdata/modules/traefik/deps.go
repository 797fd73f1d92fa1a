//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "github.com/traefik/traefik/v3/pkg/provider/kubernetes/crd/generated/clientset/versioned/fake"
	_ "github.com/traefik/traefik/v3/pkg/provider/kubernetes/crd/generated/informers/externalversions"
)
