package pipeline

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// renderOptions are what rendering needs besides the model.
type renderOptions struct {
	layout     *model.Layout
	generators product.Table
	// boilerplate goes to the top of every file.
	boilerplate []byte
	// extra are files of generators that are not built in, still without boilerplate and mark.
	extra []render.File
}

// renderAll renders the files of the generators, concurrently, and returns them in the order of their paths. If two files
// or two declarations would collide, the error is a diag.List with positions relative to the output directory.
func renderAll(ctx context.Context, api *model.API, opts renderOptions) ([]render.File, error) {
	var jobs []render.Job
	for _, g := range opts.generators {
		if g.Jobs != nil {
			jobs = append(jobs, g.Jobs(api, opts.layout)...)
		}
	}
	for _, file := range opts.extra {
		jobs = append(jobs, render.Job{Path: file.Path, Content: slices.Concat([]byte{}, file.Content)})
	}
	slices.SortFunc(jobs, func(a, b render.Job) int { return strings.Compare(a.Path, b.Path) })
	if err := checkPaths(jobs); err != nil {
		return nil, err
	}
	if len(jobs) == 0 { // only manifests: parsing the templates would be a twentieth of the run
		return nil, nil
	}
	renderer, err := render.New(templates.FS, opts.boilerplate)
	if err != nil {
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
