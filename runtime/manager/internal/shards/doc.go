// Package shards is the protocol by which the replicas of a process share buckets of objects: which member serves which bucket, and how
// buckets move when members begin, end, crash or freeze. docs/designs/shards.md has the reasons.
//
// A [Machine] is one member. It is a pure state machine: [Machine.Step] takes an [Event] and a time, and returns [Output] values. Whoever
// drives it owns a client, a clock and a goroutine:
//
//	machine := shards.New(config)
//	for {
//		select {
//		case event := <-events: // answers, watch events, lists, and a tick at least twice in each Timing.Renew
//			for _, output := range machine.Step(sleepless.Now(), event) {
//				perform(output)
//			}
//		}
//	}
//
// The driver has these duties:
//
//   - Answer each [Write] with [Wrote] or [Failed]. Send it at once: a Lease counts from the Step that returned the Write.
//   - Refuse writes of reconciles after [Fence].Until, and end those in flight by then. Requests that change nothing pass.
//   - List all Leases most recently in each Timing.Renew, and after each Failed. Resource versions are compared as numbers.
//   - Measure time with a clock that goes on while the machine is suspended.
//   - Report [Drained] when no reconcile of the buckets is running, and no write is in flight.
//   - After [Open], list the buckets with a request that begins then, and returns the most recent state.
//
// # Parts
//
// Package balance distributes buckets. Here, map.go and format.go have the annotations, lease.go the known facts about a Lease, member.go
// slots, fence, death and end, gate.go the Leases that keep out processes without shards, buckets.go a member's buckets, coordinator.go
// and plan.go the map.
//
// # Rules
//
// Tests run random histories against a model of a cluster. Each of these rules is broken in a copy of the source, and the number is the
// history that finds it first. make shards repeats that.
//
//	the margin covers clocks that differ in rate                                  355
//	the margin covers the time of a write                                           6
//	the margin's 5 % count for the time of a write, too                          5677
//	the gates' duration includes the margin                                        61
//	the time in a gate grows by a second                                          420
//	the group waits until a process without shards has ended                        5
//	a gate's renewal by others counts from the request before                     612
//	the fence needs the gates                                                      61
//	the fence needs the member's own Lease                                        782
//	the fence of a leader needs the coordinator's Lease                            69
//	a Lease counts from when its renewal was sent                                 323
//	a closed fence stays closed                                                     7
//	buckets open when the fence is open                                            16
//	a member that has given its slot back opens nothing                           130
//	a new coordinator has the gates before it changes the map                     468
//	the gates are given back after everything is drained                            4
//	the gates are given back by the last member                                   380
//	the gates are given back at the end                                             4
//	members renew the gates without the coordinator                                38
//	a bucket opens after the holder's acknowledgment                                1
//	an acknowledgment is for one move                                            1434
//	an acknowledgment follows the drain                                             1
//	an acknowledgment is for one controller                                         1
//	the coordinator moves a bucket on after the acknowledgment                      9
//	a successor that lives keeps the bucket                                         9
//	a bucket that is drained belongs to its successor, who may have opened it       1
//	a bucket moves with an acknowledgment, not at once                              1
//	a member is dead after its Lease and the margin                                31
//	a dead member's buckets move                                                    2
//	another member's slot, seen before it was acquired, says nothing             4042
//	a deleted slot is no death                                                    121
//	late events change nothing                                                     17
//	a new map opens when all members follow it                                     53
//	a new map waits if there has been a group, whose Leases are gone               53
//	a member with buckets of another map leaves                                   109
//	the coordinator's Lease is taken after its end and the margin                   6
//	functions for the leader end before the Lease is given back                     1
//	the coordinator gives its Lease to a member that stays                          2
//	members that join wait, unless buckets need a member                          346
//	a controller that some members have is served by these                         69
//	rows with the same members become equal                                        15
//	a member that does not know all slots takes no part                          4176
//	who knows fewer slots than the last group joins when its gates have ended     266
//	who knows fewer slots than the last group lets its gates end                 4176
//	who knows fewer slots than the last group begins without it                    68
//	the map says how many slots its coordinator knows                             138
//	members that leave get no buckets                                               2
package shards
