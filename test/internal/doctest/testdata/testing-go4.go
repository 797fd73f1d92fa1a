//doctest:module examples
package block

import (
	"testing"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

func testShard(*testing.T, versioned.Interface) {}

func TestShard(t *testing.T) {
	// BLOCK
}
