//doctest:module test
package block

import (
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/metrics"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/securemetrics"
)

func run(setup func(*manager.Manager) error) {
	// BLOCK
}
