package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
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
	w := watch{app: a, call: call, config: file, files: newWatched(notify, 100*time.Millisecond)} // the quiet period after a change
	return w.run(ctx)
}

// watch is one run of generate --watch.
type watch struct {
	app  app
	call *run.Call
	// config is the configuration file, which need not exist; "" for none.
	config string
	files  *watchedFiles
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
		if !w.files.wait(ctx, complain) {
			return errWatching
		}
	}
}

// generateOnce starts watching the inputs before it generates, so that no change is missed.
func (w *watch) generateOnce(ctx context.Context) error {
	w.files.reset()
	w.files.addDir(w.app.dir)
	if owner, err := module.Owner(w.app.dir); err == nil {
		w.files.addFile(filepath.Join(owner.Dir, "go.mod"))
		w.files.addFile(filepath.Join(owner.Dir, option.FileName))
	}
	if w.config != "" {
		w.files.addFile(w.config)
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
			w.files.addFile(name)
			w.files.addManifests(name)
		}
	}
	all, _, _, err := w.app.before(ctx, w.call, true)
	if err != nil {
		return err
	}
	for i, opts := range all {
		w.watchInput(opts)
		all[i].Load.Watch = w.files.addPackage
	}
	runs, err := w.app.generate(ctx, all)
	if len(runs) > 0 { // otherwise no file was written
		w.files.own(lists.FlatMap(runs, func(r run.Run) []string { return ownedBy(r.API) }))
	}
	return err
}

// watchInput watches the files that the options refer to. Missing files are left for generate to report.
func (w *watch) watchInput(opts run.Options) {
	if opts.Values.GoHeaderFile != "" {
		w.files.addFile(opts.Absolute(opts.Values.GoHeaderFile))
	}
	if opts.Values.CRDDir != "" {
		w.files.addManifests(opts.Absolute(opts.Values.CRDDir))
	}
	if opts.Values.RBACOutputDir != "" { // markers for roles may be anywhere in the module
		if owner, err := module.Owner(w.app.dir); err == nil {
			w.files.addTree(owner.Dir)
		}
	}
}

// ownedBy returns the output directories and files of a run. Those in packages of dependencies are not watched, so they do not matter.
func ownedBy(api *run.API) (owned []string) {
	dirs, _ := api.Options.Directories()
	owned = lists.Map(dirs, api.Place.File)
	for _, pkg := range api.Loaded.Packages {
		renamed := maps.Keys(api.Options.Products.Renamed(pkg))
		names := slices.AppendSeq(api.Options.Generators.PackageFiles(), renamed)
		owned = append(owned, lists.Map(names, func(name string) string { return filepath.Join(pkg.Dir, name) })...)
	}
	return owned
}

// watchedFiles are the files that a run depends on. They are for one goroutine.
type watchedFiles struct {
	quiet  time.Duration
	notify *fsnotify.Watcher
	// files are the relevant files other than Go files, by absolute name.
	files map[string]bool
	// dirs are the directories that are watched, at least until one is removed.
	dirs map[string]bool
	// owned are the output directories and files; manifests are the directories with relevant YAML files.
	owned, manifests []string
}

// newWatched returns no files. Method wait waits for a time without changes after each change: editors and git make many changes at once.
func newWatched(notify *fsnotify.Watcher, quiet time.Duration) *watchedFiles {
	return &watchedFiles{quiet: quiet, notify: notify, files: map[string]bool{}, dirs: map[string]bool{}}
}

// reset forgets which files are relevant, apart from owned ones. Directories are still watched, so that no change is missed.
func (f *watchedFiles) reset() {
	f.files, f.manifests, f.dirs = map[string]bool{}, nil, map[string]bool{}
	for _, dir := range f.notify.WatchList() {
		f.dirs[dir] = true
	}
}

// own says which directories and files are written by runs, and so are no reason for another run.
func (f *watchedFiles) own(names []string) { f.owned = names }

// addFile watches a file of any kind, which need not exist.
func (f *watchedFiles) addFile(name string) {
	f.files[name] = true
	f.addDir(filepath.Dir(name))
}

// addDir watches the Go files of a directory. If that fails, the directory is gone, or reading it fails soon.
func (f *watchedFiles) addDir(dir string) {
	f.dirs[dir] = true
	_ = f.notify.Add(dir)
}

// addManifests watches the YAML files in a directory and in those below, or one such file.
func (f *watchedFiles) addManifests(root string) {
	f.manifests = append(f.manifests, root)
	f.addTree(root)
}

// addPackage watches the directory of a package, the directories above it, in which new packages appear, and the go.mod of its module. It
// reports whether the directory had not been watched.
func (f *watchedFiles) addPackage(dir, root string) (began bool) {
	began = !f.dirs[dir]
	f.addFile(filepath.Join(root, "go.mod"))
	for ; module.Within(root, dir); dir = filepath.Dir(dir) {
		f.addDir(dir)
	}
	return began
}

// addTree watches a directory and all directories below it, and reports whether there is a relevant file.
func (f *watchedFiles) addTree(root string) (matters bool) {
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // already gone
		case d.IsDir() && name != root && module.Ignored(d.Name()):
			return fs.SkipDir
		case d.IsDir():
			f.addDir(name)
		default:
			matters = matters || f.fileMatters(name)
		}
		return nil
	})
	return matters
}

// wait returns true once something relevant has changed and the quiet period is over. It returns false when the context ends. Complain is
// called with errors that do not end watching.
func (f *watchedFiles) wait(ctx context.Context, complain func(error)) bool {
	var over <-chan time.Time // nil before the first change
	for {
		select {
		case <-ctx.Done():
			return false
		case <-over:
			return true
		case event := <-f.notify.Events:
			if f.matters(event) {
				over = time.After(f.quiet)
			}
		case err := <-f.notify.Errors:
			if errors.Is(err, fsnotify.ErrEventOverflow) { // lost events are changes too
				over = time.After(f.quiet)
			} else {
				complain(err)
			}
		}
	}
}

// matters reports whether a change may affect the output.
func (f *watchedFiles) matters(event fsnotify.Event) bool {
	if event.Op == fsnotify.Chmod || module.Ignored(filepath.Base(event.Name)) && !f.files[event.Name] {
		return false
	}
	if info, err := os.Stat(event.Name); err == nil && info.IsDir() {
		return event.Has(fsnotify.Create) && f.addTree(event.Name)
	}
	return f.fileMatters(event.Name)
}

// fileMatters reports whether the output may depend on a file, which need not exist any more. The output itself does not matter,
// or runs would trigger each other.
func (f *watchedFiles) fileMatters(name string) bool {
	if f.files[name] {
		return true
	}
	switch filepath.Ext(name) {
	case ".yaml", ".yml":
		return module.AnyWithin([]string{name}, f.manifests)
	case ".go":
		if strings.HasSuffix(name, "_test.go") {
			return false
		}
		text, err := regular.ReadFile(name)
		if err != nil {
			return !module.AnyWithin([]string{name}, f.owned)
		}
		return !slices.Contains(origin.Of(text), origin.Us)
	}
	return false
}
