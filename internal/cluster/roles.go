package cluster

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/cluster/manifests"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/crd"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/rbac"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
)

// RoleConfig configures Roles.
type RoleConfig struct {
	// Module is the module with +kubebuilder:rbac markers. Paths, patterns relative to Dir, select packages; none select all.
	Module module.Module
	Dir    string
	Paths  []string
	// Name is the name of all roles; "" for those of the controllers.
	Name string
	// Namespaces are those that the controllers are limited to; none for all.
	Namespaces []string
	Options    rbac.Options
}

// ConfigureRoles returns the configuration for the options of an output, from the directory of its packages and that of its files.
func ConfigureRoles(values config.Values, options rbac.Options, packages, output string) (RoleConfig, error) {
	owner, err := module.Owner(output)
	return RoleConfig{
		Module: module.Module{Path: owner.ImportPath, Dir: owner.Dir}, Dir: packages, Paths: values.RBACPaths,
		Name: values.RBACRoleName, Namespaces: values.RBACNamespaces, Options: options,
	}, err
}

// Roles returns the manifests with the roles that the controllers of an API and markers need, and warnings about markers that do not count.
func Roles(ctx context.Context, api *model.API, layout *model.Layout, cfg RoleConfig) ([]crd.Definition, diag.List, error) {
	sources, fset, err := load.Containing(ctx, cfg.Module, cfg.Dir, cfg.Paths, "+kubebuilder:rbac")
	if err != nil {
		return nil, nil, err
	}
	var controllers []rbac.Controller
	for _, kind := range api.WithControllers() {
		controllers = append(controllers, rbac.Controller{Role: cmp.Or(cfg.Name, kind.ControllerName()), Permissions: layout.Permissions(kind)})
	}
	made, err := rbac.Generate(rbac.Config{
		Sources: sources, Fset: fset, Controllers: controllers, Namespaces: cfg.Namespaces, Options: cfg.Options,
	})
	return made, rbac.Unread(sources, fset), err
}

// Needs returns the permissions of the generated roles for the controllers of an API, and the markers that ask for the permissions.
func Needs(ctx context.Context, api resolve.Result, layout *model.Layout, cfg RoleConfig) (needs manifests.Needs, err error) {
	made, _, err := Roles(ctx, api.API, layout, cfg)
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
	for _, kind := range api.API.WithControllers() {
		role := cmp.Or(cfg.Name, kind.ControllerName())
		needs.Leases[model.LeaseRole(role)] = role
		if cfg.Name == "" {
			needs.Controllers = append(needs.Controllers, kind.ControllerName())
		}
		needs.Reasons = append(needs.Reasons, reasons(api, layout, kind)...)
	}
	sources, fset, err := load.Containing(ctx, cfg.Module, cfg.Dir, cfg.Paths, "+kubebuilder:rbac")
	for _, m := range rbac.Markers(sources, fset) {
		needs.Reasons = append(needs.Reasons, manifests.Reason{Role: m.Role, Rule: rule(m.Permission), Pos: m.Pos})
	}
	return needs, err
}

// reasons returns the marker for the controller of a kind, and the markers that add permissions.
func reasons(api resolve.Result, layout *model.Layout, kind *model.Kind) (all []manifests.Reason) {
	markers := api.Kinds[kind].Source.Decls[kind.Name].Markers
	requested, _ := markers.Get(marker.Controller)
	for _, p := range layout.Permissions(kind) {
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
