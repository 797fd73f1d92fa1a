package pipeline

import (
	"context"
	"path"
	"path/filepath"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/cluster"
	"github.com/informer-gen-lite/informer-gen-lite/internal/crd"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// below returns the directory of manifests as a path relative to the output directory. It may be outside of it.
func (a *API) below(m cluster.Output) string {
	if dir, err := filepath.Rel(a.Place.Dir, m.Dir); err == nil {
		return filepath.ToSlash(dir)
	}
	return filepath.ToSlash(m.Dir) // on another drive
}

// manifests returns the files of the generators of manifests that run.
func (a *API) manifests(ctx context.Context, definitions *cluster.Definitions) ([]render.File, error) {
	var files []render.File
	for _, g := range []struct {
		name string
		make func(context.Context) ([]crd.Definition, error)
	}{{generators.CRD, definitions.Wait}, {generators.RBAC, a.roles}} {
		m := a.Options.Manifests.Running(g.name)
		if m == nil {
			continue
		}
		made, err := g.make(ctx)
		if err != nil {
			return nil, err
		}
		for _, d := range made {
			files = append(files, render.File{Path: path.Join(a.below(*m), d.File), Content: d.Content})
		}
	}
	return files, nil
}

// roles returns the manifests with the roles that the controllers and markers need.
func (a *API) roles(ctx context.Context) ([]crd.Definition, error) {
	cfg, err := cluster.ConfigureRoles(a.Options.Values, a.Options.RBAC, a.Options.Load.Dir, a.Place.Dir)
	if err != nil {
		return nil, err
	}
	return cluster.Roles(ctx, a.Resolved.API, &a.Layout, cfg)
}
