//go:build deps

// Package deps keeps the module with the defaults and conversions in go.mod and go.sum.
package deps

import (
	_ "sigs.k8s.io/cluster-api/api/core/v1beta2"
)
