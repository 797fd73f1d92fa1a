//doctest:module test
package block

import "github.com/informer-gen-lite/informer-gen-lite/runtime/manager"

func run(setup func(*manager.Manager) error) {
	// BLOCK
}
