package model

import (
	"slices"
	"strconv"
)

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

// LeaseNames returns the names that a role limits a permission for Leases to. The Lease of a command has the name of its role. With
// manager.LeasePerController, each controller has its own.
func (p Permission) LeaseNames(role string) []string {
	switch {
	case p.Group:
		return ShardLeases(role)
	case len(p.Names) == 0 || slices.Contains(p.Names, role):
		return p.Names
	}
	return append([]string{role}, p.Names...)
}

// LeaseVerbs returns the verbs of a permission for Leases in a role that allows to list all, or does not.
func (p Permission) LeaseVerbs(lists bool) []string {
	if !lists || len(p.Names) == 0 {
		return p.Verbs
	}
	return slices.DeleteFunc(slices.Clone(p.Verbs), func(verb string) bool { return verb == "list" || verb == "watch" })
}

// OfGroup reports whether a permission is for the Leases of replicas that share objects.
func (p Permission) OfGroup() bool { return p.Group }
