// Package balance distributes buckets over members: evenly, in few ranges, and with few moves.
package balance

import "slices"

// Buckets is the number of buckets.
const Buckets = 256

// Index is the number of a member.
type Index int16

// None is the index of no member.
const None Index = -1

// Range is the buckets from First to Last, both included.
type Range struct{ First, Last int }

// MaxArcs is the number of arcs that a member's buckets form at most, in a group of up to seven members.
const MaxArcs = 4

// Layout has the member of each bucket, or None. A member gets another arc only if it has fewer than MaxArcs.
type Layout [Buckets]Index

// outsider is the count of an index that is not among the members.
const outsider = -1

// count returns the number of buckets of each member, by index.
func (l *Layout) count(members []Index) []int {
	highest := slices.Max(members)
	for _, member := range l {
		highest = max(highest, member)
	}
	counts := make([]int, highest+1)
	for i := range counts {
		counts[i] = outsider
	}
	for _, member := range members {
		counts[member] = 0
	}
	for _, member := range l {
		if member >= 0 && counts[member] != outsider {
			counts[member]++
		}
	}
	return counts
}

// slack is by how many buckets two members may differ: 10 % of the mean, but at least one.
func slack(members int) int { return max(1, Buckets/(10*members)) }

// Balanced reports whether no two members differ by more than the slack, and none has too many arcs.
func (l *Layout) Balanced(members []Index) bool {
	return l.even(members) && !slices.ContainsFunc(members, func(member Index) bool { return l.Arcs(member) > MaxArcs })
}

// even reports whether no two members differ by more than the slack.
func (l *Layout) even(members []Index) bool {
	least, most := Buckets, 0
	for _, n := range l.count(members) {
		if n != outsider {
			least, most = min(least, n), max(most, n)
		}
	}
	return most-least <= slack(len(members))
}

// Within reports whether the members have all buckets.
func (l *Layout) Within(members []Index) bool {
	for _, member := range l {
		if !slices.Contains(members, member) {
			return false
		}
	}
	return true
}

// moves returns the number of buckets that have a member in l and another one in other.
func (l *Layout) moves(other *Layout) int {
	n := 0
	for b := range l {
		if l[b] != None && l[b] != other[b] {
			n++
		}
	}
	return n
}

// Fill gives buckets without a member to the members with the fewest buckets, as long as a run of buckets is next to one of their arcs or
// they may have another arc; the rest goes to its neighbors.
func (l *Layout) Fill(members []Index) {
	if len(members) == 0 {
		return
	}
	counts := l.count(members)
	share := (Buckets + len(members) - 1) / len(members)
	for run, ok := l.longestRun(); ok; run, ok = l.longestRun() {
		left, right := l.at(run.First-1), l.at(run.Last+1)
		getter, fewest := None, share
		for _, member := range members {
			if n := counts[member]; n < fewest && (member == left || member == right || l.Arcs(member) < MaxArcs) {
				getter, fewest = member, n
			}
		}
		if getter == None {
			getter = l.nearest(left, right, counts, members)
			fewest = counts[getter]
			share = max(share, fewest+1)
		}
		n := min(run.Last-run.First+1, share-fewest)
		if getter == right && getter != left {
			run.First = run.Last - n + 1
		}
		run.Last = run.First + n - 1
		l.set(run, getter, counts)
	}
}

// nearest returns the neighbor with fewer buckets or, without neighbors among the members, the member with the fewest.
func (l *Layout) nearest(left, right Index, counts []int, members []Index) Index {
	candidates := slices.DeleteFunc([]Index{left, right}, func(member Index) bool { return member < 0 || counts[member] == outsider })
	if len(candidates) == 0 {
		candidates = members
	}
	return slices.MinFunc(candidates, func(a, b Index) int { return counts[a] - counts[b] })
}

// at returns the member of a bucket; None outside of the layout.
func (l *Layout) at(b int) Index {
	if b < 0 || b >= Buckets {
		return None
	}
	return l[b]
}

// Arcs returns the number of ranges of a member.
func (l *Layout) Arcs(member Index) int {
	n := 0
	for b := range l {
		if l[b] == member && l.at(b-1) != member {
			n++
		}
	}
	return n
}

func (l *Layout) set(run Range, member Index, counts []int) {
	for b := run.First; b <= run.Last; b++ {
		l[b] = member
		counts[member]++
	}
}

// longestRun returns the longest range of buckets without a member.
func (l *Layout) longestRun() (longest Range, ok bool) {
	for first := 0; first < Buckets; first++ {
		if l[first] != None {
			continue
		}
		last := first
		for last+1 < Buckets && l[last+1] == None {
			last++
		}
		if !ok || last-first > longest.Last-longest.First {
			longest, ok = Range{first, last}, true
		}
		first = last
	}
	return longest, ok
}

// Balance returns a layout in which members differ by no more than the slack. Members with too few buckets may get more arcs, at borders
// between arcs of others; then the borders move. Of the layouts with up to four more arcs, it takes the one with the fewest moves.
func (l *Layout) Balance(members []Index) *Layout {
	if len(members) == 0 {
		return l
	}
	joined := *l
	for _, member := range members {
		joined.join(member, members)
	}
	counts := joined.count(members)
	low := window(counts, len(members))
	var best *Layout
	for more := 0; more <= MaxArcs; more++ {
		next := joined
		for _, member := range members {
			if counts[member] < low {
				next.seed(member, min(more, MaxArcs-joined.Arcs(member)), counts)
			}
		}
		next.level(l, members)
		if next.even(members) && (best == nil || l.moves(&next) < l.moves(best)) {
			best = &next
		}
	}
	if best == nil {
		return l
	}
	return best
}

// join gives the shortest arcs of a member with too many to a neighbor. A member gets too many if buckets have come from between buckets of
// members that cannot get more.
func (l *Layout) join(member Index, members []Index) {
	for l.Arcs(member) > MaxArcs {
		shortest, getter := Range{0, Buckets}, None
		for first := 0; first < Buckets; first++ {
			last := first
			for l[first] == member && l.at(last+1) == member {
				last++
			}
			for _, neighbor := range []Index{l.at(first - 1), l.at(last + 1)} {
				if l[first] == member && last-first < shortest.Last-shortest.First && slices.Contains(members, neighbor) {
					shortest, getter = Range{first, last}, neighbor
				}
			}
			first = last
		}
		if getter == None {
			return
		}
		for b := shortest.First; b <= shortest.Last; b++ {
			l[b] = getter
		}
	}
}

// seed gives a member single buckets at borders between arcs of members that had many buckets.
func (l *Layout) seed(member Index, arcs int, counts []int) {
	touched := make([]bool, len(counts))
	mean := Buckets / (len(counts) - strangers(counts))
	value := func(b int) int {
		if at := l.at(b); at >= 0 && !touched[at] {
			return max(counts[at]-mean, 0)
		}
		return 0
	}
	touched[member] = true
	for range arcs {
		border, most := -1, 0
		for b := range Buckets + 1 { // the border is before bucket b
			if l.at(b-1) == l.at(b) || l.at(b-1) == member || l.at(b) == member {
				continue
			}
			if n := value(b-1) + value(b); n > most {
				border, most = b, n
			}
		}
		if border < 0 {
			return
		}
		taken := border
		if value(border-1) > value(border) {
			taken = border - 1
		}
		for _, b := range []int{border - 1, border} {
			if at := l.at(b); at >= 0 {
				touched[at] = true
			}
		}
		l[taken] = member
	}
}

// strangers returns the number of indexes that are not among the members.
func strangers(counts []int) int {
	n := 0
	for _, count := range counts {
		if count == outsider {
			n++
		}
	}
	return n
}
