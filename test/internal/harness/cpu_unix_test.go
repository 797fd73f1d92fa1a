//go:build unix

package harness

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCPUTime(t *testing.T) {
	before := CPUTime()
	now := before
	for now == before { // asking is work, so the time grows
		now = CPUTime()
	}
	assert.Greater(t, now, before)
	assert.GreaterOrEqual(t, CPUTimeWithChildren(), now)
}
