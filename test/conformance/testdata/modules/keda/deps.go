//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "github.com/kedacore/keda/v2/pkg/generated/clientset/versioned/fake"
	_ "github.com/kedacore/keda/v2/pkg/generated/informers/externalversions"
)
