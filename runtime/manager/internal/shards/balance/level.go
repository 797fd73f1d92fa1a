package balance

// border is a way to give buckets from one member to another one next to it: up to run buckets, from first on in the direction step. Each
// costs a move if it is still where it was.
type border struct {
	giver, getter    Index
	first, step, run int
	cost             int
}

// level moves borders between arcs until members differ by no more than the slack. Each step gives buckets from a member with too many to
// a member with too few, along the path through neighbors that adds the fewest moves in comparison with the origin.
func (l *Layout) level(origin *Layout, members []Index) {
	counts := l.count(members)
	low := window(counts, len(members))
	high := low + slack(len(members))
	for range Buckets * len(members) {
		from, to := demand(counts, low, high)
		if from == nil || !l.shift(origin, counts, from, to) {
			return
		}
	}
}

// window returns the lowest number of buckets that a member shall have, so that as few as possible move.
func window(counts []int, members int) int {
	width := slack(members)
	best, fewest := 0, -1
	for low := max(0, Buckets/members-width); low*members <= Buckets; low++ {
		if (low+width)*members < Buckets {
			continue
		}
		above, below := 0, 0
		for _, n := range counts {
			if n != outsider {
				above += max(0, n-low-width)
				below += max(0, low-n)
			}
		}
		if moves := max(above, below); fewest < 0 || moves < fewest {
			best, fewest = low, moves
		}
	}
	return best
}

// demand returns how many buckets each member should give and get. If only one side has to, members that stay within the limits are the
// other side. Both are nil if no member has to.
func demand(counts []int, low, high int) (give, get []int) {
	over, under := false, false
	for _, n := range counts {
		over = over || n > high
		under = under || n != outsider && n < low
	}
	if !over && !under {
		return nil, nil
	}
	give, get = make([]int, len(counts)), make([]int, len(counts))
	for member, n := range counts {
		if n == outsider {
			continue
		}
		give[member], get[member] = max(0, n-high), max(0, low-n)
		if !over {
			give[member] = max(0, n-low)
		}
		if !under {
			get[member] = max(0, high-n)
		}
	}
	return give, get
}

// shift gives buckets along the cheapest path, and reports whether there is one.
func (l *Layout) shift(origin *Layout, counts, give, get []int) bool {
	const unreached = Buckets
	costs, via := make([]int, len(counts)), make([]*border, len(counts))
	for member := range costs {
		costs[member] = unreached
		if give[member] > 0 {
			costs[member] = 0
		}
	}
	borders := l.borders(origin, counts)
	for changed := true; changed; {
		changed = false
		for i := range borders {
			b := &borders[i]
			if cost := costs[b.giver] + b.cost; costs[b.giver] < unreached && cost < costs[b.getter] {
				costs[b.getter], via[b.getter] = cost, b
				changed = true
			}
		}
	}
	end := None
	for member, wanted := range get {
		if wanted > 0 && costs[member] < unreached && (end == None || costs[member] < costs[end]) {
			end = Index(member)
		}
	}
	if end == None {
		return false
	}
	n, start := get[end], end
	for ; via[start] != nil; start = via[start].giver {
		n = min(n, via[start].run)
	}
	n = min(n, give[start])
	for at := end; via[at] != nil; at = via[at].giver {
		for i := range n {
			l[via[at].first+i*via[at].step] = at
		}
	}
	counts[start] -= n
	counts[end] += n
	return true
}

// borders returns the borders between arcs of members, in both directions.
func (l *Layout) borders(origin *Layout, counts []int) []border {
	var found []border
	add := func(giver, getter int) {
		b := border{giver: l[giver], getter: l[getter], first: giver, step: giver - getter}
		stays := func(bucket int) bool { return origin[bucket] == b.giver }
		if stays(giver) {
			b.cost = 1
		}
		for at := giver; at >= 0 && at < Buckets && l[at] == b.giver && stays(at) == stays(giver); at += b.step {
			b.run++
		}
		found = append(found, b)
	}
	isMember := func(b int) bool { return l[b] >= 0 && counts[l[b]] != outsider }
	for b := 1; b < Buckets; b++ {
		if l[b-1] != l[b] && isMember(b-1) && isMember(b) {
			add(b-1, b)
			add(b, b-1)
		}
	}
	return found
}
