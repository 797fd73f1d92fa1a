package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/informer-gen-lite/informer-gen-lite/internal/cli/watched"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/deepcopy"
)

// errWatching is the error of a watch that was interrupted between two runs.
var errWatching = errors.New("watching for changes")

// watch generates, and generates again whenever its inputs change. It returns errWatching when ctx is done. It reads the command line's
// configuration again for each run.
func (a app) watch(ctx context.Context, given config.CommandLine) error {
	file, err := given.File()
	if err != nil {
		return err
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("--watch: %w", err)
	}
	defer func() { _ = notify.Close() }()
	w := watch{app: a, given: given, config: file, files: watched.New(notify, 100*time.Millisecond)} // the quiet period after a change
	return w.run(ctx)
}

// watch is one run of generate --watch.
type watch struct {
	app   app
	given config.CommandLine
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
		case errors.As(err, new(config.UsageError)):
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
		w.files.AddFile(filepath.Join(owner.Dir, config.FileName))
	}
	if w.config != "" {
		w.files.AddFile(w.config)
	}
	imports, err := w.given.Imports()
	if err != nil {
		return err
	}
	for _, entry := range imports {
		w.files.AddFile(entry.From)
		w.files.AddManifests(entry.From)
	}
	all, err := w.app.importAgain(ctx, w.given)
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
func (w *watch) watchInput(opts pipeline.Options) {
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
func ownedBy(api *pipeline.API) (owned []string) {
	dirs, _ := api.Options.Directories()
	for _, dir := range dirs {
		owned = append(owned, api.Place.File(dir))
	}
	for _, pkg := range api.Loaded.Packages {
		for _, name := range append(api.Options.FilesInPackages(), deepcopy.FileOf(pkg)) {
			owned = append(owned, filepath.Join(pkg.Dir, name))
		}
	}
	return owned
}
