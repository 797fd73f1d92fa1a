//go:build deps

// The imports below are compiled by nobody: they keep, in this module's go.mod and go.sum, what the generators are
// given to read, because the modules that they run in take their requirements from here.
package main

import (
	_ "k8s.io/api/core/v1"
	_ "k8s.io/client-go/applyconfigurations"
	_ "k8s.io/client-go/informers"
	_ "k8s.io/client-go/kubernetes/fake"
)
