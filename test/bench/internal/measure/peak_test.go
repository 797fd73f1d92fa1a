//go:build unix

package measure

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPeak(t *testing.T) {
	sample, err := Run(exec.Command("go", "version"))
	require.NoError(t, err)
	assert.Greater(t, sample.Memory, int64(1<<20), "no Go program fits into a megabyte")
	assert.Less(t, sample.Memory, int64(1<<32), "bytes, not more bytes than there are")
}
