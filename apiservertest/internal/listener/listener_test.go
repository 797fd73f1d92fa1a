package listener

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPorts restarts a server on its port, which no outgoing connection can have taken.
func TestPorts(t *testing.T) {
	first, err := Listen(0)
	require.NoError(t, err)
	second, err := Listen(0)
	require.NoError(t, err)
	defer func() { assert.NoError(t, second.Close()) }()
	for _, l := range []*Listener{first, second} {
		assert.True(t, lowest <= l.Port() && l.Port() <= highest, l.Port())
	}
	_, err = Listen(first.Port())
	require.ErrorContains(t, err, "in use")
	require.NoError(t, first.Close())
	again, err := Listen(first.Port())
	require.NoError(t, err)
	assert.Equal(t, first.Port(), again.Port())
	require.NoError(t, again.Close())
}
