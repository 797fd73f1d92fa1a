// Package generators turns the model of an API into files, in memory. It is the library behind the command: an ordered
// list of generators, and Run.
package generators

import (
	"context"
	"go/token"
	"path"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/generators/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/generators/clientset"
	"github.com/informer-gen-lite/informer-gen-lite/generators/controller"
	"github.com/informer-gen-lite/informer-gen-lite/generators/deepcopy"
	"github.com/informer-gen-lite/informer-gen-lite/generators/informers"
	"github.com/informer-gen-lite/informer-gen-lite/generators/listers"
	"github.com/informer-gen-lite/informer-gen-lite/generators/register"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// Generator makes the files of one kind of output.
type Generator interface {
	// Name is how users select the generator.
	Name() string
	// Dir is the directory below which all its files lie, slash-separated and relative to the output directory; "" for
	// a generator whose files lie beside the types.
	Dir(layout *model.Layout) string
	// Beside is what its files are called that lie beside the types, one in a package; "" for all other generators.
	Beside() string
	// Jobs lists its files for an API. It is a function of its arguments alone.
	Jobs(api *model.API, layout *model.Layout) []render.Job
}

// All holds every generator, in the order in which their output builds on each other.
var All = []Generator{deepcopy.Generator{}, register.Generator{}, applyconfiguration.Generator{}, clientset.Generator{}, listers.Generator{}, informers.Generator{}, controller.Generator{}}

// Names returns the names of all generators.
func Names() []string {
	names := make([]string, len(All))
	for i, g := range All {
		names[i] = g.Name()
	}
	return names
}

// FilesOf returns the paths of the files that the generators make for single kinds, relative to the output directory.
func FilesOf(api *model.API, layout *model.Layout, selected []Generator) map[*model.Kind][]string {
	files := map[*model.Kind][]string{}
	for _, g := range selected {
		for _, job := range g.Jobs(api, layout) {
			if view, ok := job.View.(interface{ About() *model.Kind }); ok && view.About() != nil {
				files[view.About()] = append(files[view.About()], job.Path)
			}
		}
	}
	return files
}

// FilesIn returns the paths of the files that the generators put into packages, by import path.
func FilesIn(api *model.API, layout *model.Layout, selected []Generator) map[string][]string {
	files := map[string][]string{}
	for _, g := range selected {
		for _, job := range g.Jobs(api, layout) {
			if view, ok := job.View.(interface{ AboutPackage() string }); ok {
				files[view.AboutPackage()] = append(files[view.AboutPackage()], job.Path)
			}
		}
	}
	return files
}

// Options are what a run needs beside the model.
type Options struct {
	Layout *model.Layout
	// Generators are those that run.
	Generators []Generator
	// Boilerplate goes to the top of every file.
	Boilerplate []byte
}

// Run renders the files of the selected generators, in the order of their paths. If two files or two declarations would
// collide, the error is a diag.List with positions relative to the output directory.
func Run(ctx context.Context, api *model.API, opts Options) ([]render.File, error) {
	renderer, err := render.New(templates.FS, opts.Boilerplate)
	if err != nil {
		return nil, err
	}
	var jobs []render.Job
	for _, g := range opts.Generators {
		jobs = append(jobs, g.Jobs(api, opts.Layout)...)
	}
	slices.SortFunc(jobs, func(a, b render.Job) int { return strings.Compare(a.Path, b.Path) })
	if err := checkPaths(jobs); err != nil {
		return nil, err
	}
	files := make([]render.File, len(jobs))
	group, _ := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, job := range jobs {
		group.Go(func() (err error) {
			files[i], err = renderer.Render(job)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return files, checkDeclarations(files)
}

// checkPaths reports files that would overwrite each other, be it on a file system that ignores case.
func checkPaths(jobs []render.Job) error {
	var diags diag.List
	seen := map[string]string{}
	for _, job := range jobs {
		key := strings.ToLower(job.Path)
		if other, ok := seen[key]; ok {
			diags.AddHint(position(job.Path), "rename one of their kinds", "another generated file would be called %s", path.Base(other))
		}
		seen[key] = job.Path
	}
	return diags.Err()
}

func position(name string) token.Position { return token.Position{Filename: name} }

// checkDeclarations reports files of one package that declare the same name, as happens with kinds called Foo and
// FooNamespace.
func checkDeclarations(files []render.File) error {
	var diags, within diag.List
	hint := "rename one of their kinds, or leave one without +genclient"
	type pair struct{ a, b string }
	declaredIn, reported := map[string]string{}, map[pair]bool{}
	for _, file := range files {
		for _, name := range file.Declares() {
			key := path.Dir(file.Path) + "." + name
			other, taken := declaredIn[key]
			if !taken {
				declaredIn[key] = file.Path
			} else if p := (pair{file.Path, other}); !reported[p] {
				reported[p] = true
				if other == file.Path {
					within.AddHint(position(file.Path), hint, "%s would be declared twice", name)
				} else {
					diags.AddHint(position(file.Path), hint, "%s would be declared in %s and in %s", name, path.Base(other), path.Base(file.Path))
				}
			}
		}
	}
	if len(diags) == 0 { // else it is the same kinds, of which the others tell more
		diags = within
	}
	return diags.Err()
}
