package scaffold

import (
	"cmp"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// binding binds the controller's service account to a generated role.
type binding struct {
	// Namespace is that of the binding; "" for a ClusterRoleBinding.
	Namespace string
	// Kind is the kind of the role, ClusterRole or Role, and Role its name.
	Kind, Role string
}

// Name returns the name of the binding: that of the role, without what the roles of other controllers may have.
func (b binding) Name(command, role string) string {
	if b.Role == role {
		return command
	}
	return model.LeaseRole(command)
}

// RoleName returns the name of the generated roles.
func (v view) RoleName() string { return cmp.Or(v.Destination.RoleName, v.Command()) }

// Bindings returns a binding for each generated role.
func (v view) Bindings() []binding {
	var bindings []binding
	add := func(b binding) {
		if !slices.Contains(bindings, b) {
			bindings = append(bindings, b)
		}
	}
	for _, p := range v.Layout.Permissions(v.Kind) {
		if p.Lease {
			add(binding{v.ClusterNamespace(), "ClusterRole", model.LeaseRole(v.RoleName())})
			continue
		}
		for _, namespace := range p.In(v.Destination.Namespaces) {
			kind := "Role"
			if namespace == "" {
				kind = "ClusterRole"
			}
			add(binding{namespace, kind, v.RoleName()})
		}
	}
	slices.SortStableFunc(bindings, func(a, b binding) int { return cmp.Compare(a.Namespace, b.Namespace) })
	return bindings
}
