package shards

import (
	"slices"
	"time"
)

// own returns the slot of the member, which has joined.
func (m *Machine) own() *sight { return m.slots[m.slot] }

// coordinates reports whether the member is the coordinator, as far as it knows.
func (m *Machine) coordinates() bool { return m.joined && m.coordinator.Holder == m.config.Identity }

// join acquires a slot. The member stays with the slot that it has asked for, until it sees another holder there: a write without an answer
// may still be executed, and a member must never have two slots.
func (m *Machine) join() {
	switch {
	case m.joined:
		return
	case m.slot >= 0 && m.own().Holder == m.config.Identity:
		m.joined, m.changed, m.replan = true, true, true
		return
	case m.slot >= 0 && m.own().sending != nil:
		return
	case m.leaving:
		m.over = true
		m.emit(Left{})
		return
	case m.barred():
		return
	}
	if m.slot < 0 || !m.free(m.own()) {
		m.slot = slices.IndexFunc(m.slots, m.free)
	}
	if m.slot >= 0 && m.due(m.own()) {
		m.state(m.own())
	}
}

// larger reports whether the map was written by a process with more slots: the member does not see all others.
func (m *Machine) larger() bool { return m.chart != nil && m.chart.Slots > m.config.Slots }

// barred reports whether the member cannot take part, because it does not know the format of the map or all slots. The slots do not count
// once nobody can write without the gates.
func (m *Machine) barred() bool { return m.unreadable || m.larger() && m.guarded() }

// retire ends a member that cannot take part any more.
func (m *Machine) retire() {
	if m.joined && !m.retiring && m.barred() {
		m.retiring, m.changed = true, true
	}
}

// free reports whether nobody has a slot. A slot that somebody has deleted still has its member.
func (m *Machine) free(s *sight) bool { return s.Holder == "" && !m.deleted(s) }

// deleted reports whether the Lease of a member of the map is missing.
func (m *Machine) deleted(s *sight) bool {
	return s.Gone && m.chart != nil && slices.ContainsFunc(m.chart.Members, func(member Member) bool {
		return m.config.SlotName(member.Slot) == s.Name // a process with more slots may have written the map
	})
}

// due reports whether it is time to write a Lease again.
func (m *Machine) due(s *sight) bool {
	return s.sending == nil && m.now.Sub(s.sent) >= m.config.Timing.Renew
}

// renew renews the member's own Lease: in time, and at once if others wait for a change of the statement.
func (m *Machine) renew() {
	if m.joined && !m.departing && (m.due(m.own()) || m.urgent && m.own().sending == nil) {
		m.state(m.own())
	}
}

// state writes the statement.
func (m *Machine) state(s *sight) {
	if m.restate {
		m.stated, m.restate, m.urgent = m.statement.Encode(), false, false
	}
	m.send(s, Lease{Holder: m.config.Identity, Duration: m.config.Timing.Lease, Renewed: m.now, State: m.stated})
}

// fence opens the fence, or lets it last longer: while the member's own Lease and all gates are renewed and, for a leader, the
// coordinator's Lease.
func (m *Machine) fence() {
	if !m.joined {
		return
	}
	renewed := m.own().renewed
	for _, gate := range m.gates {
		renewed = earlier(renewed, gate.renewed)
	}
	if m.leading {
		renewed = earlier(renewed, m.coordinator.renewed)
	}
	if renewed.IsZero() {
		return
	}
	if until := renewed.Add(m.config.Timing.Lease); until.After(m.now) && until.After(m.until) {
		m.until = until
		m.emit(Fence{until})
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// fenced reports whether the fence is open.
func (m *Machine) fenced() bool { return m.until.After(m.now) }

// fenceEnded reports whether the fence has been open, and has closed.
func (m *Machine) fenceEnded() bool { return !m.until.IsZero() && !m.fenced() }

// seeSlot notes a change of a slot: its holder, statement, or end.
func (m *Machine) seeSlot(s *sight, before Lease) {
	if s.Holder != before.Holder {
		s.held = m.now
	}
	if s.Holder == before.Holder && s.State == before.State && s.Gone == before.Gone {
		return
	}
	s.statement = nil
	if s.Holder != "" {
		var err error
		if s.statement, err = DecodeStatement(s.State); err != nil {
			m.emit(Unreadable{s.Name, err.Error()})
		}
	}
	m.changed, m.replan = true, true
	switch {
	case !m.joined || s != m.own() || s.Holder == m.config.Identity:
	case m.departing:
		m.over = true
		m.emit(Left{})
	default:
		m.drop("another member has written the Lease")
	}
}

// alive reports whether a member of the map has its slot. Only another holder of the slot means that it is dead; neither does a Lease that
// was deleted, nor a Lease that this member last saw before the member of the map acquired it.
func (m *Machine) alive(member Member) bool {
	if member.Slot >= len(m.slots) {
		return true
	}
	s := m.slots[member.Slot]
	return s.Gone || s.Version < member.Version || s.Holder == member.Identity
}

// bury declares members dead whose Leases have ended: it empties the holder. The coordinator comes first.
func (m *Machine) bury() {
	if m.barred() {
		return
	}
	after := m.config.Timing.Lease + m.config.Timing.Margin()
	if !m.coordinates() {
		after += 2 * m.config.Timing.Renew
	}
	for slot, s := range m.slots {
		if slot == m.slot || s.Holder == "" && !m.deleted(s) || !s.expired(m.now, after) || !m.due(s) {
			continue
		}
		m.send(s, Lease{Duration: m.config.Timing.Lease, Renewed: m.now})
	}
}

// depart gives the slot back, once the member has nothing to serve and nothing to coordinate.
func (m *Machine) depart() {
	if !m.joined || !m.leaving && !m.retiring || m.holds() || m.leading || m.coordinator.Holder == m.config.Identity {
		return
	}
	if s := m.own(); s.sending == nil && (!m.departing || m.due(s)) {
		m.departing = true
		m.send(s, Lease{Duration: m.config.Timing.Lease, Renewed: m.now})
	}
}
