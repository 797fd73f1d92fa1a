//go:build deps

// The imports below are never compiled: they keep the generators' input in this module's go.mod and go.sum, from which the
// scratch modules take their requirements.
package main

import (
	_ "k8s.io/api/core/v1"
	_ "k8s.io/client-go/applyconfigurations"
	_ "k8s.io/client-go/informers"
	_ "k8s.io/client-go/kubernetes/fake"
)
