package sleepless

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestNow goes on like the clock of package time while nothing sleeps, but for the jitter of readings.
func TestNow(t *testing.T) {
	began, last := time.Now(), Now()
	first := last
	for range 1000 {
		now := Now()
		assert.GreaterOrEqual(t, now.Sub(last), -200*time.Millisecond)
		last = now
	}
	assert.InDelta(t, time.Since(began).Seconds(), Since(first).Seconds(), 0.3)
}
