package timing

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestStagesOfSeveralOutputs adds up stages that occur for several outputs.
func TestStagesOfSeveralOutputs(t *testing.T) {
	measured := &Stages{}
	for _, stage := range []string{"loading", "rendering", "loading", "rendering", "writing"} {
		measured.At(stage)
	}
	var b bytes.Buffer
	measured.Print(&b)
	var names []string
	for line := range strings.Lines(b.String()) {
		names = append(names, strings.Fields(line)[0])
	}
	assert.Equal(t, []string{"stage", "loading", "rendering", "writing", "total"}, names)

	b.Reset()
	var none *Stages
	none.At("loading")
	none.Print(&b)
	assert.Empty(t, b.String())
}
