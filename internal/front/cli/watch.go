package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/cli/watched"
)

// errWatching is the error of a watch that was interrupted between two runs.
var errWatching = errors.New("watching for changes")

// watch generates, and generates again whenever its inputs change. It returns errWatching when ctx is done. It reads the command line's
// configuration again for each run.
func (a app) watch(ctx context.Context, call *run.Call) error {
	file, err := call.Config.File()
	if err != nil {
		return err
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("--watch: %w", err)
	}
	defer func() { _ = notify.Close() }()
	w := watch{app: a, call: call, config: file, files: watched.New(notify, 100*time.Millisecond)} // the quiet period after a change
	return w.run(ctx)
}

// watch is one run of generate --watch.
type watch struct {
	app  app
	call *run.Call
	// config is the configuration file, which need not exist; "" for none.
	config string
	files  *watched.Files
}

func (w *watch) run(ctx context.Context) error {
	for first := true; ; first = false {
		err := w.generateOnce(ctx)
		switch {
		case ctx.Err() != nil:
			return cmp.Or(err, errWatching)
		case errors.As(err, new(option.UsageError)):
			return err
		case err != nil:
			w.app.report.fail(w.app, err)
		}
		if first {
			fmt.Fprintln(w.app.stderr, "watching for changes until interrupted")
		}
		complain := func(err error) { fmt.Fprintf(w.app.stderr, "informer-gen-lite: --watch: %v\n", err) }
		if !w.files.Wait(ctx, complain) {
			return errWatching
		}
	}
}

// generateOnce starts watching the inputs before it generates, so that no change is missed.
func (w *watch) generateOnce(ctx context.Context) error {
	w.files.Reset()
	w.files.AddDir(w.app.dir)
	if owner, err := module.Owner(w.app.dir); err == nil {
		w.files.AddFile(filepath.Join(owner.Dir, "go.mod"))
		w.files.AddFile(filepath.Join(owner.Dir, option.FileName))
	}
	if w.config != "" {
		w.files.AddFile(w.config)
	}
	for _, wing := range w.app.house.Wings {
		if wing.Watched == nil {
			continue
		}
		names, err := wing.Watched(w.call)
		if err != nil {
			return err
		}
		for _, name := range names {
			w.files.AddFile(name)
			w.files.AddManifests(name)
		}
	}
	all, _, _, err := w.app.before(ctx, w.call, true)
	if err != nil {
		return err
	}
	for i, opts := range all {
		w.watchInput(opts)
		all[i].Load.Watch = w.files.AddPackage
	}
	runs, err := w.app.generate(ctx, all)
	var owned []string
	for _, run := range runs {
		owned = append(owned, ownedBy(run.API)...)
	}
	if len(runs) > 0 { // otherwise no file was written
		w.files.Own(owned)
	}
	return err
}

// watchInput watches the files that the options refer to. Missing files are left for generate to report.
func (w *watch) watchInput(opts run.Options) {
	if opts.Values.GoHeaderFile != "" {
		w.files.AddFile(opts.Absolute(opts.Values.GoHeaderFile))
	}
	if opts.Values.CRDDir != "" {
		w.files.AddManifests(opts.Absolute(opts.Values.CRDDir))
	}
	if opts.Values.RBACOutputDir != "" { // markers for roles may be anywhere in the module
		if owner, err := module.Owner(w.app.dir); err == nil {
			w.files.AddTree(owner.Dir)
		}
	}
}

// ownedBy returns the output directories and files of a run. Those in packages of dependencies are not watched, so they do not matter.
func ownedBy(api *run.API) (owned []string) {
	dirs, _ := api.Options.Directories()
	for _, dir := range dirs {
		owned = append(owned, api.Place.File(dir))
	}
	for _, pkg := range api.Loaded.Packages {
		renamed := maps.Keys(api.Options.Products.Renamed(pkg))
		for _, name := range slices.AppendSeq(api.Options.Generators.PackageFiles(), renamed) {
			owned = append(owned, filepath.Join(pkg.Dir, name))
		}
	}
	return owned
}
