// Package pipeline runs the stages from packages to files: load, resolve, generate and plan. They all run in memory; Apply writes
// the planned files. The package does not print and does not know flags: it takes options, returns errors and diagnostics, and
// reports progress to an Observer.
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/cluster"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
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
	// Extra are the generators that are not built in. Those that the options select run, in this order.
	Extra []Extra
}

// stage begins a stage of a run that has not been interrupted.
func (s Settings) stage(ctx context.Context, name string) error {
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

// Run is one output that is ready to be written.
type Run struct {
	// API is the resolved API.
	API *API
	// Files are all generated files, with paths relative to the output directory.
	Files []render.File
	// Plan is the plan for the directory; after Apply, the changes made.
	Plan *output.Plan

	// imports are the import paths in the files, each with the first file that imports it.
	imports  map[string]string
	settings Settings
}

// MayUseRuntime reports whether the output could use the run-time library, but neither an option nor a marker decides about it.
func (r *Run) MayUseRuntime() bool {
	options := r.API.Options
	return options.Values.Runtime == nil && !r.API.Resolved.Runtime.Used && options.Resolve.Clients &&
		r.API.ClientGo.Target.Runtime() && len(r.API.Resolved.API.Kinds()) > 0
}

// Prepare prepares a run for each output and writes nothing. If outputs have problems, the error is a diag.List with all of them,
// and the runs are those of the other outputs.
func Prepare(ctx context.Context, all []Options, settings Settings) ([]Run, error) {
	observer := &settings.Observer
	if observer.Stage == nil {
		observer.Stage = func(string) {}
	}
	if observer.Waiting == nil {
		observer.Waiting = func(string) {}
	}
	var runs []Run
	var problems diag.List
	for _, opts := range all {
		run, err := prepare(ctx, opts, settings)
		switch diags, ok := errors.AsType[diag.List](err); {
		case ok:
			problems = append(problems, diags...)
		case err != nil:
			return runs, err
		default:
			runs = append(runs, run)
		}
	}
	if len(problems) == 0 { // otherwise the files of the other outputs are unknown
		problems = append(awaited(runs), missing(runs)...)
	}
	return runs, append(problems, disagreements(runs)...).Err()
}

// prepare prepares the run for one output.
func prepare(ctx context.Context, opts Options, settings Settings) (Run, error) {
	boilerplate, err := ReadBoilerplate(opts)
	if err != nil {
		return Run{}, err
	}
	opts.Load.Stage = settings.Observer.Stage
	api, diags, err := loadAPI(ctx, opts)
	if err != nil {
		return Run{}, err
	}
	var definitions *cluster.Definitions
	if opts.Manifests.Running(generators.CRD) != nil {
		definitions = cluster.Begin(ctx, api.Loaded, opts.Load, opts.CRDs)
	}
	wait, stop := settings.read(ctx, api)
	defer stop()
	if err := api.resolve(ctx, diags); err != nil {
		return Run{}, err
	}
	if err := api.add(definitions.Generate(ctx, api.Resolved)); err != nil {
		return Run{}, err
	}
	if err := checkExtras(settings.Extra, opts); err != nil {
		return Run{}, err
	}
	if owned, _ := directories(opts, settings); opts.Values.Adopt && slices.Contains(owned, ".") && api.Place.Dir == api.Place.Root() {
		return Run{}, &config.FlagError{Flags: []string{"adopt"}, Err: errors.New("a generator that writes to the module root " +
			"would adopt all clients in the module: use a separate directory")}
	}
	if err := settings.stage(ctx, "reading output"); err != nil {
		return Run{}, err
	}
	tree, err := wait()
	if err != nil {
		return Run{}, err
	}
	api.Layout.Handwritten = tree.Handwritten()
	if err := settings.stage(ctx, "rendering"); err != nil {
		return Run{}, err
	}
	run := Run{API: api, settings: settings}
	if run.Files, err = run.files(ctx, boilerplate, definitions); err != nil {
		return Run{}, err
	}
	if err := slices.Concat(api.invisible(run.Files), api.unfaked(run.Files), api.missingSymbols(run.Files)).Err(); err != nil {
		return Run{}, err
	}
	if err := settings.stage(ctx, "comparing"); err != nil {
		return Run{}, err
	}
	run.imports = importsOf(run.Files)
	if run.Plan, err = tree.Plan(run.Files, api.planOptions(settings)); err != nil {
		return Run{}, err
	}
	return run, run.mayRemove(ctx)
}

// files renders the files.
func (r *Run) files(ctx context.Context, boilerplate []byte, definitions *cluster.Definitions) ([]render.File, error) {
	opts := renderOptions{&r.API.Layout, r.API.Options.Generators, boilerplate, nil}
	for _, e := range r.settings.Extra {
		if !slices.Contains(r.API.Options.Custom, e.Name) {
			continue
		}
		made, err := e.files(r.API)
		if err != nil {
			return nil, err
		}
		opts.extra = append(opts.extra, made...)
	}
	files, err := renderAll(ctx, r.API.Resolved.API, opts)
	if err != nil {
		return nil, positioned(err, r.API.Place.Dir, r.API.kindsByFile())
	}
	manifests, err := r.API.manifests(ctx, definitions)
	if err != nil {
		return nil, err
	}
	files = append(files, manifests...)
	if err := r.API.Resolved.Nothing.Err(); len(files) == 0 && err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%w: the selected generators have no output for these kinds", resolve.ErrNothing)
	}
	return files, nil
}

// directories returns the directories of the selected generators and those of the others.
func directories(opts Options, settings Settings) (owned, other []string) {
	owned, other = opts.Directories()
	for _, e := range settings.Extra {
		if slices.Contains(opts.Custom, e.Name) {
			owned = append(owned, e.Dir)
		} else {
			other = append(other, e.Dir)
		}
	}
	return owned, other
}

// planOptions returns how the run may change existing files.
func (a *API) planOptions(settings Settings) output.Options {
	owned, other := directories(a.Options, settings)
	if dir, below := strings.CutPrefix(a.Options.Layout.ApplyConfigurations, a.Place.ImportPath+"/"); below {
		other = append(other, dir) // clients need the existing files, also if another program wrote them
	}
	values := a.Options.Values
	options := output.Options{
		Owned: owned, Other: other, PackageFiles: a.Options.FilesInPackages(), Shared: a.Options.Shared,
		Adopt: values.Adopt, Force: values.Force || !settings.Writes,
		MayLose: func(name string) bool {
			isWithin := func(accepted string) bool { return module.Within(a.Options.Absolute(accepted), name) }
			return !settings.Writes || slices.ContainsFunc(values.AcceptLoss, isWithin)
		},
	}
	for _, m := range a.Options.Manifests {
		if m.Runs {
			options.Manifests = append(options.Manifests, a.below(m))
		}
	}
	return options
}

// ReadBoilerplate reads the text for the top of generated files.
func ReadBoilerplate(opts Options) ([]byte, error) {
	if opts.Values.GoHeaderFile == "" {
		return nil, nil
	}
	name := opts.Absolute(opts.Values.GoHeaderFile)
	text, err := regular.ReadFile(name)
	if err != nil {
		return nil, &config.FlagError{Flags: []string{"go-header-file"}, Err: err}
	}
	return text, render.CheckBoilerplate(name, text)
}

// checkExtras returns an error if a generator has the name or directory of another one.
func checkExtras(extras []Extra, opts Options) error {
	names := generators.Names()
	dirs, other := opts.Directories()
	dirs = append(dirs, other...)
	for _, e := range extras {
		switch {
		case e.Name == "" || strings.ContainsAny(e.Name, ", "):
			return fmt.Errorf("invalid generator name %q", e.Name)
		case slices.Contains(names, e.Name):
			return fmt.Errorf("duplicate generator %s", e.Name)
		case e.Dir == "." || path.Clean(e.Dir) != e.Dir || !filepath.IsLocal(filepath.FromSlash(e.Dir)):
			return fmt.Errorf("generator %s: %q is not a relative path inside the output directory", e.Name, e.Dir)
		}
		for _, dir := range dirs {
			if within(dir, e.Dir) || within(e.Dir, dir) {
				return fmt.Errorf("generator %s: another generator writes to %s", e.Name, dir)
			}
		}
		names, dirs = append(names, e.Name), append(dirs, e.Dir)
	}
	return nil
}

// within reports whether a slash-separated path is dir or below it.
func within(dir, name string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }

// files returns the files of the generator, with paths relative to the output directory.
func (e Extra) files(api *API) ([]render.File, error) {
	files, err := e.Files(api)
	if err != nil {
		return nil, fmt.Errorf("generator %s: %w", e.Name, err)
	}
	for i, file := range files {
		if path.Clean(file.Path) != file.Path || file.Path == "." || !filepath.IsLocal(filepath.FromSlash(file.Path)) {
			return nil, fmt.Errorf("generator %s: %q is not the path of a file below %s", e.Name, file.Path, e.Dir)
		}
		files[i].Path = path.Join(e.Dir, file.Path)
	}
	return files, nil
}

// read begins to read the output of an API, if its location is known. That needs the loaded packages but not the model, which takes one
// core about as long. Before that, it waits for other processes that write to the same modules; reading while others write is harmless if
// the run does not write itself. wait returns the output. stop lets other processes write, and ends reading.
func (s Settings) read(ctx context.Context, api *API) (wait func() (*output.Tree, error), stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var group errgroup.Group
	var tree *output.Tree
	unlock := func() {}
	wait = func() (*output.Tree, error) {
		err := group.Wait()
		return tree, err
	}
	stop = func() {
		cancel()
		_ = group.Wait() // wait returns the error
		unlock()
	}
	if api.unlocated != nil {
		return wait, stop // resolving returns this error, or a more important one
	}
	place, modules, packages := api.Place, api.modules(), packageDirs(api)
	dirs := slices.Concat(directories(api.Options, s))
	group.Go(func() (err error) {
		if s.Writes {
			locked, err := output.Lock(ctx, modules, s.Observer.Waiting)
			if err != nil {
				return err
			}
			unlock = locked
		}
		tree, err = output.Scan(place.Dir, place.Root(), dirs, packages...)
		return err
	})
	return wait, stop
}
