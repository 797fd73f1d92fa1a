//go:build unix

package harness

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCPUTime(t *testing.T) {
	before := CPUTime()
	now := before
	for now == before { // asking is work, so the time grows
		now = CPUTime()
	}
	assert.Greater(t, now, before)
}

func TestChildCPUTime(t *testing.T) {
	before := ChildCPUTime()
	require.NoError(t, exec.Command(os.Args[0], "-test.list", "none").Run())
	assert.Greater(t, ChildCPUTime(), before)
}
