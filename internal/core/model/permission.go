package model

import (
	"go/token"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Permission is a permission that a controller needs, as in a rule of RBAC.
type Permission struct {
	Groups, Resources, Verbs []string
	// Names restricts the permission to objects with these names; nil for all.
	Names []string
	// URLs are paths of the API server. A permission has either these or resources.
	URLs []string
	// Namespaced reports whether the objects have namespaces. Namespace is the only one where the permission is needed; "" for all.
	Namespaced bool
	Namespace  string
	// Lease is true for leader election, in the namespace where the controller runs, and Group for the Leases of ShardLeases.
	Lease, Group bool
	// Pos is the position of the marker that asks for the permission; the zero value if it follows from the controller.
	Pos token.Position
}

// ByScope splits a permission, so that each part has only resources with a namespace or only those without. The given function reports
// whether a resource of a group has none; groups are as in a permission, with "" and "core" for the core group.
func (p Permission) ByScope(clusterScoped func(group, resource string) bool) []Permission {
	if !p.Namespaced || p.Namespace != "" {
		return []Permission{p}
	}
	namespaced, other := p, p
	namespaced.Resources, other.Resources, other.Namespaced = nil, nil, false
	for _, resource := range p.Resources {
		if slices.ContainsFunc(p.Groups, func(group string) bool { return !clusterScoped(group, resource) }) {
			namespaced.Resources = append(namespaced.Resources, resource)
		} else {
			other.Resources = append(other.Resources, resource)
		}
	}
	return slices.DeleteFunc([]Permission{namespaced, other}, func(p Permission) bool { return len(p.Resources) == 0 })
}

// In returns the namespaces of the roles for a permission, if controllers are limited to some; "" for a ClusterRole.
func (p Permission) In(namespaces []string) []string {
	if !p.Namespaced || p.Namespace != "" || len(namespaces) == 0 {
		return []string{p.Namespace}
	}
	return namespaces
}

// DefinitionFile returns the conventional name of the file with the CustomResourceDefinition of a kind.
func (k *Kind) DefinitionFile() string { return k.Version.Group.Name + "_" + k.Resource + ".yaml" }

// ControllerName returns the name of the controller of a kind: of its field manager, of its role, and of its lease with
// manager.LeasePerController.
func (k *Kind) ControllerName() string { return k.Lower() + "-controller" }

// LeaseRole returns the name of the role for leases, next to a role. It is a ClusterRole, bound in the namespace of the controller alone,
// so that generated manifests do not depend on that namespace.
func LeaseRole(role string) string { return role + "-leases" }

// Permissions returns the permissions that the generated controller of a kind and the scaffolded reconciler need, and those from markers.
func (l *Layout) Permissions(k *Kind) []Permission {
	read, maintains := []string{"list", "watch"}, slices.ContainsFunc(k.Controller.Owned, l.Maintains)
	if maintains || k.Controller.Finalizer != "" {
		read = append(read, "get") // before Sync creates objects
	}
	if k.Controller.Finalizer != "" {
		read = append(read, "patch")
	}
	needs := []Permission{k.permission("", read...)}
	if k.Controller.HasStatusField && k.ClientVerbs(l.WithApply()).Has(UpdateStatus) {
		needs = append(needs, k.permission("/status", "update"))
	}
	if maintains {
		// For blockOwnerDeletion, which the admission plugin OwnerReferencesPermissionEnforcement checks.
		needs = append(needs, k.permission("/finalizers", "update"))
	}
	needs = slices.Concat(needs, lists.Map(k.Controller.Owned, l.owning), lists.Map(k.Controller.References, Reference.permission))
	events := Permission{
		Groups: []string{"events.k8s.io"}, Resources: []string{"events"}, Verbs: []string{"create", "patch"}, Namespaced: k.Namespaced,
	}
	return slices.Concat(needs, []Permission{events}, k.leases(), k.Controller.Permissions)
}

func (k *Kind) permission(subresource string, verbs ...string) Permission {
	return Permission{
		Groups: []string{k.Version.Group.Name}, Resources: []string{k.Resource + subresource}, Verbs: verbs, Namespaced: k.Namespaced,
	}
}

// leases returns the permissions for leader election. Creating cannot be restricted to a name.
func (k *Kind) leases() []Permission {
	lease := Permission{
		Groups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}, Namespaced: true, Lease: true,
	}
	created, held := lease, lease
	created.Verbs = []string{"create"}
	held.Verbs, held.Names = []string{"get", "list", "watch", "update"}, []string{k.ControllerName()}
	return append([]Permission{created, held}, k.shardLeases(lease)...)
}

// owning returns the permission for an owned kind.
func (l *Layout) owning(o Related) Permission {
	verbs := []string{"list", "watch"}
	if !o.All || l.Maintains(o) && l.OwnedVerbs(o).Has(Get) { // to find out whether a name is taken, or an object has lost its label
		verbs = append(verbs, "get")
	}
	if l.Maintains(o) {
		verbs = append(verbs, "create") // apply requires it too if the object does not exist
		if l.OwnedVerbs(o).Has(Delete) {
			verbs = append(verbs, "delete")
		}
	}
	if !o.All || l.Applies(o) {
		verbs = append(verbs, "patch")
	}
	return Permission{Groups: []string{o.Group}, Resources: []string{o.Resource}, Verbs: verbs, Namespaced: o.Namespaced}
}

// permission returns the permission for the kind that is referred to.
func (r Reference) permission() Permission {
	verbs := []string{"list", "watch"}
	if r.WatchMode == Metadata { // whole objects are read one by one
		verbs = append(verbs, "get")
	}
	return Permission{Groups: []string{r.To.Group}, Resources: []string{r.To.Resource}, Verbs: verbs, Namespaced: r.To.Namespaced, Pos: r.Pos}
}

// OwnedVerbs returns the verbs of the client of an owned kind.
func (l *Layout) OwnedVerbs(o Related) Verbs { return o.Verbs(l.WithApply()) }

// Applies reports whether owned objects are written by server-side apply. Reconcilers compare with the fields that they applied before.
// Extracting these takes apply configurations that are generated, of client-go, or of other modules that have a schema.
func (l *Layout) Applies(o Related) bool {
	extracts := o.BuiltIn() || l.ApplyConfigurationDir != ""
	if o.Shipped != nil {
		extracts = o.Shipped.Apply != ""
	}
	return extracts && l.OwnedVerbs(o).Has(Apply)
}

// Maintains reports whether reconcilers write owned objects.
func (l *Layout) Maintains(o Related) bool { return l.Applies(o) || l.OwnedVerbs(o).Has(Create) }
