package pipeline

import (
	"context"
	"path"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/crd"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// definitions returns the CustomResourceDefinition manifests of the kind and of its owned kinds.
func (c Controlled) definitions(ctx context.Context) ([]render.File, error) {
	kinds := slices.DeleteFunc(c.stored(), c.isBeyondLibrary)
	if len(kinds) == 0 {
		return nil, nil
	}
	cfg := crd.Config{Dir: c.API.Options.Load.Dir}
	var names []string
	for _, k := range kinds {
		names = append(names, k.Name)
		cfg.Kinds = append(cfg.Kinds, crd.Kind{
			Package: k.Version.Source.Path, Group: k.Version.Group.Name, Version: k.Version.Name, Name: k.Name,
			Resource: k.Resource, Namespaced: k.Namespaced, Status: k.HasStatus,
		})
	}
	cfg.Packages = c.API.Resolved.Declaring(names) // including versions without clients
	definitions, err := c.define(ctx, cfg)
	if err != nil {
		return nil, err
	}
	var problems diag.List
	for _, k := range kinds {
		if !has(definitions, k.Version.Group.Name, k.Name) {
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

// isBeyondLibrary reports, with a warning, whether the library cannot describe a kind.
func (c Controlled) isBeyondLibrary(kind *model.Kind) bool {
	pos, generic := c.API.Resolved.GenericField(kind)
	if generic {
		c.API.Warnings.Warn(pos, "write it by hand, in config/crd",
			"no CustomResourceDefinition of kind %s: controller-gen's library, which makes it, has no generic types", kind.Name)
	}
	return generic
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
