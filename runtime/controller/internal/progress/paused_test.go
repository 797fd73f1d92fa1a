package progress

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestPaused(t *testing.T) {
	clock, l := newLog()
	paused := Result{Class: Paused, Outcome: "paused"}
	l.Delayed(object(1), time.Minute)
	l.reconcile(object(1), nil, Result{})
	assert.False(t, l.IsPaused(object(1)))
	assert.Equal(t, start.Add(time.Minute), l.Object(object(1), "", nil).Next)
	for range 2 * maxReconciles {
		clock.SetTime(clock.Now().Add(time.Second))
		l.reconcile(object(1), nil, paused)
	}
	l.reconcile(object(2), nil, paused)
	assert.True(t, l.IsPaused(object(1)))
	assert.Equal(t, 2, l.Paused())
	assert.Zero(t, l.Running())
	assert.Equal(t, []Listed{{Name: object(1), Since: start.Add(time.Second)}, {Name: object(2), Since: clock.Now()}}, l.Lists().Paused)
	o := l.Object(object(1), "", nil)
	assert.Equal(t, StatePaused, o.State)
	assert.Zero(t, o.Next, "the timer has no effect")
	assert.Len(t, o.Reconciles, 2, "one for the pause")
	l.reconcile(object(1), nil, Result{})
	assert.False(t, l.IsPaused(object(1)))
	assert.Equal(t, 1, l.Paused())
	assert.Equal(t, start.Add(time.Minute), l.Object(object(1), "", nil).Next)
}
