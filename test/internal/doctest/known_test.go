package doctest_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/known"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// TestKnownTypes compares the table in docs/known-types.md with the one that import uses.
func TestKnownTypes(t *testing.T) {
	const name = "../../../docs/known-types.md"
	want, err := harness.Mark("known").InFile(name, known.Markdown)
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(want), 0o666))
	}
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "go test ./test/internal/doctest -run TestKnownTypes -update writes it")
}
