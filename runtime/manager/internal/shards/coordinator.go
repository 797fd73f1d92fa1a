package shards

import (
	"fmt"
	"strconv"
)

// coordinate takes the coordinator's Lease, renews it, writes the map, and gives the Lease back.
func (m *Machine) coordinate() {
	c := m.coordinator
	switch {
	case !m.joined || c.sending != nil || m.departing:
	case c.Holder != m.config.Identity:
		if m.mayCoordinate() && m.due(c) {
			m.writeMap(m.config.Identity, m.takenState())
		}
	case m.resigns():
		m.resign()
	default:
		m.leadOn()
	}
}

// mayCoordinate reports whether the member may become the coordinator. A member that leaves does only if nobody stays.
func (m *Machine) mayCoordinate() bool {
	c := m.coordinator
	if m.retiring || m.barred() || m.leaving && m.stays() {
		return false
	}
	return c.Holder == "" || c.expired(m.now, m.config.Timing.Lease+m.config.Timing.Margin())
}

// takenState returns the annotation with which the member takes the coordinator's Lease. It is a new map if the Lease is gone, or if the
// member does not know all slots of the last group.
func (m *Machine) takenState() string {
	if m.coordinator.Gone || m.larger() {
		lineage := m.config.Identity + "@" + strconv.FormatUint(m.coordinator.Version, 10)
		return (&Map{Lineage: lineage, Slots: m.config.Slots}).Encode()
	}
	return m.coordinator.State
}

func (m *Machine) writeMap(holder, state string) {
	m.send(m.coordinator, Lease{Holder: holder, Duration: m.config.Timing.Lease, Renewed: m.now, State: state})
}

// leadOn renews the coordinator's Lease, with another map if need be.
func (m *Machine) leadOn() {
	state, confirmed := m.coordinator.State, m.confirmed()
	if confirmed && (m.replan || !m.planAt.IsZero() && !m.now.Before(m.planAt)) {
		if next := m.plan(); next != nil {
			state = next.Encode()
		}
	}
	if confirmed && m.mayLead() {
		m.leading = true
		m.emit(Lead{})
	}
	if state != m.coordinator.State || m.due(m.coordinator) {
		m.writeMap(m.config.Identity, state)
	}
}

// mayLead reports whether a coordinator that has the gates may start the functions for the leader. Before a new map is open, the
// coordinator of an old one may still lead. The fence is about all writes of the member, so the coordinator's Lease has to last as long.
func (m *Machine) mayLead() bool {
	return m.chart.Revision > 0 && !m.leading && !m.leaving && m.fenced() &&
		!m.coordinator.renewed.Add(m.config.Timing.Lease).Before(m.until)
}

// stays reports whether another member is known that does not leave.
func (m *Machine) stays() bool {
	for slot, s := range m.slots {
		if slot != m.slot && s.Holder != "" && s.statement != nil && !s.statement.Leaving {
			return true
		}
	}
	return false
}

// alone reports whether no other member is known.
func (m *Machine) alone() bool {
	for slot, s := range m.slots {
		if slot != m.slot && s.Holder != "" {
			return false
		}
	}
	return true
}

// resigns reports whether the coordinator shall give its Lease back: to a member that stays or, as the last member, when nothing is served.
func (m *Machine) resigns() bool {
	return m.retiring || m.leaving && (m.stays() || m.finished())
}

// finished reports whether the last member has drained everything.
func (m *Machine) finished() bool { return m.leaving && m.alone() && !m.holds() }

// returns reports whether the coordinator gives the gates back.
func (m *Machine) returns() bool {
	return m.coordinates() && !m.leading && !m.retiring && !m.stays() && m.finished()
}

// resign ends the functions for the leader, then gives the gates back if nobody is left, then the Lease.
func (m *Machine) resign() {
	switch {
	case m.leading && !m.ending:
		m.ending = true
		m.emit(Follow{})
		m.renewCoordinator()
	case m.leading, m.returns() && !m.returned():
		m.renewCoordinator()
	default:
		m.writeMap("", m.coordinator.State)
	}
}

func (m *Machine) renewCoordinator() {
	if m.due(m.coordinator) {
		m.writeMap(m.config.Identity, m.coordinator.State)
	}
}

// seeCoordinator takes in the coordinator's Lease.
func (m *Machine) seeCoordinator(before Lease) {
	c := m.coordinator
	if c.Gone {
		c.Holder = ""
	} else if c.State != before.State || m.chart == nil {
		m.read()
	}
	switch me := m.config.Identity; {
	case c.Holder == me && before.Holder != me:
		m.acquired, m.openAt, m.replan, m.ending = m.now, m.now, true, false
		if m.guarded() { // members of a group whose Leases were deleted may still write
			m.openAt = m.now.Add(m.config.Timing.Lease + m.config.Timing.Margin())
		}
	case c.Holder != me && before.Holder == me && m.leading:
		m.drop("another member has become the coordinator")
	}
}

// read decodes the map. A member that holds buckets of another lineage, or that cannot read the map, closes all its buckets and leaves.
func (m *Machine) read() {
	chart, err := DecodeMap(m.coordinator.State)
	m.unreadable = err != nil
	m.changed, m.replan = true, true
	if err != nil {
		m.emit(Unreadable{m.coordinator.Name, err.Error()})
		m.chart = nil
		return
	}
	m.chart = chart
	if m.larger() {
		m.emit(Unreadable{m.coordinator.Name, fmt.Sprintf("the group has %d slots, this process %d", chart.Slots, m.config.Slots)})
	}
	if chart.Lineage == m.statement.Lineage {
		return
	}
	if m.holds() {
		m.retiring = true
		return
	}
	m.statement.Lineage, m.restate, m.urgent = chart.Lineage, true, true
}
