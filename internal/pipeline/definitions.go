package pipeline

import (
	"context"
	"go/ast"
	"path"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/crd"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// definitions returns the CustomResourceDefinition manifests of the kind and of its owned kinds.
func (c Controlled) definitions(ctx context.Context) ([]render.File, error) {
	kinds := c.stored()
	cfg := crd.Config{Dir: c.API.Options.Load.Dir, Packages: packagesWith(c.API.Loaded.Packages, kinds)}
	for _, k := range kinds {
		cfg.Kinds = append(cfg.Kinds, crd.Kind{
			Package: k.Version.Source.Path, Group: k.Version.Group.Name, Version: k.Version.Name, Name: k.Name,
			Resource: k.Resource, Namespaced: k.Namespaced, Status: k.HasStatus,
		})
	}
	definitions, err := c.define(ctx, cfg)
	if err != nil {
		return nil, err
	}
	var problems diag.List
	for _, k := range kinds {
		if !defined(definitions, k) {
			problems.AddHint(c.API.Resolved.Kinds[k].Pos,
				"embed metav1.TypeMeta and metav1.ObjectMeta, and declare Items in "+k.Name+"List",
				"cannot generate a CustomResourceDefinition of kind %s", k.Name)
		}
	}
	var files []render.File
	for _, d := range definitions {
		files = append(files, render.File{Path: path.Join("config/crd", d.File), Content: d.Content})
	}
	return files, problems.Err()
}

// define generates the definitions. The library type-checks everything that the types need, for which go.mod may be incomplete.
// If it finds fewer errors with a completed copy of go.mod, that result is used.
func (c Controlled) define(ctx context.Context, cfg crd.Config) ([]crd.Definition, error) {
	generate := func() ([]crd.Definition, error) { return crd.Generate(cfg) }
	definitions, err := interrupt.Do(ctx, generate)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && !slices.ContainsFunc(cfg.Kinds, func(k crd.Kind) bool { return !has(definitions, k.Group, k.Name) }) {
		return definitions, nil
	}
	var better []crd.Definition
	failed := c.API.Loaded.WithModules(ctx, func(flags []string) (err error) {
		cfg.BuildFlags = flags
		better, err = interrupt.Do(ctx, generate)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case failed == nil:
		return better, nil
	}
	return definitions, err
}

func defined(definitions []crd.Definition, k *model.Kind) bool {
	return has(definitions, k.Version.Group.Name, k.Name)
}

func has(definitions []crd.Definition, group, kind string) bool {
	return slices.ContainsFunc(definitions, func(d crd.Definition) bool { return d.Group == group && d.Kind == kind })
}

// stored returns all versions of the kind and of its owned kinds that are custom resources.
func (c Controlled) stored() []*model.Kind {
	owners := []*model.Kind{c.Kind}
	for _, owned := range c.Kind.Controller.Owned {
		if !owned.BuiltIn() {
			owners = append(owners, owned.Kind)
		}
	}
	var kinds []*model.Kind
	for _, k := range c.API.Resolved.API.Kinds() {
		same := func(o *model.Kind) bool { return o.Name == k.Name && o.Version.Group.Name == k.Version.Group.Name }
		if slices.ContainsFunc(owners, same) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// packagesWith returns the import paths of the packages that declare a type with the name of one of the kinds, including versions
// without clients.
func packagesWith(packages []*load.Package, kinds []*model.Kind) []string {
	var paths []string
	for _, pkg := range packages {
		if slices.ContainsFunc(pkg.Files, func(f *load.File) bool { return declares(f, kinds) }) {
			paths = append(paths, pkg.Path)
		}
	}
	return paths
}

func declares(file *load.File, kinds []*model.Kind) bool {
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			typ, ok := spec.(*ast.TypeSpec)
			if ok && slices.ContainsFunc(kinds, func(k *model.Kind) bool { return k.Name == typ.Name.Name }) {
				return true
			}
		}
	}
	return false
}
