package names

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClaim(t *testing.T) {
	factory, metrics := new(int), new(int)
	release, err := Claim("pods", factory, metrics, []string{"cannot be compared"})
	require.NoError(t, err)
	for _, with := range [][]any{{factory}, {new(int), metrics}} {
		_, err = Claim("pods", with...)
		assert.Equal(t, ErrTaken, err)
	}
	again, err := Claim("pods", new(int), []string{"cannot be compared"})
	require.NoError(t, err)
	other, err := Claim("services", factory, metrics)
	require.NoError(t, err)
	release()
	once, err := Claim("pods", factory)
	require.NoError(t, err)
	for _, release := range []func(){again, other, once} {
		release()
	}
	running.Range(func(use, _ any) bool { return assert.Fail(t, "still taken", use) })
}
