//go:build deps

// Package deps keeps what generated clients need in go.mod and go.sum.
package deps

import (
	_ "github.com/GoogleCloudPlatform/gke-networking-api/client/fqdnnetworkpolicy/clientset/versioned/fake"
	_ "github.com/GoogleCloudPlatform/gke-networking-api/client/fqdnnetworkpolicy/informers/externalversions"
	_ "github.com/GoogleCloudPlatform/gke-networking-api/client/gcpfirewall/clientset/versioned/fake"
	_ "github.com/GoogleCloudPlatform/gke-networking-api/client/gcpfirewall/informers/externalversions"
	_ "github.com/GoogleCloudPlatform/gke-networking-api/client/network/clientset/versioned/fake"
	_ "github.com/GoogleCloudPlatform/gke-networking-api/client/network/informers/externalversions"
	_ "github.com/GoogleCloudPlatform/gke-networking-api/client/nodenetworkconfig/clientset/versioned/fake"
	_ "github.com/GoogleCloudPlatform/gke-networking-api/client/nodenetworkconfig/informers/externalversions"
	_ "github.com/GoogleCloudPlatform/gke-networking-api/client/nodetopology/clientset/versioned/fake"
	_ "github.com/GoogleCloudPlatform/gke-networking-api/client/nodetopology/informers/externalversions"
	_ "github.com/GoogleCloudPlatform/gke-networking-api/client/trafficselector/clientset/versioned/fake"
	_ "github.com/GoogleCloudPlatform/gke-networking-api/client/trafficselector/informers/externalversions"
)
