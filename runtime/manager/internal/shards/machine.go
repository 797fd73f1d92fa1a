package shards

import (
	"slices"
	"time"
)

// Machine is the protocol of one member.
type Machine struct {
	config Config
	now    time.Time
	out    []Output
	over   bool

	sights      map[string]*sight
	gates       []*sight
	coordinator *sight
	slots       []*sight
	// listed is set after the first list of all Leases.
	listed bool
	// slot is the slot that the member has asked for, joined is set once it has it.
	slot   int
	joined bool
	// until is the end of the fence; zero before it has opened.
	until time.Time

	// chart is the map of the coordinator's Lease; nil if there is none, or if its format is unknown.
	chart      *Map
	unreadable bool
	holdings   []holding
	statement  Statement
	// stated is the statement as last encoded. restate is set if it has changed since, urgent if the change shall be written at once.
	stated          string
	restate, urgent bool
	// changed is set when buckets may have to be opened or closed.
	changed bool

	// leaving is set for an orderly end. retiring is set if the member cannot follow the map: it closes its buckets without being asked.
	// departing is set when it gives its slot back.
	leaving, retiring, departing bool

	// acquired is when the member learned that it is the coordinator, openAt when it may open a new map. leading is set from Lead to Followed,
	// ending from Follow.
	acquired, openAt time.Time
	leading, ending  bool
	// replan is set when the map may have to change, planAt is when it may have to change because time has passed.
	replan   bool
	planAt   time.Time
	unserved []string
}

// New returns the machine of a new member.
func New(config Config) *Machine {
	m := &Machine{config: config, sights: map[string]*sight{}, slot: -1, restate: true}
	add := func(name string) *sight {
		s := &sight{Lease: Lease{Name: name}}
		m.sights[name] = s
		return s
	}
	for _, name := range append([]string{config.Name}, config.AlsoHold...) {
		m.gates = append(m.gates, add(name))
	}
	m.coordinator = add(config.CoordinatorName())
	for slot := range config.Slots {
		m.slots = append(m.slots, add(config.SlotName(slot)))
	}
	m.statement = Statement{Controllers: config.Controllers, Acked: map[string]*[Buckets]uint64{}, Opened: map[string]Set{}}
	for _, controller := range config.Controllers {
		m.holdings = append(m.holdings, holding{controller: controller})
		m.statement.Acked[controller] = &[Buckets]uint64{}
	}
	return m
}

// Step takes an event at a time of the member's clock and returns what to do. After Left or Drop, it returns nothing.
func (m *Machine) Step(now time.Time, event Event) []Output {
	if m.over {
		return nil
	}
	m.now, m.out = now, nil
	if m.fenceEnded() { // before the event: an answer that comes too late does not open the fence again
		m.drop("the Lease has ended")
		return m.out
	}
	m.take(event)
	if m.over || !m.listed {
		return m.out
	}
	m.fence()
	m.join()
	m.retire()
	m.follow()
	m.coordinate()
	m.holdGates()
	m.bury()
	m.renew()
	m.depart()
	return m.out
}

func (m *Machine) emit(output Output) { m.out = append(m.out, output) }

// drop ends the machine without order.
func (m *Machine) drop(reason string) {
	m.over = true
	m.emit(Drop{reason})
}

// take takes in an event.
func (m *Machine) take(event Event) {
	switch e := event.(type) {
	case Seen:
		for _, lease := range e.Leases {
			if s := m.sights[lease.Name]; s != nil {
				m.observe(s, lease, e.Sent)
			}
		}
		m.listed = m.listed || !e.Sent.IsZero()
	case Wrote:
		m.wrote(m.sights[e.Name], e.Version)
	case Failed:
		m.sights[e.Name].sending = nil
		m.replan = true // the map may not be written
	case Opened:
		h := m.holding(e.Controller)
		e.Buckets.intersect(h.open)
		h.ready.union(e.Buckets)
		m.statement.Opened[e.Controller] = h.ready
		m.restate = true
	case Drained:
		h := m.holding(e.Controller)
		h.closing.remove(e.Buckets)
		m.changed = true
	case Followed:
		m.leading = false
	case Leave:
		m.leaving, m.statement.Leaving = true, true
		m.restate, m.urgent, m.changed, m.replan = true, true, true, true
	}
}

// send emits a write, unless a write of the same Lease has no answer yet.
func (m *Machine) send(s *sight, lease Lease) {
	if s.sending != nil {
		return
	}
	lease.Name, lease.Version, lease.Gone = s.Name, 0, false
	s.sending, s.sent = &lease, m.now
	m.emit(Write{lease, s.base(), m.now.Add(m.config.Timing.Write)})
}

// wrote takes in the success of a write.
func (m *Machine) wrote(s *sight, version uint64) {
	lease, sent := *s.sending, s.sent
	s.sending = nil
	lease.Version = version
	m.observe(s, lease, sent)
	if lease.Holder == m.config.Identity || lease.Holder == m.config.Group() {
		s.renewed, s.written = later(s.renewed, sent), sent
	}
}

// observe takes in a Lease, and what follows from it for the member.
func (m *Machine) observe(s *sight, lease Lease, sent time.Time) {
	before, proven := s.Lease, s.proven
	if !s.observe(lease, sent, m.now) {
		return
	}
	switch {
	case s == m.coordinator:
		m.seeCoordinator(before)
	case !slices.Contains(m.gates, s):
		m.seeSlot(s, before)
	case s.Holder == m.config.Group() && !s.Gone:
		s.renewed = later(s.renewed, proven)
	}
}
