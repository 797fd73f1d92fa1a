// Package roles makes the roles that controllers need.
package roles

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/charts/manifests"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/crd"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/rbac"
)

// Options returns the options of controller-gen for the roles of an output, whose packages are in a directory.
func Options(dir string, values option.Values) (rbac.Options, error) {
	return rbac.ParseOptions(dir, cmp.Or(values.RBACRoleName, option.DefaultRoleName), values.RBACOptions)
}

// Make returns the manifests with the roles that the controllers of an API and markers need, and warnings about markers that do not count.
func Make(ctx context.Context, api *run.API) ([]crd.Definition, diag.List, error) {
	sources, fset, err := containing(ctx, api, marked)
	if err != nil {
		return nil, nil, err
	}
	values := api.Options.Values
	options, _ := Options(api.Options.Load.Dir, values) // they have been checked
	var controllers []rbac.Controller
	for _, kind := range api.Resolved.API.WithControllers() {
		controllers = append(controllers, rbac.Controller{
			Role: cmp.Or(values.RBACRoleName, kind.ControllerName()), Permissions: api.Layout.Permissions(kind),
		})
	}
	made, err := rbac.Generate(rbac.Config{
		Sources: sources, Fset: fset, Controllers: controllers, Namespaces: values.RBACNamespaces, Options: options,
	})
	odd := marker.Unread(slices.Concat(sources...), fset)
	if err != nil || len(made) == 0 {
		return made, odd, err
	}
	unrecorded, err := unrecorded(ctx, api, controllers, rbac.Markers(sources, fset))
	return made, append(odd, unrecorded...), err
}

// marked is in files with markers for roles.
const marked = "+kubebuilder:rbac"

// Needs returns the permissions of the generated roles for the controllers of an API, and the markers that ask for the permissions.
func Needs(ctx context.Context, api *run.API) (needs manifests.Needs, err error) {
	needs.Deployments = api.Options.Values.ManifestsDeployments
	made, _, err := Make(ctx, api)
	if err != nil || len(made) == 0 {
		return needs, err
	}
	var text bytes.Buffer
	for _, d := range made {
		text.WriteString("\n---\n")
		text.Write(d.Content)
	}
	if needs.Roles, err = manifests.Parse("generated roles", text.Bytes()); err != nil {
		return needs, err
	}
	needs.Leases = map[string]string{}
	for _, kind := range api.Resolved.API.WithControllers() {
		name := api.Options.Values.RBACRoleName
		role := cmp.Or(name, kind.ControllerName())
		needs.Leases[model.LeaseRole(role)] = role
		if name == "" {
			needs.Controllers = append(needs.Controllers, kind.ControllerName())
		}
		needs.Reasons = append(needs.Reasons, reasons(api, kind)...)
	}
	sources, fset, err := containing(ctx, api, marked)
	for _, m := range rbac.Markers(sources, fset) {
		needs.Reasons = append(needs.Reasons, manifests.Reason{Role: m.Role, Rule: rule(m.Permission), Pos: m.Pos})
	}
	return needs, err
}

// reasons returns the marker for the controller of a kind, and the markers that add permissions.
func reasons(api *run.API, kind *model.Kind) (all []manifests.Reason) {
	markers := api.Resolved.Kinds[kind].Source.Decls[kind.Name].Markers
	requested, _ := markers.Get(marker.Controller)
	for _, p := range api.Layout.Permissions(kind) {
		pos := requested.Pos
		if p.Pos.IsValid() {
			pos = p.Pos
		}
		all = append(all, manifests.Reason{Role: kind.ControllerName(), Rule: rule(p), Pos: pos})
	}
	return all
}

// rule returns a permission as a rule, in which the core group has no name.
func rule(p model.Permission) rbacv1.PolicyRule {
	groups := slices.Clone(p.Groups)
	for i, group := range groups {
		if group == "core" {
			groups[i] = ""
		}
	}
	return rbacv1.PolicyRule{Verbs: p.Verbs, APIGroups: groups, Resources: p.Resources, ResourceNames: p.Names, NonResourceURLs: p.URLs}
}
