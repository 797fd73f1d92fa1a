package measure

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestSteps(t *testing.T) {
	const second = time.Second
	steps := MedianOfSteps([]Steps{
		{Load: 5 * second, Check: second, Schemas: second, Encoding: 9 * second},
		{Load: second, Check: 3 * second, Schemas: 2 * second, Encoding: second},
		{Load: 9 * second, Check: 4 * second, Schemas: 0, Encoding: 0},
	})
	assert.Equal(t, Steps{Load: 5 * second, Check: 3 * second, Schemas: second, Encoding: second}, steps)
	assert.Equal(t, 10*second, steps.Total())
	assert.InDelta(t, 0.2, steps.Share(), 1e-9)
	assert.Equal(t, "10.00 s, 20 % for schemas and encoding", steps.String())
}
