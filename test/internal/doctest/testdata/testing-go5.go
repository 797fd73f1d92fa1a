//doctest:module examples
package block

import (
	"testing"

	"sigs.k8s.io/randfill"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/conversiontest"
)

// BLOCK
