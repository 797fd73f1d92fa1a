package shards

import (
	"time"
)

// controllers are the names of all sharded controllers.
var controllers = []string{"a", "b"}

// upset is something that delays the protocol.
type upset struct {
	at   time.Duration
	kind string
}

// checks are the observations of a world.
type checks struct {
	upsets []upset
	// unserved is, by controller, since when buckets are not served.
	unserved map[string]*[Buckets]time.Duration
	// capable is since when a member that could serve a controller was there and undisturbed; -1: there is none.
	capable map[string]time.Duration
	longest map[string]time.Duration
	// served is set while all buckets of a controller are served.
	served map[string]bool
}

func (c *checks) init() {
	c.unserved, c.capable, c.longest = map[string]*[Buckets]time.Duration{}, map[string]time.Duration{}, map[string]time.Duration{}
	c.served = map[string]bool{}
	for _, controller := range controllers {
		c.unserved[controller] = &[Buckets]time.Duration{}
		for b := range Buckets {
			c.unserved[controller][b] = -1
		}
		c.capable[controller] = -1
	}
}

func (w *world) upset(kind string) { w.check.upsets = append(w.check.upsets, upset{w.now, kind}) }

// checkOpen checks that no other member, and no process without shards, can still write for buckets that a member opens.
func (w *world) checkOpen(m *member, controller string, buckets Set) {
	if m.end() <= w.now {
		w.fail("%s opens %s with a closed fence", m.identity, controller)
	}
	for _, other := range w.members {
		c := other.claims[controller]
		if other == m || c == nil || !other.writes() {
			continue
		}
		both := c.open
		both.union(c.closing)
		both.intersect(buckets)
		if !both.Empty() {
			w.fail("%s opens %s %v, and %s can write for them until %.3f", m.identity, controller, both.Arcs(), other.identity,
				(other.end() + timing.Write).Seconds())
		}
	}
	w.checkAlone(m)
}

// checkLead checks that one member leads.
func (w *world) checkLead(m *member) {
	for _, other := range w.members {
		if other != m && other.led && other.writes() {
			w.fail("%s leads, and %s too", m.identity, other.identity)
		}
	}
	w.checkAlone(m)
}

// checkAlone checks that no process without shards can write.
func (w *world) checkAlone(m *member) {
	if !m.claimsAny() || m.end() <= w.now {
		return
	}
	for _, o := range w.old {
		if o.writes() {
			w.fail("%s can write while %s leads without shards", m.identity, o.name)
		}
	}
}

// checkFence checks that a fence only grows, and does not open again.
func (w *world) checkFence(m *member, until time.Time) {
	if now := m.p.clock.read(w.now); !m.until.IsZero() && !now.Before(m.until) {
		w.fail("the fence of %s opens again", m.identity)
	}
	if until.Before(m.until) {
		w.fail("the fence of %s shrinks", m.identity)
	}
	for _, other := range w.members {
		if other == m || !other.writes() {
			continue
		}
		if m.led && other.led {
			w.fail("%s and %s lead", m.identity, other.identity)
		}
		for controller, c := range m.claims {
			theirs := other.claims[controller]
			if theirs == nil {
				continue
			}
			mine := c.open
			mine.union(c.closing)
			all := theirs.open
			all.union(theirs.closing)
			all.intersect(mine)
			if !all.Empty() {
				w.fail("%s and %s can write for %s %v", m.identity, other.identity, controller, all.Arcs())
			}
		}
	}
}

// checkLeft checks that a member that has left holds nothing.
func (w *world) checkLeft(m *member) {
	if m.claimsAny() {
		w.fail("%s has left, and holds buckets", m.identity)
	}
}

// undisturbed reports whether a process works as it should.
func (p *process) undisturbed() bool {
	return !p.gone && !p.leaving && p.w.now >= p.frozen && p.w.now >= p.link.cut && p.w.now >= p.link.slow && p.member.ended == 0
}

// sample notes which buckets are served, and for how long others have not been.
func (w *world) sample() {
	for _, controller := range controllers {
		w.sampleRow(controller, w.check.unserved[controller])
	}
}

func (w *world) sampleRow(controller string, since *[Buckets]time.Duration) {
	var served Set
	capable := false
	for _, p := range w.order {
		c := p.member.claims[controller]
		if p.gone || c == nil {
			continue
		}
		capable = capable || p.undisturbed()
		if p.member.ended == 0 && p.member.end() > w.now && w.now >= p.frozen {
			served.union(c.ready)
		}
	}
	for _, o := range w.old {
		capable = capable && !o.writes()
	}
	switch {
	case !capable:
		w.check.capable[controller] = -1
	case w.check.capable[controller] < 0:
		w.check.capable[controller] = w.now
	}
	if served == all && w.check.served[controller] {
		return
	}
	w.check.served[controller] = served == all
	checked := time.Duration(-1)
	for b := range Buckets {
		switch {
		case served.Has(b):
			w.served(controller, b, since)
		case since[b] < 0:
			since[b] = w.now
		case since[b] != checked:
			checked = since[b]
			w.notServed(controller, b, checked)
		}
	}
}

// servedAll notes that buckets are served now; samples could miss that.
func (w *world) servedAll(controller string, buckets Set) {
	for b := range Buckets {
		if buckets.Has(b) {
			w.served(controller, b, w.check.unserved[controller])
		}
	}
}

// served ends the time in which a bucket was not served.
func (w *world) served(controller string, b int, since *[Buckets]time.Duration) {
	if since[b] < 0 {
		return
	}
	if kind, start, _ := w.bound(controller, since[b]); kind != "" {
		w.check.longest[kind] = max(w.check.longest[kind], w.now-start)
	}
	since[b] = -1
}

// bounds of the time for which a bucket is not served. Clocks of members may be slow.
var (
	boundOrderly = longestDrain + longestList + 3*time.Second
	boundCrash   = slowly(timing.Lease+timing.Margin()) + longestList + 3*time.Second
	boundBoth    = slowly(2*timing.Lease+timing.Margin()) + longestDrain + longestList + 3*time.Second
)

func slowly(d time.Duration) time.Duration { return time.Duration(float64(d) / 0.9765) }

// bound returns the class of a time in which a bucket is not served, since when it counts, and how long it may be. The time counts from the
// last event that concerns it: the bucket may be on the way from one member to another when the next one ends.
func (w *world) bound(controller string, since time.Duration) (kind string, start, limit time.Duration) {
	capable := w.check.capable[controller]
	if w.shrunk || capable < 0 || capable > since-boundBoth { // the group waits, has just begun, or was cut off as a whole
		return "", 0, 0
	}
	n, start := 0, since
	for _, u := range w.check.upsets {
		switch {
		case u.kind == "stop":
			start = max(start, u.at)
		case u.at > since-boundBoth && u.kind == "kill":
			n++
			start = max(start, u.at)
		case u.at > since-boundBoth:
			return "", 0, 0
		}
	}
	switch n {
	case 0:
		return "orderly end", start, boundOrderly
	case 1:
		return "crash", start, boundCrash
	case 2:
		return "two crashes", start, boundBoth
	}
	return "", 0, 0
}

// notServed checks how long a bucket has not been served.
func (w *world) notServed(controller string, b int, since time.Duration) {
	if kind, start, limit := w.bound(controller, since); kind != "" && w.now-start > limit {
		w.fail("bucket %d of %s is not served since %.3f after %s", b, controller, since.Seconds(), kind)
	}
	last := w.check.capable[controller]
	if last < 0 {
		return
	}
	for _, u := range w.check.upsets {
		last = max(last, u.at)
	}
	// A gate may be with a process that was killed without shards, in addition to all others.
	if limit := slowly(2*timing.Lease+2*timing.Margin()) + longestDrain + longestList + timing.Settle; w.now-max(last, since) > limit {
		w.fail("bucket %d of %s is not served since %.3f, and nothing happens since %.3f", b, controller, since.Seconds(), last.Seconds())
	}
}
