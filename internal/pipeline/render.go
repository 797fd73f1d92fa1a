package pipeline

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/cluster"
	"github.com/informer-gen-lite/informer-gen-lite/internal/crd"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// renderOptions are what rendering needs besides the model.
type renderOptions struct {
	layout     *model.Layout
	generators []generators.Generator
	// boilerplate goes to the top of every file.
	boilerplate []byte
	// extra are files of generators that are not built in, still without boilerplate and mark.
	extra []render.File
}

// renderAll renders the files of the generators, concurrently, and returns them in the order of their paths. If two files
// or two declarations would collide, the error is a diag.List with positions relative to the output directory.
func renderAll(ctx context.Context, api *model.API, opts renderOptions) ([]render.File, error) {
	renderer, err := render.New(templates.FS, opts.boilerplate)
	if err != nil {
		return nil, err
	}
	var jobs []render.Job
	for _, g := range opts.generators {
		jobs = append(jobs, g.Jobs(api, opts.layout)...)
	}
	for _, file := range opts.extra {
		jobs = append(jobs, render.Job{Path: file.Path, Content: slices.Concat([]byte{}, file.Content)})
	}
	slices.SortFunc(jobs, func(a, b render.Job) int { return strings.Compare(a.Path, b.Path) })
	if err := checkPaths(jobs); err != nil {
		return nil, err
	}
	files := make([]render.File, len(jobs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, job := range jobs {
		group.Go(func() (err error) {
			if err := ctx.Err(); err != nil {
				return err
			}
			files[i], err = renderer.Render(job)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return files, checkDeclarations(files)
}

// ofEach returns what a function returns for each file. It calls the function concurrently.
func ofEach[T any](files []render.File, f func(render.File) T) []T {
	results := make([]T, len(files))
	var group sync.WaitGroup
	const atOnce = 64 // a goroutine for each file would cost more than most functions
	for start := 0; start < len(files); start += atOnce {
		group.Go(func() {
			for i := start; i < min(start+atOnce, len(files)); i++ {
				results[i] = f(files[i])
			}
		})
	}
	group.Wait()
	return results
}

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
	made, warnings, err := cluster.Roles(ctx, a.Resolved.API, &a.Layout, cfg)
	return made, cmp.Or(err, a.add(warnings))
}
