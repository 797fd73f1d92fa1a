package run

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Observer receives the progress of a run. Functions that are nil are not called.
type Observer struct {
	// Stage is called at the beginning of each stage of a run: "loading" (finding the packages), "parsing",
	// "resolving", "reading output" (waiting until it is read), "rendering", "comparing" and, by Apply, "writing".
	Stage func(name string)
	// Waiting is called if another process writes to the module with this directory, before waiting for it. Other functions may be
	// called at the same time.
	Waiting func(dir string)
}

// Settings are common to the runs for all outputs.
type Settings struct {
	// Writes is true if the runs will be applied. Then preparation waits for other processes that write to the same modules, and
	// edited generated files are errors unless the options allow replacing them. Otherwise, edits are ordinary differences.
	Writes   bool
	Observer Observer
	// Extra are the generators that are not built in. If the options select them, they run in this order.
	Extra []Extra
}

// At begins a stage of a run that has not been interrupted.
func (s Settings) At(ctx context.Context, name string) error {
	s.Observer.Stage(name)
	return ctx.Err()
}

// Extra is a generator that is not built in.
type Extra struct {
	Name string
	// Dir is the directory of all its files, slash-separated and relative to the output directory.
	Dir string
	// Files returns the files, with paths relative to Dir. The content of Go files begins after the generated-code marker.
	Files func(*API) ([]render.File, error)
}

// GenerateCommand is the command that generates again.
const GenerateCommand = "informer-gen-lite generate"

// Run is one output that is ready to be written.
type Run struct {
	// API is the resolved API.
	API *API
	// Files are all generated files, with paths relative to the output directory.
	Files []render.File
	// Plan is the plan for the directory; after Apply, the changes made.
	Plan *output.Plan

	// Imports are the import paths in the files, each with the first file that imports it.
	Imports  map[string]string
	Settings Settings
}

// MayUseRuntime reports whether the output could use the run-time library, but neither an option nor a marker decides about it.
func (r *Run) MayUseRuntime() bool {
	options := r.API.Options
	return options.Values.Runtime == nil && !r.API.Resolved.Runtime.Used && options.Resolve.Clients &&
		r.API.ClientGo.Target.Runtime() && len(r.API.Resolved.API.Kinds()) > 0
}

// State is the state of a generated file on disk.
type State string

// The states of files that Apply would change.
const (
	Missing State = "missing" // there is no such file
	Differs State = "differs" // its content differs
	Stale   State = "stale"   // it is no longer generated
)

// Difference is one file that Apply would write or remove.
type Difference struct {
	State State
	// Name is the file's absolute name.
	Name string
	// OnDisk and Generated are the file's contents; "" if there is no such file.
	OnDisk, Generated string
	// Command brings the file up to date; "" for generate.
	Command string
}

// Differences returns the files that Apply would write, then the files that it would remove.
func (r *Run) Differences() []Difference {
	var differences []Difference
	add := func(state State, path string, generated []byte) {
		old := r.Plan.Old(path)
		if state == Differs && old == nil {
			state = Missing
		}
		name := r.API.Place.File(path)
		differences = append(differences, Difference{State: state, Name: name, OnDisk: string(old), Generated: string(generated)})
	}
	for _, file := range r.Plan.Write {
		add(Differs, file.Path, file.Content)
	}
	for _, path := range r.Plan.Remove {
		add(Stale, path, nil)
	}
	return differences
}

// ImportsOf returns the import paths of Go files, each with the first file that imports it.
func ImportsOf(files []render.File) map[string]string {
	imports := map[string]string{}
	for i, inFile := range Each(files, GoImports) {
		for _, importPath := range inFile {
			if _, known := imports[importPath]; !known {
				imports[importPath] = files[i].Path
			}
		}
	}
	return imports
}

// GoImports returns the import paths of a file.
func GoImports(file render.File) []string {
	if path.Ext(file.Path) != ".go" {
		return nil
	}
	return module.Imports(file.Content)
}

// Each calls a function for each file, concurrently, and returns the results in the order of the files.
func Each[T any](files []render.File, f func(render.File) T) []T {
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

// API is the API of one output and the location of its files, determined without reading the output.
type API struct {
	Options  Options
	Loaded   *load.Result
	Resolved resolve.Result
	// Place is the output directory, and Layout the layout of the output there.
	Place  module.Place
	Layout model.Layout
	// ClientGo is the release of client-go that the output is generated for.
	ClientGo module.Release
	// Warnings are about harmless oddities in the input.
	Warnings diag.List

	// Unlocated is why the output has no place, if it has none.
	Unlocated error
}

// Add adds diagnostics that resolving did not find. The error has all of them.
func (a *API) Add(diags diag.List) error {
	if a.Options.Values.Strict {
		diags = diags.AsErrors()
	}
	a.Warnings = append(a.Warnings, diags...)
	return a.Warnings.Err()
}

// Below returns the directory of manifests as a path relative to the output directory. It may be outside of it.
func (a *API) Below(m Manifest) string {
	if dir, err := filepath.Rel(a.Place.Dir, m.Dir); err == nil {
		return filepath.ToSlash(dir)
	}
	return filepath.ToSlash(m.Dir) // on another drive
}

// Modules returns the directories of the modules that a run writes to: the modules of the output and of the API packages.
func (a *API) Modules() []string {
	return append([]string{a.Place.Root()}, lists.Map(a.PackageDirs(), func(b output.PackageDir) string { return b.Module })...)
}

// PackageDirs returns the possible locations of generated files in API packages, for all generators, selected or not, and the
// directories of manifests.
func (a *API) PackageDirs() []output.PackageDir {
	names := a.Options.Products.PackageFiles()
	var all []output.PackageDir
	for _, pkg := range a.Loaded.Packages {
		if pkg.InMainModule() {
			all = append(all, output.PackageDir{
				Dir: a.Layout.SourceDirs[pkg.Path], Module: pkg.Module.Dir, Names: names, Kept: a.Options.Products.Renamed(pkg),
			})
		}
	}
	for _, m := range a.Options.Manifests {
		i := slices.IndexFunc(all, func(d output.PackageDir) bool { return d.Dir == a.Below(m) })
		if i < 0 {
			i, all = len(all), append(all, output.PackageDir{Dir: a.Below(m), Module: a.Place.Root()})
		}
		all[i].Manifests = true
	}
	return all
}
