package shards

import "time"

// Event is an input of a Machine.
type Event interface{ event() }

type (
	// Tick lets time pass. It comes at least twice in each Timing.Renew.
	Tick struct{}
	// Seen has Leases of the group. Sent is when the request was sent, or zero for events of a watch. A request returns the most recent
	// state of all Leases of the group, with Gone for the missing; one comes in each Timing.Renew, and after each write that failed.
	Seen struct {
		Sent   time.Time
		Leases []Lease
	}
	// Wrote answers a Write that succeeded.
	Wrote struct {
		Name    string
		Version uint64
	}
	// Failed answers a Write that was refused because of its version, or has an unknown result.
	Failed struct{ Name string }
	// Opened reports buckets that are listed and served, after Open.
	Opened struct {
		Controller string
		Buckets    Set
	}
	// Drained reports buckets without running reconciles and without writes in flight, after Close.
	Drained struct {
		Controller string
		Buckets    Set
	}
	// Followed reports that functions for the leader have ended, after Follow.
	Followed struct{}
	// Leave begins the orderly end.
	Leave struct{}
)

func (Tick) event()     {}
func (Seen) event()     {}
func (Wrote) event()    {}
func (Failed) event()   {}
func (Opened) event()   {}
func (Drained) event()  {}
func (Followed) event() {}
func (Leave) event()    {}

// Output is an instruction of a Machine. Outputs are carried out in their order.
type Output interface{ output() }

type (
	// Write asks for a write of a Lease: holder, duration, time of renewal and annotation change, everything else stays. Base is the
	// resource version that the Lease must have, or 0 if it must not exist. After Deadline the write is not sent and not waited for.
	// Each Write is answered with Wrote or Failed.
	Write struct {
		Lease    Lease
		Base     uint64
		Deadline time.Time
	}
	// Fence allows writes of reconciles until a time, which only grows. Afterwards, nothing may be sent.
	Fence struct{ Until time.Time }
	// Open asks to list buckets and to serve them. The lists begin now, and are the most recent.
	Open struct {
		Controller string
		Buckets    Set
	}
	// Close asks to end the intake of buckets and to drain them.
	Close struct {
		Controller string
		Buckets    Set
	}
	// Lead asks to start functions for the leader, and controllers without shards.
	Lead struct{}
	// Follow asks to end them. Followed answers it.
	Follow struct{}
	// Left says that the member has left in order.
	Left struct{}
	// Drop says that the member may be dead for others: writes are refused, all buckets are dropped. The process may join again with a new
	// Machine and a new identity.
	Drop struct{ Reason string }
	// Unreadable names a Lease whose annotation the member cannot follow, and says why.
	Unreadable struct{ Name, Reason string }
	// Unserved has the controllers that had buckets, and that no member of the group has. Only the coordinator reports them.
	Unserved struct{ Controllers []string }
)

func (Write) output()      {}
func (Fence) output()      {}
func (Open) output()       {}
func (Close) output()      {}
func (Lead) output()       {}
func (Follow) output()     {}
func (Left) output()       {}
func (Drop) output()       {}
func (Unreadable) output() {}
func (Unserved) output()   {}
