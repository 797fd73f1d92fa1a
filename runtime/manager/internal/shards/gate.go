package shards

import (
	"slices"
	"time"
)

// gateDuration is the duration in the gates. Processes that know no shards take a gate when it has passed since they have seen a renewal,
// without a margin of their own, so it includes the margin.
func (m *Machine) gateDuration() time.Duration {
	return (m.config.Timing.Lease + m.config.Timing.Margin() + time.Second - 1).Truncate(time.Second)
}

// holdGates takes, renews and gives back the gates. The coordinator does all of it; others renew them when the coordinator does not. Gates
// of a group with more slots have to end.
func (m *Machine) holdGates() {
	if !m.joined || m.departing || m.larger() {
		return
	}
	for _, gate := range m.gates {
		switch {
		case gate.sending != nil:
		case m.returns():
			if gate.Holder == m.config.Group() {
				gate.written = time.Time{}
				m.writeGate(gate, "", time.Second)
			}
		case m.coordinates():
			if m.mayHold(gate) && (m.due(gate) || gate.sent.Before(m.acquired)) {
				m.writeGate(gate, m.config.Group(), m.gateDuration())
			}
		case gate.Holder == m.config.Group() && m.now.Sub(gate.renewed) >= m.patience() && m.due(gate):
			m.writeGate(gate, m.config.Group(), m.gateDuration())
		}
	}
}

// patience is how old a renewal of a gate is before a member that is not the coordinator renews it. Members take turns.
func (m *Machine) patience() time.Duration {
	return m.config.Timing.Lease/2 + time.Duration(m.slot%8)*m.config.Timing.Renew/4
}

// mayHold reports whether the group may hold a gate: it does already, nobody does, or the holder has not renewed it for long.
func (m *Machine) mayHold(gate *sight) bool {
	return gate.Holder == "" || gate.Holder == m.config.Group() || m.ended(gate)
}

// ended reports whether the holder of a gate can no longer write, because it has not renewed the gate for long.
func (m *Machine) ended(gate *sight) bool {
	return gate.expired(m.now, gate.Duration+m.config.Timing.Margin())
}

// writeGate writes a gate. The time of renewal grows by at least a second: client-go's leader election compares seconds, and would not
// see a renewal by a member whose clock is behind.
func (m *Machine) writeGate(gate *sight, holder string, duration time.Duration) {
	renewed := later(m.now, gate.Renewed.Add(time.Second)).Truncate(time.Second)
	m.send(gate, Lease{Holder: holder, Duration: duration, Renewed: renewed})
}

// confirmed reports whether the coordinator has renewed all gates since it is the coordinator. Before that, its predecessor may have given
// them back.
func (m *Machine) confirmed() bool {
	for _, gate := range m.gates {
		if gate.Holder != m.config.Group() || gate.Gone || gate.written.IsZero() || gate.written.Before(m.acquired) {
			return false
		}
	}
	return true
}

// guarded reports whether members of the group may write: it holds a gate that has not ended.
func (m *Machine) guarded() bool {
	return slices.ContainsFunc(m.gates, func(gate *sight) bool {
		return gate.Holder == m.config.Group() && !m.ended(gate)
	})
}

// returned reports whether the group holds no gate.
func (m *Machine) returned() bool {
	for _, gate := range m.gates {
		if gate.Holder == m.config.Group() {
			return false
		}
	}
	return true
}
