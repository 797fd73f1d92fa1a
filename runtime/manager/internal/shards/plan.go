package shards

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards/balance"
)

// peer is a member as the coordinator sees it.
type peer struct {
	Member
	alive     bool
	statement *Statement
	// settled is set when the peer may get buckets that others hold.
	settled bool
}

// stays reports whether the peer can get buckets.
func (p peer) stays() bool { return p.alive && p.statement != nil && !p.statement.Leaving }

func (p peer) has(controller string) bool {
	return p.statement != nil && slices.Contains(p.statement.Controllers, controller)
}

// plan returns the next map, or nil if nothing changes.
func (m *Machine) plan() *Map {
	m.planAt = time.Time{}
	if m.chart.Revision == 0 && !m.agreed() {
		return nil
	}
	m.replan = false
	p := &planner{machine: m, peers: m.peers(), revision: m.chart.Revision + 1, layouts: map[string]*balance.Layout{}}
	next := &Map{Lineage: m.chart.Lineage, Revision: p.revision, Slots: m.config.Slots}
	for _, row := range p.split(m.chart.Rows) {
		p.row(&row)
		next.Rows = append(next.Rows, row)
	}
	next.Rows = m.reportUnserved(next.Rows, p.peers)
	for _, peer := range p.peers {
		next.Members = append(next.Members, peer.Member)
	}
	next.compact()
	if m.chart.Revision > 0 && next.same(m.chart) {
		return nil
	}
	return next
}

// agreed reports whether all members follow the lineage of a new map, so that none still serves a bucket of an old one. The slots must be
// seen after the map was created.
func (m *Machine) agreed() bool {
	if m.now.Before(m.openAt) {
		return false
	}
	for _, s := range m.slots {
		if s.proven.Before(m.acquired) {
			return false
		}
		if s.Holder != "" && (s.statement == nil || s.statement.Lineage != m.chart.Lineage) {
			return false
		}
	}
	return true
}

// peers returns the members of the map in their order, and then the members that the slots have besides.
func (m *Machine) peers() []peer {
	var peers []peer
	for _, member := range m.chart.Members {
		p := peer{Member: member, alive: m.alive(member), settled: true}
		if member.Slot < len(m.slots) && m.slots[member.Slot].Holder == member.Identity {
			p.statement = m.slots[member.Slot].statement
		}
		peers = append(peers, p)
	}
	for slot, s := range m.slots {
		if s.Holder == "" || s.Gone || m.chart.index(s.Holder) != None {
			continue
		}
		settled := s.held.Add(m.config.Timing.Settle)
		if settled.After(m.now) && (m.planAt.IsZero() || settled.Before(m.planAt)) {
			m.planAt = settled
		}
		peers = append(peers, peer{Member{s.Holder, slot, s.Version}, true, s.statement, !settled.After(m.now)})
	}
	return peers
}

// planner computes the rows of the next map.
type planner struct {
	machine  *Machine
	peers    []peer
	revision uint64
	// layouts has the layout of the first row, by the members that can serve it. Other rows follow it.
	layouts map[string]*balance.Layout
}

// split returns the rows of all controllers, so that each member has all controllers of a row or none of them.
func (p *planner) split(rows []Row) []Row {
	known := map[string]bool{}
	var parts []Row
	add := func(row Row) {
		groups := map[string][]string{}
		for _, controller := range row.Controllers {
			known[controller] = true
			var who []byte
			for i, peer := range p.peers {
				if peer.has(controller) {
					who = append(who, byte(i))
				}
			}
			groups[string(who)] = append(groups[string(who)], controller)
		}
		for _, who := range slices.Sorted(maps.Keys(groups)) {
			part := row
			part.Controllers = groups[who]
			slices.Sort(part.Controllers)
			parts = append(parts, part)
		}
	}
	for _, row := range rows {
		add(row)
	}
	fresh := newRow()
	for _, peer := range p.peers {
		if peer.statement == nil {
			continue
		}
		for _, controller := range peer.statement.Controllers {
			if !known[controller] && !slices.Contains(fresh.Controllers, controller) {
				fresh.Controllers = append(fresh.Controllers, controller)
			}
		}
	}
	add(fresh)
	slices.SortFunc(parts, func(a, b Row) int { return cmp.Compare(a.Controllers[0], b.Controllers[0]) })
	return parts
}

// row computes the next state of the buckets of a row.
func (p *planner) row(row *Row) {
	var wanted balance.Layout
	forced, settled := false, true
	opened := p.opened(row)
	for b := range row.Buckets {
		row.Buckets[b] = p.resolve(row, b)
		wanted[b] = p.wanted(row.Buckets[b])
		forced = forced || wanted[b] == None
		holder := row.Buckets[b].Holder
		settled = settled && !row.Buckets[b].moves() && (holder == None || opened[holder].Has(b))
	}
	members := p.candidates(row, &wanted, forced)
	key := string(indexBytes(members))
	switch first := p.layouts[key]; {
	case first != nil && settled:
		wanted = *first
	case len(members) > 0:
		wanted.Fill(members)
		if settled && !wanted.Balanced(members) {
			wanted = *wanted.Balance(members)
		}
	}
	if p.layouts[key] == nil && wanted.Within(members) {
		p.layouts[key] = &wanted
	}
	for b := range row.Buckets {
		row.Buckets[b] = p.place(row.Buckets[b], wanted[b])
	}
}

func indexBytes(members []Index) []byte {
	text := make([]byte, 0, len(members))
	for _, member := range members {
		text = append(text, byte(member))
	}
	return text
}

// resolve returns a bucket without a dead holder, an acknowledged move, or a dead successor.
func (p *planner) resolve(row *Row, b int) Bucket {
	bucket := row.Buckets[b]
	holds := bucket.Holder != None && p.peers[bucket.Holder].alive
	if !bucket.moves() {
		if holds {
			return bucket
		}
		return unheld
	}
	succeeds := bucket.Successor >= 0 && p.peers[bucket.Successor].alive
	switch {
	case holds && !p.acked(row, b) && succeeds:
		return bucket // the successor may open it at any time
	case holds && !p.acked(row, b):
		return Bucket{bucket.Holder, Nobody, bucket.Move}
	case succeeds:
		return heldBy(bucket.Successor)
	}
	return unheld
}

// acked reports whether the holder of a bucket has drained it for all controllers of the row.
func (p *planner) acked(row *Row, b int) bool {
	bucket := row.Buckets[b]
	for _, controller := range row.Controllers {
		if !p.machine.acked(p.peers[bucket.Holder].Member, controller, b, bucket.Move) {
			return false
		}
	}
	return true
}

// opened returns, by member, the buckets that it serves for all controllers of a row.
func (p *planner) opened(row *Row) []Set {
	opened := make([]Set, len(p.peers))
	for i, peer := range p.peers {
		if peer.statement == nil {
			continue
		}
		opened[i] = all
		for _, controller := range row.Controllers {
			opened[i].intersect(peer.statement.Opened[controller])
		}
	}
	return opened
}

// wanted returns the member that a bucket is with or on the way to; None if it needs another one.
func (p *planner) wanted(bucket Bucket) Index {
	switch {
	case bucket.Successor >= 0:
		return bucket.Successor
	case bucket.moves() || bucket.Holder == None || p.peers[bucket.Holder].statement != nil && p.peers[bucket.Holder].statement.Leaving:
		return None
	}
	return bucket.Holder
}

// candidates returns the members that can get buckets of a row. Members that have just joined wait, unless buckets need another member.
func (p *planner) candidates(row *Row, wanted *balance.Layout, forced bool) []Index {
	var has [Buckets]bool
	for _, member := range wanted {
		if member >= 0 {
			has[member] = true
		}
	}
	var members []Index
	for i, peer := range p.peers {
		if peer.stays() && peer.has(row.Controllers[0]) && (peer.settled || forced || has[i]) {
			members = append(members, Index(i))
		}
	}
	return members
}

// place returns a bucket that shall get to a member, or to none.
func (p *planner) place(bucket Bucket, member Index) Bucket {
	switch {
	case bucket.Successor >= 0 || member == bucket.Holder && !bucket.moves():
		return bucket
	case bucket.Holder == None:
		return heldBy(member)
	case bucket.moves():
		if member != None {
			bucket.Successor = member
		}
		return bucket
	case member == None:
		return Bucket{bucket.Holder, Nobody, p.revision}
	}
	return Bucket{bucket.Holder, member, p.revision}
}
