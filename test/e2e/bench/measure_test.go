package main

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

func TestInTurn(t *testing.T) {
	number := func(name string, factor float64) contestant {
		var runs float64
		return contestant{Name: name, Run: func() (sample, error) {
			runs++
			return sample{runs, factor * runs}, nil
		}}
	}
	var progress bytes.Buffer
	b := &bench{Session: harness.Session{Pairs: 3, Progress: &progress}}
	medians, err := b.inTurn("test", number("x", 10), number("y", 100))
	require.NoError(t, err)
	assert.Equal(t, []sample{{3, 30}, {3, 300}}, medians)
	assert.Contains(t, progress.String(), "test, 2/3:  x [3 30]  y [3 300]\n")

	_, err = b.inTurn("test", contestant{Name: "x", Run: func() (sample, error) { return nil, os.ErrClosed }})
	assert.ErrorIs(t, err, os.ErrClosed)
}

func TestPercentile(t *testing.T) {
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	for _, c := range []struct {
		values  []float64
		percent int
		want    float64
	}{
		{hundred, 50, 50}, {hundred, 99, 99}, {hundred, 100, 100}, {hundred, 0, 1},
		{[]float64{7}, 50, 7}, {[]float64{7}, 99, 7},
		{[]float64{1, 2, 3}, 50, 2}, {[]float64{1, 2, 3}, 99, 3},
		{[]float64{1, 2, 3, 4}, 50, 2}, {[]float64{1, 2, 3, 4}, 51, 3},
	} {
		assert.InDelta(t, c.want, percentile(c.values, c.percent), 0, "%d%% of %v", c.percent, c.values)
	}
}

func TestMedians(t *testing.T) {
	assert.Equal(t, sample{2, 20}, medians([]sample{{3, 10}, {1, 30}, {2, 20}}))
}

// workload returns a numbered workload with the written text.
func workload(number int, written string) *fleetv1.Workload {
	name := nameOf(number)
	return &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{
		Namespace: name.Namespace, Name: name.Name, Annotations: map[string]string{writeAnnotation: written},
	}}
}

func TestNames(t *testing.T) {
	assert.Equal(t, "team-001/workload-001234", nameOf(1234).String())
	for _, number := range []int{0, 7, 99_999, 1_000_000} {
		got, err := numberOf(nameOf(number).Name)
		require.NoError(t, err)
		assert.Equal(t, number, got)
	}
	_, err := numberOf("template")
	assert.Error(t, err)
}

func TestTallyChecks(t *testing.T) {
	for name, c := range map[string]struct {
		see  []int
		want string
	}{
		"right":         {see: []int{0, 1, 2}},
		"lost":          {[]int{0}, "lost work for 2 objects: team-000/workload-000001 was reconciled 0 times, not 1"},
		"doubled":       {[]int{0, 1, 2, 2}, "doubled work for 1 objects: team-000/workload-000002 was reconciled 2 times, not 1"},
		"both":          {[]int{0, 0, 1}, "lost work for 1 objects: team-000/workload-000002 was reconciled 0 times, not 1\ndoubled work for 1 objects: team-000/workload-000000 was reconciled 2 times, not 1"},
		"a strange one": {[]int{0, 1, 2, 3}, "1 reconciles of objects that do not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			tally := newTally(3, "")
			for _, number := range c.see {
				tally.see(workload(number, ""))
			}
			if err := tally.check(times(1)); c.want == "" {
				assert.NoError(t, err)
			} else {
				assert.EqualError(t, err, c.want)
			}
		})
	}
}

func TestTallyWaits(t *testing.T) {
	tally := newTally(2, "")
	all := tally.expect(2)
	tally.see(workload(0, ""))
	select {
	case <-all.reached:
		assert.Fail(t, "one is missing")
	default:
	}
	tally.see(workload(1, ""))
	<-all.reached
	assert.False(t, all.at.IsZero())
	again := tally.expect(4)
	tally.see(workload(1, ""))
	tally.see(workload(0, ""))
	<-again.reached
	assert.NoError(t, tally.check(times(2)))
}

func TestLatencies(t *testing.T) {
	tally := newTally(3, "new")
	tally.see(workload(0, "old"))
	sent := []time.Duration{time.Since(tally.start), time.Since(tally.start)}
	tally.see(workload(2, "new"))
	_, err := tally.latencies([]int{2, 0}, sent)
	assert.EqualError(t, err, "lost work: no reconcile has seen the last version of team-000/workload-000000")

	tally.see(workload(0, "new"))
	first := tally.seen[0].Load()
	tally.see(workload(0, "new"))
	assert.Equal(t, first, tally.seen[0].Load(), "the first time counts")
	latencies, err := tally.latencies([]int{2, 0}, sent)
	require.NoError(t, err)
	assert.Positive(t, latencies[0])
	assert.IsNonDecreasing(t, latencies)
}
