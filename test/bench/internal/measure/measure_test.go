package measure

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMedianOfSamples(t *testing.T) {
	samples := Samples{
		{Wall: 3 * time.Second, CPU: time.Second, Memory: 20},
		{Wall: time.Second, CPU: 9 * time.Second, Memory: 30},
		{Wall: 2 * time.Second, CPU: 5 * time.Second, Memory: 10},
	}
	assert.Equal(t, Sample{Wall: 2 * time.Second, CPU: 5 * time.Second, Memory: 20}, samples.Median())
}

func TestString(t *testing.T) {
	assert.Equal(t, "1.25 s", Sample{Wall: 1250 * time.Millisecond}.String())
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
