package main

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"
)

// scripted is a controller that reconciles the given objects, and then ends or waits for its context.
type scripted struct {
	*tally
	numbers []int
	ends    error
}

func (s scripted) Run(ctx context.Context) error {
	for _, number := range s.numbers {
		s.see(workload(number, ""))
	}
	if s.ends != nil {
		return s.ends
	}
	<-ctx.Done()
	return nil
}

func (scripted) Enqueue(cache.ObjectName) {}

// tryScripted has two objects reconciled.
func tryScripted(ctx context.Context, ends error, numbers ...int) error {
	s := side{"scripted", func(_ *world, _ int, t *tally) (runner, error) { return scripted{t, numbers, ends}, nil }}
	w := &world{names: []cache.ObjectName{nameOf(0), nameOf(1)}}
	r, _, err := try(ctx, s, w, 1, newTally(len(w.names), ""))
	if err != nil {
		return err
	}
	return r.finish(ctx, times(1))
}

func TestTrial(t *testing.T) {
	require.NoError(t, tryScripted(t.Context(), nil, 1, 0))
	assert.EqualError(t, tryScripted(t.Context(), nil, 0, 1, 1),
		"doubled work for 1 objects: team-000/workload-000001 was reconciled 2 times, not 1")
	assert.EqualError(t, tryScripted(t.Context(), nil, 0, 0),
		"lost work for 1 objects: team-000/workload-000001 was reconciled 0 times, not 1\n"+
			"doubled work for 1 objects: team-000/workload-000000 was reconciled 2 times, not 1")
	assert.EqualError(t, tryScripted(t.Context(), errors.New("out of order"), 0), "the controller has stopped: out of order")

	ended, end := context.WithCancel(t.Context())
	end()
	assert.ErrorIs(t, tryScripted(ended, nil, 0), context.Canceled)
}
