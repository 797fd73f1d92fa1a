package shards

// holding is the state of the buckets of a controller in this member. A bucket is open from Open to Close, and closing until Drained.
type holding struct {
	controller           string
	open, closing, ready Set
}

// holding returns the state of a controller that the member has.
func (m *Machine) holding(controller string) *holding {
	for i := range m.holdings {
		if m.holdings[i].controller == controller {
			return &m.holdings[i]
		}
	}
	return &holding{}
}

// holds reports whether a bucket is open or closing.
func (m *Machine) holds() bool {
	for i := range m.holdings {
		if !m.holdings[i].open.Empty() || !m.holdings[i].closing.Empty() {
			return true
		}
	}
	return false
}

// follow opens and closes buckets as the map says, and acknowledges buckets that are drained.
func (m *Machine) follow() {
	if !m.changed || m.chart == nil && !m.retiring {
		return
	}
	m.changed = false
	for i := range m.holdings {
		h := &m.holdings[i]
		var open, shut Set
		if m.retiring {
			shut = h.open
		} else if row := m.chart.row(h.controller); row != nil {
			open, shut = m.compare(h, row)
		}
		if !open.Empty() && !m.mayOpen() {
			open, m.changed = Set{}, true
		}
		m.apply(h, open, shut)
		if m.over {
			return
		}
	}
}

// mayOpen reports whether the member may open buckets. A member that leaves would have to drain them at once; after it has given its slot
// back, others take it for dead.
func (m *Machine) mayOpen() bool { return m.joined && !m.leaving && m.fenced() }

// apply opens and closes buckets.
func (m *Machine) apply(h *holding, open, shut Set) {
	if !open.Empty() {
		h.open.union(open)
		m.emit(Open{h.controller, open})
	}
	if !shut.Empty() {
		h.open.remove(shut)
		h.ready.remove(shut)
		h.closing.union(shut)
		m.statement.Opened[h.controller] = h.ready
		m.restate = true
		m.emit(Close{h.controller, shut})
	}
}

// compare returns the buckets to open and to close, and acknowledges.
func (m *Machine) compare(h *holding, row *Row) (open, shut Set) {
	me := m.chart.index(m.config.Identity)
	acked := m.statement.Acked[h.controller]
	for b, bucket := range row.Buckets {
		switch {
		case m.serves(h, b, bucket, me):
			if !h.open.Has(b) && !h.closing.Has(b) {
				open.Add(b)
			}
		case bucket.Holder == me && me != None:
			if h.open.Has(b) {
				shut.Add(b)
			} else if !h.closing.Has(b) && acked[b] != bucket.Move {
				acked[b] = bucket.Move
				m.restate, m.urgent = true, true
			}
		case h.open.Has(b) && bucket.Successor != me:
			m.drop("the map has given a bucket to another member")
			return Set{}, Set{}
		}
		if acked[b] != 0 && (bucket.Holder != me || bucket.Move != acked[b]) {
			acked[b] = 0
			m.restate = true
		}
	}
	return open, shut
}

// serves reports whether the map lets the member serve a bucket: it holds it, or it is the successor of a holder that has drained it or is
// dead.
func (m *Machine) serves(h *holding, b int, bucket Bucket, me Index) bool {
	switch {
	case me == None:
		return false
	case bucket.Holder == me && !bucket.moves():
		return true
	case bucket.Successor != me:
		return false
	case bucket.Holder == me:
		return m.statement.Acked[h.controller][b] == bucket.Move && !h.closing.Has(b)
	}
	holder := m.chart.Members[bucket.Holder]
	return !m.alive(holder) || m.acked(holder, h.controller, b, bucket.Move)
}

// acked reports whether a member has drained a bucket for a move.
func (m *Machine) acked(member Member, controller string, b int, move uint64) bool {
	if member.Identity == m.config.Identity {
		moves := m.statement.Acked[controller]
		return moves != nil && moves[b] == move
	}
	if member.Slot >= len(m.slots) {
		return false
	}
	s := m.slots[member.Slot]
	if s.Holder != member.Identity || s.statement == nil {
		return false
	}
	moves := s.statement.Acked[controller]
	return moves != nil && moves[b] == move
}
