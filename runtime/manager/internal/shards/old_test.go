package shards

import "time"

// old is a process without shards, with the leader election of client-go: it compares records whose times are in seconds, and adds no
// margin.
type old struct {
	w      *world
	name   string
	clock  clock
	link   link
	frozen time.Duration

	seen    Lease // the record that it has seen last, without version
	at      time.Time
	leading bool
	// sent is when the last renewal was sent. end is the true time of its end, 0 while it is there.
	sent           time.Time
	end            time.Duration
	stopping, gone bool
}

func (w *world) startOld(name string) {
	if w.old[name] != nil {
		return
	}
	o := &old{w: w, name: name, clock: w.newClock()}
	w.old[name] = o
	w.log("%s starts without shards, clock rate %.4f", name, o.clock.rate)
	o.try()
}

// try makes one attempt to acquire or renew the gate: get, then update.
func (o *old) try() {
	w := o.w
	switch {
	case o.gone:
		return
	case w.now < o.frozen:
		w.after(o.frozen-w.now, o.try)
		return
	case o.leading && o.clock.read(w.now).Sub(o.sent) > oldRenewDeadline:
		w.log("%s could not renew", o.name)
		o.quit()
		return
	}
	w.after(timing.Renew, o.try)
	w.after(w.latency(&o.link), func() {
		if w.now < o.link.cut {
			return
		}
		lease := Lease{Name: "m"}
		if current := w.leases["m"]; current != nil {
			lease = *current
		}
		w.after(w.latency(&o.link), func() {
			if w.now >= o.link.cut && w.now >= o.frozen && !o.gone {
				o.got(lease)
			}
		})
	})
}

func (o *old) got(lease Lease) {
	now := o.clock.read(o.w.now)
	record := Lease{Holder: lease.Holder, Duration: lease.Duration, Renewed: lease.Renewed.Truncate(time.Second)}
	if record != o.seen {
		o.seen, o.at = record, now
	}
	if o.stopping || lease.Holder != "" && lease.Holder != o.name && o.at.Add(lease.Duration).After(now) {
		return
	}
	o.w.write(&o.link, Lease{Name: "m", Holder: o.name, Duration: timing.Lease, Renewed: now}, lease.Version, func(version uint64) {
		if version == 0 || o.gone || o.stopping {
			return
		}
		o.sent = now
		if !o.leading {
			o.w.log("%s leads", o.name)
		}
		o.leading = true
		for _, m := range o.w.members {
			if o.w.now >= o.frozen && m.claimsAny() && m.writes() && o.until() > o.w.now {
				o.w.fail("%s leads without shards while %s can write", o.name, m.identity)
			}
		}
	}, func() {})
}

// until returns the true time until which the process can send writes.
func (o *old) until() time.Duration {
	if !o.leading {
		return 0
	}
	end := o.clock.when(o.sent.Add(timing.Lease))
	if o.end != 0 {
		end = min(end, o.end)
	}
	return end
}

// writes reports whether writes of the process may be executed now or later.
func (o *old) writes() bool { return o.until() > 0 && o.until()+timing.Write > o.w.now }

// quit ends the process without order.
func (o *old) quit() {
	if !o.gone {
		o.gone, o.end = true, o.w.now
	}
}

// stop drains, gives the gate back, and ends.
func (o *old) stop() {
	if o.gone || o.stopping {
		return
	}
	o.stopping = true
	o.w.after(o.w.between(0, longestDrain), func() {
		if o.gone {
			return
		}
		leading := o.leading && o.until() > o.w.now && o.w.now >= o.frozen
		o.quit()
		if current := o.w.leases["m"]; leading && current != nil && current.Holder == o.name {
			o.leading = false
			o.w.write(&o.link, Lease{Name: "m", Duration: time.Second, Renewed: o.clock.read(o.w.now)}, current.Version,
				func(uint64) {}, func() {})
		}
	})
}
