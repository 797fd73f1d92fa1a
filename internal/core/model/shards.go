package model

import "strconv"

// slots is the number of replicas that roles allow to share the objects of a controller, see manager.WithShards.
const slots = 16

// ShardLeases returns the names of the Leases by which the replicas of a command share objects, besides the Lease with its own name.
func ShardLeases(command string) []string {
	names := []string{command + "-coordinator"}
	for slot := range slots {
		names = append(names, command+"-member-"+strconv.Itoa(slot))
	}
	return names
}

// shardLeases returns the permissions for these Leases, whose names begin with the name of the role. Replicas list all Leases of their
// namespace at once.
func (k *Kind) shardLeases(lease Permission) []Permission {
	if !k.Controller.Sharded {
		return nil
	}
	listed, held := lease, lease
	listed.Verbs = []string{"list", "watch"}
	held.Verbs, held.Group = []string{"update"}, true
	return []Permission{listed, held}
}
