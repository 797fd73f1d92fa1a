package pipeline

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/emit"
	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/fingerprint"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
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
	// memory remembers what files were rendered from; nil if nothing does.
	memory *output.Memory
}

// renderAll renders the files of the generators, concurrently, and returns them in the order of their paths. If two files
// or two declarations would collide, the error is a diag.List with positions relative to the output directory.
func renderAll(ctx context.Context, api *model.API, opts renderOptions) ([]render.File, error) {
	renderer, err := render.New(templates.FS, emit.FS, opts.boilerplate)
	if err != nil {
		return nil, err
	}
	known := opts.known(api)
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
			content, key := known(job)
			files[i] = render.File{Path: job.Path, Content: content}
			if content == nil {
				files[i], err = renderer.Render(job)
			}
			files[i].Key = key
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
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	const atOnce = 64 // a goroutine for each file would cost more than most functions
	for start := 0; start < len(files); start += atOnce {
		group.Go(func() error {
			for i := start; i < min(start+atOnce, len(files)); i++ {
				results[i] = f(files[i])
			}
			return nil
		})
	}
	_ = group.Wait() // there are no errors
	return results
}

// known returns a function that returns the content of a file if that is known without rendering it, and the fingerprint of all
// that the file is rendered from; "" if it has none.
//
// Views point to groups, versions and kinds, which are small and shared, and to what else their template reads. Therefore a file is
// rendered again if anything about groups, versions and kinds has changed, or anything in its own view.
func (opts renderOptions) known(api *model.API) func(render.Job) ([]byte, fingerprint.Sum) {
	unknown := func(render.Job) ([]byte, fingerprint.Sum) { return nil, "" }
	if opts.memory == nil {
		return unknown
	}
	base, ok := fingerprint.NewBase([]any{api.Groups, opts.layout, opts.boilerplate})
	if !ok {
		return unknown
	}
	return func(job render.Job) ([]byte, fingerprint.Sum) {
		if job.Template == "" { // copied rather than rendered
			return unknown(job)
		}
		key, ok := base.Of(job.Path, job.Template, job.View)
		if !ok {
			return unknown(job)
		}
		return opts.memory.Rendered(job.Path, key), key
	}
}
