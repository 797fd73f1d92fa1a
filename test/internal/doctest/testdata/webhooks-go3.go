//doctest:module examples
package block

import (
	"context"

	"github.com/informer-gen-lite/informer-gen-lite/examples/webhooks"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager"
)

func main() {
	manager.Main("fleet-operator", func(m *manager.Manager) error {
		// BLOCK
		return nil
	})
}
