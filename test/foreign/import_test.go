package foreign

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestImport imports the definitions of all projects, and limits the CPU time.
func TestImport(t *testing.T) {
	tr := newTree(t, "plain", requirements, "--recognize=false")
	crds, versions := 0, 0
	for _, p := range corpus(t) {
		crds += len(p.crds)
		versions += len(p.versions)
	}
	t.Logf("%d projects, %d definitions, %d versions: %s of CPU time", len(corpus(t)), crds, versions, tr.took)
	const perHundred = 2500 * time.Millisecond // 200 in 5 s
	assert.Less(t, tr.took, time.Second+perHundred*time.Duration(crds)/100)
}
