package foreign

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/scratch"
)

// TestCompile compiles the types and all that is generated from them, with the oldest and the newest release of client-go.
func TestCompile(t *testing.T) {
	for _, release := range []struct{ name, from string }{
		{"v0.33", filepath.Join(repository, "testdata", "targets", "v0.33")},
		{"v0.37", requirements},
	} {
		t.Run(release.name, func(t *testing.T) {
			tr := newTree(t, release.name, release.from)
			tr.generate(t)
			_, err := scratch.Run(tr.dir, "go", "build", "./...")
			require.NoError(t, err)
		})
	}
}
