package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/deepcopy"
)

// debounce is the quiet period after a change before the next run: editors and git make many changes at once.
const debounce = 100 * time.Millisecond

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
	w := watch{app: a, given: given, config: file, quiet: debounce, notify: notify}
	return w.run(ctx)
}

// watch is one run of generate --watch.
type watch struct {
	app   app
	given config.CommandLine
	// config is the configuration file, which need not exist; "" for none.
	config string
	// quiet is the time without changes before the next run.
	quiet  time.Duration
	notify *fsnotify.Watcher

	// files are the relevant files other than Go files, by absolute name.
	files map[string]bool
	// watched are the directories that are watched, at least until one is removed.
	watched map[string]bool
	// owned are the output directories and files; manifests are the directories with relevant YAML files.
	owned, manifests []string
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
		if !w.wait(ctx) {
			return errWatching
		}
	}
}

// generateOnce starts watching the inputs before it generates, so that no change is missed.
func (w *watch) generateOnce(ctx context.Context) error {
	w.files = map[string]bool{}
	w.add(w.app.dir)
	if owner, err := module.Owner(w.app.dir); err == nil {
		w.addFile(filepath.Join(owner.Dir, "go.mod"))
		w.addFile(filepath.Join(owner.Dir, config.FileName))
	}
	if w.config != "" {
		w.addFile(w.config)
	}
	w.manifests = nil
	imports, err := w.given.Imports()
	if err != nil {
		return err
	}
	for _, entry := range imports {
		w.manifests = append(w.manifests, entry.From)
		w.addFile(entry.From)
		w.addTree(entry.From)
	}
	all, err := w.app.importAgain(ctx, w.given)
	if err != nil {
		return err
	}
	for i, opts := range all {
		w.watchInput(opts)
		all[i].Load.Watch = w.watchPackage
	}
	w.watched = map[string]bool{}
	for _, dir := range w.notify.WatchList() {
		w.watched[dir] = true
	}
	runs, err := w.app.generate(ctx, all)
	if len(runs) > 0 { // otherwise no file was written
		w.owned = nil
	}
	for _, run := range runs {
		w.addOwned(run.API)
	}
	return err
}

// watchInput watches the files that the options refer to. Missing files are left for generate to report.
func (w *watch) watchInput(opts pipeline.Options) {
	if opts.Values.GoHeaderFile != "" {
		w.addFile(opts.Absolute(opts.Values.GoHeaderFile))
	}
	if opts.Values.CRDDir != "" {
		dir := opts.Absolute(opts.Values.CRDDir)
		w.manifests = append(w.manifests, dir)
		w.addTree(dir)
	}
	if opts.Values.RBACOutputDir != "" { // markers for roles may be anywhere in the module
		if owner, err := module.Owner(w.app.dir); err == nil {
			w.addTree(owner.Dir)
		}
	}
}

// watchPackage watches the directory of a package, the directories above it, in which new packages appear, and the go.mod of its
// module.
func (w *watch) watchPackage(dir, root string) (began bool) {
	began = !w.watched[dir]
	w.watched[dir] = true
	w.addFile(filepath.Join(root, "go.mod"))
	for ; module.Within(root, dir); dir = filepath.Dir(dir) {
		w.add(dir)
	}
	return began
}

// addOwned adds the output directories and files of a run. Those in packages of dependencies are not watched, so they do not matter.
func (w *watch) addOwned(api *pipeline.API) {
	dirs, _ := api.Options.Directories()
	for _, dir := range dirs {
		w.owned = append(w.owned, api.Place.File(dir))
	}
	for _, pkg := range api.Loaded.Packages {
		for _, name := range append(api.Options.FilesInPackages(), deepcopy.FileOf(pkg)) {
			w.owned = append(w.owned, filepath.Join(pkg.Dir, name))
		}
	}
}

// add watches a directory. If that fails, the directory is gone, or reading it fails soon.
func (w *watch) add(dir string) { _ = w.notify.Add(dir) }

func (w *watch) addFile(name string) {
	w.files[name] = true
	w.add(filepath.Dir(name))
}

// addTree watches a directory and all directories below it, and reports whether there is a relevant file.
func (w *watch) addTree(root string) (matters bool) {
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // already gone
		case d.IsDir() && name != root && module.Ignored(d.Name()):
			return fs.SkipDir
		case d.IsDir():
			w.add(name)
		default:
			matters = matters || w.fileMatters(name)
		}
		return nil
	})
	return matters
}

// wait returns true once something relevant has changed and the quiet period is over. It returns false when the context ends.
func (w *watch) wait(ctx context.Context) bool {
	var over <-chan time.Time // nil before the first change
	for {
		select {
		case <-ctx.Done():
			return false
		case <-over:
			return true
		case event := <-w.notify.Events:
			if w.eventMatters(event) {
				over = time.After(w.quiet)
			}
		case err := <-w.notify.Errors:
			if errors.Is(err, fsnotify.ErrEventOverflow) { // lost events are changes too
				over = time.After(w.quiet)
			} else {
				fmt.Fprintf(w.app.stderr, "informer-gen-lite: --watch: %v\n", err)
			}
		}
	}
}

// eventMatters reports whether a change may affect the output.
func (w *watch) eventMatters(event fsnotify.Event) bool {
	if event.Op == fsnotify.Chmod || module.Ignored(filepath.Base(event.Name)) && !w.files[event.Name] {
		return false
	}
	if info, err := os.Stat(event.Name); err == nil && info.IsDir() {
		return event.Has(fsnotify.Create) && w.addTree(event.Name)
	}
	return w.fileMatters(event.Name)
}

// fileMatters reports whether the output may depend on a file, which need not exist any more. The output itself does not matter,
// or runs would trigger each other.
func (w *watch) fileMatters(name string) bool {
	if w.files[name] {
		return true
	}
	switch filepath.Ext(name) {
	case ".yaml", ".yml":
		return module.AnyWithin([]string{name}, w.manifests)
	case ".go":
		if strings.HasSuffix(name, "_test.go") {
			return false
		}
		text, err := regular.ReadFile(name)
		if err != nil {
			return !module.AnyWithin([]string{name}, w.owned)
		}
		return !slices.Contains(origin.Of(text), origin.Us)
	}
	return false
}
