package shards

import "time"

// Lease is the part of a Lease of coordination.k8s.io that the protocol uses.
type Lease struct {
	Name string
	// Version is the resource version. For a Lease that does not exist, it is a version at which that was so.
	Version uint64
	Gone    bool
	Holder  string
	// Duration and Renewed are for processes that know no shards: members do not compare clocks.
	Duration time.Duration
	Renewed  time.Time
	// State is the annotation: the map for the coordinator's Lease, the statement for a member's, "" for others.
	State string
}

// sight is a Lease as the machine has seen it, by its own clock.
type sight struct {
	Lease
	// changed is when the current version was first seen. Time until death is counted from it: too late is safe.
	changed time.Time
	// proven is when the latest request was sent that returned the current version: the next version is written after that.
	proven time.Time
	// renewed is a time before or at the last renewal by this side: too early is safe. Zero: no renewal is known.
	renewed time.Time
	// written is when the last successful write of this machine was sent; zero if it gave the Lease back.
	written time.Time
	// sending is the content of the write that has no answer yet, sent its time.
	sending *Lease
	sent    time.Time
	// held is when the holder was first seen, statement its decoded state; nil if it is unknown.
	held      time.Time
	statement *Statement
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// observe takes in a Lease that a request or a watch has returned. It reports whether the Lease differs from what was known. Versions that
// are older than a known one are late events.
func (s *sight) observe(lease Lease, sent, now time.Time) bool {
	if lease.Version < s.Version {
		return false
	}
	if lease.Version == s.Version || lease.Gone && s.Gone {
		s.Version = lease.Version
		s.proven = later(s.proven, sent)
		return false
	}
	if lease.Gone { // a deletion is no death: who holds the Lease may write it again
		lease.Holder, lease.Duration, lease.Renewed, lease.State = s.Holder, s.Duration, s.Renewed, s.State
	}
	s.Lease, s.changed, s.proven = lease, now, sent
	return true
}

// base returns the version that a write must meet; 0 if it creates the Lease.
func (s *sight) base() uint64 {
	if s.Gone {
		return 0
	}
	return s.Version
}

// expired reports whether another process may take the Lease.
func (s *sight) expired(now time.Time, after time.Duration) bool { return now.Sub(s.changed) >= after }
