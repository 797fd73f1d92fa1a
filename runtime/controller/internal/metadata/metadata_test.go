package metadata

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPatch(t *testing.T) {
	for want, test := range map[string]struct {
		version    string
		finalizers []string
	}{
		`{"metadata":{"finalizers":["a","b"],"resourceVersion":"7"}}`: {"7", []string{"a", "b"}},
		`{"metadata":{"finalizers":["a"]}}`:                           {"", []string{"a"}},
		`{"metadata":{"finalizers":[],"resourceVersion":"7"}}`:        {"7", []string{}},
		`{"metadata":{"finalizers":null,"resourceVersion":"7"}}`:      {"7", nil}, // which removes the field
	} {
		patch, err := Patch(test.version, map[string]any{"finalizers": test.finalizers})
		require.NoError(t, err)
		assert.Equal(t, want, string(patch))
	}
}
