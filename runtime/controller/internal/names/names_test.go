package names

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRegistry(t *testing.T) {
	var r Registry
	factory, metrics := new(int), new(int)
	release, err := r.Claim("pods", factory, metrics, []string{"cannot be compared"})
	require.NoError(t, err)
	for _, with := range [][]any{{factory}, {new(int), metrics}} {
		_, err = r.Claim("pods", with...)
		assert.Equal(t, ErrTaken, err)
	}
	again, err := r.Claim("pods", new(int), []string{"cannot be compared"})
	require.NoError(t, err)
	other, err := r.Claim("services", factory, metrics)
	require.NoError(t, err)
	release()
	once, err := r.Claim("pods", factory)
	require.NoError(t, err)
	for _, release := range []func(){again, other, once} {
		release()
	}
	assert.Empty(t, r.taken)
}
