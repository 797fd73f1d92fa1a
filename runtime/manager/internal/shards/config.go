package shards

import (
	"strconv"
	"time"
)

// Config is the part of a member's options that the protocol needs.
type Config struct {
	// Name is the name of the manager's Lease, which becomes the gate.
	Name string
	// AlsoHold are names of Leases that the group holds in the same way as the gate.
	AlsoHold []string
	// Identity names the member. Every new Machine needs a new one.
	Identity string
	// Slots is the number of member Leases: the largest size of the group. Members with fewer slots than the group leave or wait.
	Slots int
	// Controllers are the sorted names of the sharded controllers.
	Controllers []string
	Timing      Timing
}

// Timing has the durations of the protocol. All members of a group use the same.
type Timing struct {
	// Lease is the time for which a Lease is valid after its renewal was sent.
	Lease time.Duration
	// Renew is the time between renewals. It is at least a second, and at most a seventh of Lease.
	Renew time.Duration
	// Write is the longest time from sending a write, to a Lease or to any other object, until the API server executes it.
	Write time.Duration
	// Settle is how long a member waits, after its first renewal, for buckets that other members hold.
	Settle time.Duration
}

// Margin returns the time between the end of a Lease and the earliest write that takes it from its holder: 5 % for clocks that differ in
// rate, and the longest time that a write of the holder may still take.
func (t Timing) Margin() time.Duration { return (t.Lease+t.Write)/20 + t.Write }

// CoordinatorName returns the name of the coordinator's Lease.
func (c Config) CoordinatorName() string { return c.Name + "-coordinator" }

// SlotName returns the name of the Lease of a slot.
func (c Config) SlotName(slot int) string { return c.Name + "-member-" + strconv.Itoa(slot) }

// Names returns the names of all Leases of the group.
func (c Config) Names() []string {
	names := append([]string{c.Name}, c.AlsoHold...)
	names = append(names, c.CoordinatorName())
	for slot := range c.Slots {
		names = append(names, c.SlotName(slot))
	}
	return names
}

// Group returns the holder identity of the gates. All members of the group share it.
func (c Config) Group() string { return c.Name + "-shards" }
