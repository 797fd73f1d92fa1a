package cluster

import (
	"cmp"
	"context"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/crd"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/rbac"
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

// Roles returns the manifests with the roles that the controllers of an API and markers need.
func Roles(ctx context.Context, api *model.API, layout *model.Layout, cfg RoleConfig) ([]crd.Definition, error) {
	sources, fset, err := load.Containing(ctx, cfg.Module, cfg.Dir, cfg.Paths, "+kubebuilder:rbac")
	if err != nil {
		return nil, err
	}
	var controllers []rbac.Controller
	for _, kind := range api.WithControllers() {
		controllers = append(controllers, rbac.Controller{Role: cmp.Or(cfg.Name, kind.ControllerName()), Permissions: layout.Permissions(kind)})
	}
	return rbac.Generate(rbac.Config{
		Sources: sources, Fset: fset, Controllers: controllers, Namespaces: cfg.Namespaces, Options: cfg.Options,
	})
}
