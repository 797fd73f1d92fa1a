package terms

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func valid() error { return nil }

// TestJoin has two members in one term, and one in the next.
func TestJoin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type member struct {
			term  context.Context
			leave func()
		}
		seat, joined := &Seat{}, make(chan member)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer close(joined)
			for {
				term, leave, err := seat.Join(ctx)
				if err != nil {
					return
				}
				joined <- member{term, leave}
			}
		}()
		synctest.Wait()
		first := seat.Begin(valid)
		one, two := <-joined, <-joined
		synctest.Wait() // a third one has joined
		idle := first.End()
		require.ErrorIs(t, context.Cause(one.term), ErrOver)
		require.NoError(t, ctx.Err())
		one.leave()
		one.leave()
		two.leave()
		assert.False(t, closed(idle), "a third one has joined")
		(<-joined).leave()
		assert.True(t, closed(idle))
		assert.Equal(t, idle, first.End())

		second := seat.Begin(valid)
		one = <-joined
		assert.False(t, first.Allows())
		assert.True(t, second.Allows())
		cancel()
		require.NoError(t, one.term.Err(), "what is in flight may end in order")
		for range joined {
		}
		one.leave()
	})
}

func closed(channel <-chan struct{}) bool {
	select {
	case <-channel:
		return true
	default:
		return false
	}
}

// TestWriting has requests of a term, of the process, and of nobody knows what.
func TestWriting(t *testing.T) {
	seat, other := &Seat{}, &Seat{}
	writes := func(ctx context.Context, seats ...*Seat) bool {
		_, ok := Writing(ctx, seats)
		return ok
	}
	unknown, process := t.Context(), OfProcess(t.Context())
	assert.True(t, writes(unknown, seat, other), "it has never led")

	var expired error
	first := seat.Begin(func() error { return expired })
	ofFirst, leave, err := seat.Join(process)
	require.NoError(t, err)
	assert.True(t, writes(unknown, seat, other) && writes(ofFirst, seat, other))
	expired = errors.New("the lease has expired")
	require.ErrorIs(t, first.Check(), expired)
	assert.False(t, writes(unknown, seat, other) || writes(ofFirst, seat, other))
	assert.True(t, writes(process, seat, other))
	first.End()
	require.NoError(t, first.Check())
	expired = nil
	other.Begin(valid)
	assert.False(t, writes(unknown, seat, other), "it may be of the term that ends")
	leave()
	assert.True(t, writes(unknown, seat, other), "the process leads with the other lease")
	assert.False(t, writes(unknown, seat))

	seat.Begin(valid)
	until, ok := Writing(unknown, []*Seat{seat, other})
	assert.True(t, ok)
	assert.Len(t, until, 2)
	assert.False(t, writes(ofFirst, seat, other), "what has been refused is refused for good")
	ofSecond, leave, err := seat.Join(process)
	require.NoError(t, err)
	defer leave()
	assert.True(t, writes(ofSecond, seat, other))
}
