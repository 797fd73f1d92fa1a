package heap

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPercent(t *testing.T) {
	const budget = 64 << 20
	assert.Equal(t, 300, percent(budget, budget/4))
	assert.Equal(t, 100, percent(budget, budget/2))
	assert.Equal(t, atLeast, percent(budget, budget-1), "a heap that is about to outgrow the budget")
	assert.Equal(t, atLeast, percent(budget, 2*budget))
	assert.Equal(t, atLeast, percent(budget, 0))
}

func TestPace(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))

	t.Setenv("GOGC", "50")
	Pace(64 << 20)
	assert.Equal(t, 100, debug.SetGCPercent(100), "the user's decision stays")

	t.Setenv("GOGC", "")
	Pace(64 << 20)
	assert.Equal(t, 1600, debug.SetGCPercent(1600), "64 MiB instead of 4")
	held := make([]byte, 256<<20) // more than the budget
	for debug.SetGCPercent(1600) != atLeast {
		runtime.GC()
	}
	runtime.KeepAlive(held)
}
