package scaffold

import (
	"cmp"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// binding binds the service account of the operator to a generated role.
type binding struct {
	// Namespace is that of the binding; "" for a ClusterRoleBinding.
	Namespace string
	// Kind is the kind of the role, ClusterRole or Role, and Role its name.
	Kind, Role string
}

// Name returns the name of the binding: that of the operator, with the role if that has another name.
func (b binding) Name(command string) string {
	if strings.HasPrefix(b.Role, command) {
		return b.Role
	}
	return command + "-" + b.Role
}

// Bindings returns a binding for each generated role, and one for the role of the operator's own lease.
func (o operator) Bindings() []binding {
	var bindings []binding
	add := func(b binding) {
		if !slices.Contains(bindings, b) {
			bindings = append(bindings, b)
		}
	}
	for _, kind := range o.Kinds {
		role := kind.roleName()
		for _, p := range kind.Layout.Permissions(kind.Kind) {
			if p.Lease {
				continue
			}
			for _, namespace := range p.In(kind.Namespaces) {
				of := "Role"
				if namespace == "" {
					of = "ClusterRole"
				}
				add(binding{namespace, of, role})
			}
		}
		add(binding{o.ClusterNamespace(), "ClusterRole", model.LeaseRole(role)}) // also for manager.LeasePerController
	}
	if o.HasLeaseRole() {
		add(binding{o.ClusterNamespace(), "Role", model.LeaseRole(o.Command())})
	}
	slices.SortStableFunc(bindings, func(a, b binding) int { return cmp.Compare(a.Namespace, b.Namespace) })
	return bindings
}

// HasLeaseRole reports whether the role for the lease of the operator is not generated: that depends on the name of the roles.
func (o operator) HasLeaseRole() bool {
	return slices.ContainsFunc(o.Kinds, func(kind Controlled) bool { return kind.RoleName == "" })
}
