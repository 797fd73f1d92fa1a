package shards

import "slices"

// reportUnserved removes rows that no member can serve, and reports the names of their controllers when they change.
func (m *Machine) reportUnserved(rows []Row, peers []peer) []Row {
	var unserved []string
	served := func(controller string) bool {
		return slices.ContainsFunc(peers, func(p peer) bool { return p.alive && p.has(controller) })
	}
	for _, controller := range m.unserved {
		if !served(controller) {
			unserved = append(unserved, controller)
		}
	}
	rows = slices.DeleteFunc(rows, func(row Row) bool {
		lost := !served(row.Controllers[0]) && row.Buckets == newRow().Buckets
		if lost {
			unserved = append(unserved, row.Controllers...)
		}
		return lost
	})
	slices.Sort(unserved)
	if unserved = slices.Compact(unserved); !slices.Equal(unserved, m.unserved) {
		m.unserved = unserved
		m.emit(Unserved{unserved})
	}
	return rows
}
