package measure

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMedian(t *testing.T) {
	assert.Equal(t, int64(0), median([]int64{}))
	assert.Equal(t, int64(7), median([]int64{7}))
	assert.Equal(t, int64(5), median([]int64{9, 1}))
	assert.Equal(t, int64(3), median([]int64{100, 3, 1}))
	assert.Equal(t, int64(4), median([]int64{100, 5, 3, 1}))
}

func TestMedianOfSamples(t *testing.T) {
	samples := Samples{
		{Wall: 3 * time.Second, CPU: time.Second, Memory: 20},
		{Wall: time.Second, CPU: 9 * time.Second, Memory: 30},
		{Wall: 2 * time.Second, CPU: 5 * time.Second, Memory: 10},
	}
	assert.Equal(t, Sample{Wall: 2 * time.Second, CPU: 5 * time.Second, Memory: 20}, samples.Median())
	assert.Equal(t, 3*time.Second, samples[0].Wall, "the samples keep their order")
}

func TestThen(t *testing.T) {
	first := Sample{Wall: 3 * time.Second, CPU: time.Second, Memory: 20}
	second := Sample{Wall: time.Second, CPU: 2 * time.Second, Memory: 10}
	assert.Equal(t, Sample{Wall: 4 * time.Second, CPU: 3 * time.Second, Memory: 20}, first.Then(second))
	assert.Equal(t, first, Sample{}.Then(first))
}

func TestRun(t *testing.T) {
	sample, err := Run(exec.Command("go", "version"))
	require.NoError(t, err)
	assert.Positive(t, sample.Wall)
	assert.Positive(t, sample.CPU)

	_, err = Run(exec.Command("go", "no-such-command"))
	assert.ErrorContains(t, err, "go: exit status 2")
	assert.ErrorContains(t, err, "unknown command", "the error holds what the process said")
}
