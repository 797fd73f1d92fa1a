package scaffold

import (
	"cmp"
	"slices"
)

// binding binds the controller's service account to a generated role.
type binding struct {
	// Role is the kind of the role, Namespace that of the role and the binding; "" for a ClusterRole.
	Role, Namespace string
}

// RoleName returns the name of the generated roles.
func (v view) RoleName() string { return cmp.Or(v.Destination.RoleName, v.Command()) }

// Bindings returns a binding for each generated role.
func (v view) Bindings() []binding {
	var bindings []binding
	add := func(namespace string) {
		b := binding{"Role", namespace}
		if namespace == "" {
			b.Role = "ClusterRole"
		}
		if !slices.Contains(bindings, b) {
			bindings = append(bindings, b)
		}
	}
	for _, p := range v.Layout.Permissions(v.Kind) {
		for _, namespace := range p.In(v.Destination.Namespaces) {
			add(namespace)
		}
	}
	slices.SortFunc(bindings, func(a, b binding) int { return cmp.Compare(a.Namespace, b.Namespace) })
	return bindings
}
