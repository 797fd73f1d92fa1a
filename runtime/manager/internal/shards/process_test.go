package shards

import (
	"fmt"
	"time"
)

// process is a process with shards. It has a member, and after a drop another one.
type process struct {
	w           *world
	name        string
	controllers []string
	clock       clock
	link        link
	frozen      time.Duration
	// gone is set when the process has ended, leaving when it was asked to.
	gone, leaving bool
	member        *member
	joins, slots  int
	// killAt counts down the writes until the process is killed, before the write is executed or after.
	killAt     int
	killBefore bool
}

// member is what the world knows about a member.
type member struct {
	p        *process
	identity string
	machine  *Machine
	until    time.Time
	// ended is when the process was killed or the member dropped everything; 0 while it is there.
	ended  time.Duration
	claims map[string]*claim
	led    bool
	since  time.Duration
}

// claim is the buckets of a controller that a member may write for, and the part that it serves.
type claim struct{ open, closing, ready Set }

func (w *world) start(name string, controllers []string, slots int) {
	if w.processes[name] != nil {
		return
	}
	p := &process{w: w, name: name, controllers: controllers, clock: w.newClock(), slots: slots}
	w.processes[name] = p
	w.shrunk = w.shrunk || len(w.order) > 0 && w.order[0].slots > slots
	w.order = append(w.order, p)
	w.log("%s starts with %v and %d slots, clock rate %.4f", name, controllers, slots, p.clock.rate)
	p.join()
	p.tick()
	p.poll()
}

// join begins a new member.
func (p *process) join() {
	p.joins++
	m := &member{p: p, identity: fmt.Sprintf("%s.%d", p.name, p.joins), claims: map[string]*claim{}, since: p.w.now}
	m.machine = New(Config{
		Name: "m", AlsoHold: p.w.also, Identity: m.identity, Slots: p.slots, Controllers: p.controllers, Timing: timing,
	})
	for _, controller := range p.controllers {
		m.claims[controller] = &claim{}
	}
	p.member = m
	p.w.members = append(p.w.members, m)
}

func (p *process) tick() {
	if p.gone {
		return
	}
	p.deliver(p.member, Tick{})
	pause := timing.Renew / 2
	if p.w.quick {
		pause /= 10
	}
	p.w.after(pause, p.tick)
}

// poll lists all Leases again and again.
func (p *process) poll() {
	if p.gone {
		return
	}
	p.list()
	p.w.after(timing.Renew, p.poll)
}

func (p *process) list() {
	w, m := p.w, p.member
	if w.now < p.frozen {
		return
	}
	sent := p.clock.read(w.now)
	w.after(w.latency(&p.link), func() {
		if w.now < p.link.cut {
			return
		}
		leases := w.list()
		w.after(w.answering(&p.link), func() {
			if w.now >= p.link.cut {
				p.deliver(m, Seen{Sent: sent, Leases: leases})
			}
		})
	})
}

// deliver gives an event to the machine of a member, when the process is not frozen.
func (p *process) deliver(m *member, event Event) {
	switch {
	case p.gone || p.member != m:
	case p.w.now < p.frozen:
		p.w.after(p.frozen-p.w.now, func() { p.deliver(m, event) })
	default:
		for _, output := range m.machine.Step(p.clock.read(p.w.now), event) {
			if p.gone {
				return
			}
			p.perform(m, output)
		}
	}
}

// perform carries out an output.
func (p *process) perform(m *member, output Output) {
	w := p.w
	switch o := output.(type) {
	case Write:
		p.send(m, o)
	case Fence:
		w.checkFence(m, o.Until)
		m.until = o.Until
		w.checkAlone(m)
	case Open:
		w.log("%s opens %s %v", m.identity, o.Controller, o.Buckets.Arcs())
		m.claims[o.Controller].open.union(o.Buckets)
		w.checkOpen(m, o.Controller, o.Buckets)
		w.after(w.between(0, longestList), func() {
			if m.ended == 0 {
				ready := o.Buckets
				ready.intersect(m.claims[o.Controller].open)
				m.claims[o.Controller].ready.union(ready)
				if w.now >= p.frozen {
					w.servedAll(o.Controller, ready)
				}
			}
			p.deliver(m, Opened(o))
		})
	case Close:
		w.log("%s closes %s %v", m.identity, o.Controller, o.Buckets.Arcs())
		c := m.claims[o.Controller]
		c.open.remove(o.Buckets)
		c.ready.remove(o.Buckets)
		c.closing.union(o.Buckets)
		w.after(w.between(0, longestDrain), func() { p.drained(m, Drained(o)) })
	case Lead:
		w.log("%s leads", m.identity)
		m.led = true
		w.checkLead(m)
	case Follow:
		w.log("%s ends leading", m.identity)
		w.after(w.between(0, time.Second), func() {
			if m.ended == 0 {
				m.led = false
			}
			p.deliver(m, Followed{})
		})
	case Left:
		w.log("%s has left", m.identity)
		w.checkLeft(m)
		p.rejoin(m)
	case Drop:
		w.log("%s drops all: %s", m.identity, o.Reason)
		m.ended = w.now
		p.rejoin(m)
	}
}

// drained ends the claims of a member to buckets. A frozen process drains later.
func (p *process) drained(m *member, event Drained) {
	if m.ended != 0 {
		return
	}
	if p.w.now < p.frozen {
		p.w.after(p.frozen-p.w.now, func() { p.drained(m, event) })
		return
	}
	m.claims[event.Controller].closing.remove(event.Buckets)
	p.deliver(m, event)
}

// rejoin begins another member, unless the process ends.
func (p *process) rejoin(m *member) {
	if m.ended == 0 {
		m.ended = p.w.now
	}
	if p.leaving {
		p.gone = true
		return
	}
	p.w.after(p.w.between(0, time.Second), func() {
		if !p.gone && p.member == m {
			p.join()
		}
	})
}

// send sends a write, or ends the process in the middle of it.
func (p *process) send(m *member, o Write) {
	w := p.w
	if p.killAt > 0 {
		if p.killAt--; p.killAt == 0 {
			if !p.killBefore {
				w.write(&p.link, o.Lease, o.Base, func(uint64) {}, func() {})
			}
			p.kill()
			return
		}
	}
	w.write(&p.link, o.Lease, o.Base, func(version uint64) {
		if version == 0 {
			p.deliver(m, Failed{o.Lease.Name})
			p.list()
			return
		}
		p.deliver(m, Wrote{o.Lease.Name, version})
	}, func() {
		p.deliver(m, Failed{o.Lease.Name})
		p.list()
	})
}

func (p *process) kill() {
	if p.gone {
		return
	}
	p.w.log("%s is killed", p.name)
	p.gone = true
	if p.member.ended == 0 {
		p.member.ended = p.w.now
		p.w.upset("kill")
	}
}

func (p *process) stop() {
	if !p.gone && !p.leaving {
		p.w.log("%s is asked to leave", p.name)
		p.w.upset("stop")
		p.leaving = true
		if p.member.ended != 0 {
			p.gone = true
			return
		}
		p.deliver(p.member, Leave{})
	}
}

// end returns the true time until which a member can send writes.
func (m *member) end() time.Duration {
	end := m.p.clock.when(m.until)
	if m.until.IsZero() {
		end = 0
	}
	if m.ended != 0 {
		end = min(end, m.ended)
	}
	return end
}

// writes reports whether writes of a member may be executed now or later, if it has buckets.
func (m *member) writes() bool { return m.end() > 0 && m.end()+timing.Write > m.p.w.now }

// claims reports whether a member has buckets.
func (m *member) claimsAny() bool {
	for _, c := range m.claims {
		if !c.open.Empty() || !c.closing.Empty() {
			return true
		}
	}
	return m.led
}
