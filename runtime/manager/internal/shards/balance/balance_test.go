package balance

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// minimum returns the fewest moves with which any layout would be balanced, if arcs did not count.
func minimum(l *Layout, members []Index) int {
	counts := l.count(members)
	lost := 0 // buckets of members that left move in any case, and fill gaps
	for _, member := range l {
		if !slices.Contains(members, member) {
			lost++
		}
	}
	width, fewest := slack(len(members)), Buckets
	for low := 0; low*len(members) <= Buckets; low++ {
		if (low+width)*len(members) < Buckets {
			continue
		}
		above, below := 0, 0
		for _, member := range members {
			n := counts[member]
			above += max(0, n-low-width)
			below += max(0, low-n)
		}
		fewest = min(fewest, max(above, below-lost))
	}
	return fewest
}

// TestBalance lets members join and leave at random, and checks numbers of buckets and arcs.
func TestBalance(t *testing.T) {
	steps, moved, least, worst, most := 0, 0, 0, 0, 0
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		var l Layout
		for b := range l {
			l[b] = None
		}
		members := []Index{0}
		next := Index(1)
		l.Fill(members)
		for range 30 {
			for range 1 + random.IntN(3) {
				if len(members) < 7 && (len(members) == 1 || random.IntN(2) == 0) {
					members = append(members, next)
					next++
				} else {
					members = slices.Delete(members, 0, 1)
				}
			}
			random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
			fewest := minimum(&l, members)
			left := l
			for b := range left {
				if !slices.Contains(members, left[b]) {
					left[b] = None
				}
			}
			full := left
			full.Fill(members)
			after := full.Balance(members)
			assert.True(t, after.Balanced(members), "seed %d: %v", seed, after.count(members))
			for _, member := range members {
				n := after.Arcs(member)
				most = max(most, n)
				assert.LessOrEqual(t, n, MaxArcs, "seed %d", seed)
			}
			n := left.moves(after)
			steps, moved, least, worst = steps+1, moved+n, least+fewest, max(worst, n-fewest)
			l = *after
		}
	}
	t.Logf("%d changes of the group: %d moves, the minimum without regard to arcs is %d (excess %.1f %%, at most %d buckets in a change)",
		steps, moved, least, 100*float64(moved-least)/float64(least), worst)
	t.Logf("at most %d arcs", most)
}

// TestLargeGroups lets groups of up to 64 members grow and shrink, one by one.
func TestLargeGroups(t *testing.T) {
	var l Layout
	for b := range l {
		l[b] = None
	}
	var members []Index
	moved, least := 0, 0
	change := func() {
		fewest := minimum(&l, members)
		left := l
		for b := range left {
			if !slices.Contains(members, left[b]) {
				left[b] = None
			}
		}
		full := left
		full.Fill(members)
		after := full.Balance(members)
		assert.True(t, after.even(members), "%d members: %v", len(members), after.count(members))
		moved, least, l = moved+left.moves(after), least+fewest, *after
	}
	for next := range Index(64) {
		members = append(members, next)
		change()
	}
	for len(members) > 1 {
		members = members[1:]
		change()
	}
	t.Logf("1 to 64 members and back: %d moves, the minimum without regard to arcs is %d", moved, least)
}

// TestTooManyArcs balances a layout in which members have more arcs than they may.
func TestTooManyArcs(t *testing.T) {
	var l Layout
	for b := range l {
		l[b] = Index(b / 8 % 3)
	}
	members := []Index{0, 1, 2}
	assert.False(t, l.Balanced(members))
	after := l.Balance(members)
	assert.True(t, after.Balanced(members), "%v", after)
}
