//go:build deps

// The imports below are never compiled: they keep the dependencies of generated clients in this module's go.mod and go.sum, from
// which the scratch modules take their requirements.
package conformance

import (
	_ "k8s.io/client-go/informers"
	_ "k8s.io/client-go/kubernetes/fake"
	_ "sigs.k8s.io/gateway-api/apis/v1"
	_ "sigs.k8s.io/gateway-api/applyconfiguration"
)
