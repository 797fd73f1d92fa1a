package build_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/test/build/localproxy"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

// TestGoBlocks compiles the Go blocks that TestGoBlocks in test/internal/doctest leaves out.
func TestGoBlocks(t *testing.T) {
	root.CompileGo(t, func(module string) bool { return module != "." && module != "examples" })
}

// TestCommandsAtLatest runs the blocks of commands that get the command or cachemutation from the network.
func TestCommandsAtLatest(t *testing.T) {
	env, _ := localproxy.Serve(t, string(root))
	ran := 0
	for _, b := range root.Blocks(t, root.Pages(t)...) {
		if b.Language == "go" || b.Language == "text" || !strings.Contains(b.Code, "@latest") {
			continue
		}
		t.Run(b.Name(), func(t *testing.T) {
			// Programs that a block installs stay out of the way of other tests, which expect those of the tree.
			got := root.Prepared(t, b, bin(t), env...).Replay(b)
			assert.Equal(t, doctest.Timeless(b.Code), doctest.Timeless(got), b.String())
		})
		ran++
	}
	assert.Equal(t, 4, ran, "the blocks that test/internal/doctest leaves to this test")
}
