//go:build deps

// The imports below are compiled by nobody: they keep, in this module's go.mod and go.sum, everything that the
// generated clients need, because the scratch modules in which those are compiled take their requirements from here.
package conformance

import (
	_ "k8s.io/client-go/informers"
	_ "k8s.io/client-go/kubernetes/fake"
	_ "sigs.k8s.io/gateway-api/apis/v1"
	_ "sigs.k8s.io/gateway-api/applyconfiguration"
)
