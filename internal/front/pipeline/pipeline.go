// Package pipeline runs the stages from packages to files: load, resolve, generate and plan. They all run in memory; Apply writes
// the planned files. The package does not print and does not know flags: it takes options, returns errors and diagnostics, and
// reports progress to an Observer.
package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// Prepare prepares a run for each output and writes nothing. If outputs have problems, the error is a diag.List with all of them, and the
// runs belong to the other outputs.
func Prepare(ctx context.Context, all []run.Options, settings run.Settings) ([]run.Run, error) {
	observer := &settings.Observer
	if observer.Stage == nil {
		observer.Stage = func(string) {}
	}
	if observer.Waiting == nil {
		observer.Waiting = func(string) {}
	}
	var runs []run.Run
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
func prepare(ctx context.Context, opts run.Options, settings run.Settings) (run.Run, error) {
	boilerplate, err := run.ReadBoilerplate(opts)
	if err != nil {
		return run.Run{}, err
	}
	opts.Load.Stage = settings.Observer.Stage
	api, diags, err := loadAPI(ctx, opts)
	if err != nil {
		return run.Run{}, err
	}
	begun := begin(ctx, api)
	wait, stop := read(ctx, settings, api)
	defer stop()
	if err := resolveAPI(ctx, api, diags); err != nil {
		return run.Run{}, err
	}
	for _, b := range begun {
		if err := api.Add(b.Resolved(ctx)); err != nil {
			return run.Run{}, err
		}
	}
	if err := checkExtras(settings.Extra, opts); err != nil {
		return run.Run{}, err
	}
	if owned, _ := directories(opts, settings); opts.Values.Adopt && slices.Contains(owned, ".") && api.Place.Dir == api.Place.Root() {
		return run.Run{}, &option.FlagError{Flags: []string{"adopt"}, Err: errors.New("a generator that writes to the module root " +
			"would adopt all clients in the module: use a separate directory")}
	}
	if err := settings.At(ctx, "reading output"); err != nil {
		return run.Run{}, err
	}
	tree, err := wait()
	if err != nil {
		return run.Run{}, err
	}
	api.Layout.Handwritten = tree.Handwritten()
	if err := settings.At(ctx, "rendering"); err != nil {
		return run.Run{}, err
	}
	r := run.Run{API: api, Settings: settings}
	if r.Files, err = filesOf(ctx, &r, boilerplate, begun); err != nil {
		return run.Run{}, err
	}
	if err := slices.Concat(invisible(api, r.Files), unfaked(api, r.Files), missingSymbols(api, r.Files)).Err(); err != nil {
		return run.Run{}, err
	}
	if err := settings.At(ctx, "comparing"); err != nil {
		return run.Run{}, err
	}
	r.Imports = run.ImportsOf(r.Files)
	if r.Plan, err = tree.Plan(r.Files, planOptions(api, settings)); err != nil {
		return run.Run{}, err
	}
	return r, mayRemove(ctx, &r)
}

// begin begins the work of wings that runs concurrently with the stages of a run.
func begin(ctx context.Context, api *run.API) (all []run.Work) {
	for _, wing := range api.Options.Wings {
		if wing.Begin == nil {
			continue
		}
		if b := wing.Begin(ctx, api); b != nil {
			all = append(all, b)
		}
	}
	return all
}

// filesOf renders the files.
func filesOf(ctx context.Context, r *run.Run, boilerplate []byte, begun []run.Work) ([]render.File, error) {
	opts := renderOptions{&r.API.Layout, r.API.Options.Generators, boilerplate, nil}
	for _, e := range r.Settings.Extra {
		if !slices.Contains(r.API.Options.Custom, e.Name) {
			continue
		}
		made, err := filesOfExtra(e, r.API)
		if err != nil {
			return nil, err
		}
		opts.extra = append(opts.extra, made...)
	}
	files, err := renderAll(ctx, r.API.Resolved.API, opts)
	if err != nil {
		return nil, positioned(err, r.API.Place.Dir, kindsByFile(r.API))
	}
	for _, b := range begun {
		made, warnings, err := b.Files(ctx)
		if err = cmp.Or(err, r.API.Add(warnings)); err != nil {
			return nil, err
		}
		files = append(files, made...)
	}
	if err := r.API.Resolved.Nothing.Err(); len(files) == 0 && err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%w: the selected generators have no output for these kinds", resolve.ErrNothing)
	}
	return files, nil
}

// directories returns the directories of the selected generators and of the other generators.
func directories(opts run.Options, settings run.Settings) (owned, other []string) {
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
func planOptions(a *run.API, settings run.Settings) output.Options {
	owned, other := directories(a.Options, settings)
	if dir, below := strings.CutPrefix(a.Options.Layout.ApplyConfigurations, a.Place.ImportPath+"/"); below {
		other = append(other, dir) // clients need the existing files, also if another program wrote them
	}
	values := a.Options.Values
	options := output.Options{
		Owned: owned, Other: other, PackageFiles: a.Options.Generators.PackageFiles(), Shared: a.Options.Shared,
		Adopt: values.Adopt, Programs: a.Options.Products.Programs(), Force: values.Force || !settings.Writes,
		MayLose: func(name string) bool {
			isWithin := func(accepted string) bool { return module.Within(a.Options.Absolute(accepted), name) }
			return !settings.Writes || slices.ContainsFunc(values.AcceptLoss, isWithin)
		},
	}
	options.Manifests = lists.Map(lists.Filter(a.Options.Manifests, func(m run.Manifest) bool { return m.Runs }), a.Below)
	return options
}

// checkExtras returns an error if a generator has the name or directory of another one.
func checkExtras(extras []run.Extra, opts run.Options) error {
	names := opts.Products.Names()
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

// filesOfExtra returns the files of a generator that is not built in, with paths relative to the output directory.
func filesOfExtra(e run.Extra, api *run.API) ([]render.File, error) {
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
func read(ctx context.Context, s run.Settings, api *run.API) (wait func() (*output.Tree, error), stop func()) {
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
	if api.Unlocated != nil {
		return wait, stop // resolving returns this error, or a more important one
	}
	place, modules, packages := api.Place, api.Modules(), api.PackageDirs()
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

// Apply writes the runs of all outputs, one after the other.
func Apply(ctx context.Context, runs []run.Run) error {
	begun := false
	for i := range runs {
		if err := apply(ctx, &runs[i]); err != nil {
			if begun && !errors.Is(err, output.ErrIncomplete) {
				err = fmt.Errorf("%w in this output; overall, %w", err, output.ErrIncomplete)
			}
			return err
		}
		begun = begun || !runs[i].Plan.Idle()
	}
	return nil
}

// apply writes the planned files. Others may have written to the directory in the meantime, including another output of the same
// command, so the plan is recomputed under the lock. The lock is not held any longer: a process that held one while waiting for
// another could deadlock.
func apply(ctx context.Context, r *run.Run) error {
	if err := r.Settings.At(ctx, "writing"); err != nil {
		return err
	}
	if r.Plan.Idle() {
		return nil
	}
	unlock, err := output.Lock(ctx, r.API.Modules(), r.Settings.Observer.Waiting)
	if err != nil {
		return err
	}
	defer unlock()
	if r.Plan, err = r.Plan.Renew(); err != nil {
		return err
	}
	if err := mayRemove(ctx, r); err != nil {
		return err
	}
	return r.Plan.Apply(ctx)
}

// renderOptions are what rendering needs apart from the model.
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
