//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "github.com/chaos-mesh/chaos-mesh/pkg/client/versioned/fake"
)
