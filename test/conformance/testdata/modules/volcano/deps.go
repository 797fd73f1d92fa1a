//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "volcano.sh/apis/pkg/client/clientset/versioned/fake"
	_ "volcano.sh/apis/pkg/client/informers/externalversions"
)
