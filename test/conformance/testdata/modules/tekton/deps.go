//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "github.com/tektoncd/pipeline/pkg/client/clientset/versioned/fake"
	_ "github.com/tektoncd/pipeline/pkg/client/informers/externalversions"
	_ "github.com/tektoncd/pipeline/pkg/client/resolution/clientset/versioned/fake"
	_ "github.com/tektoncd/pipeline/pkg/client/resolution/informers/externalversions"
	_ "github.com/tektoncd/pipeline/pkg/client/resource/clientset/versioned/fake"
	_ "github.com/tektoncd/pipeline/pkg/client/resource/informers/externalversions"
)
