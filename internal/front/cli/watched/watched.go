// Package watched notices changes of the files that a run depends on.
package watched

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Files are the files that a run depends on. They are for one goroutine.
type Files struct {
	quiet  time.Duration
	notify *fsnotify.Watcher
	// files are the relevant files other than Go files, by absolute name.
	files map[string]bool
	// dirs are the directories that are watched, at least until one is removed.
	dirs map[string]bool
	// owned are the output directories and files; manifests are the directories with relevant YAML files.
	owned, manifests []string
}

// New returns no files. Wait waits for a time without changes after each change: editors and git make many changes at once.
func New(notify *fsnotify.Watcher, quiet time.Duration) *Files {
	return &Files{quiet: quiet, notify: notify, files: map[string]bool{}, dirs: map[string]bool{}}
}

// Reset forgets which files are relevant, apart from owned ones. Directories are still watched, so that no change is missed.
func (f *Files) Reset() {
	f.files, f.manifests, f.dirs = map[string]bool{}, nil, map[string]bool{}
	for _, dir := range f.notify.WatchList() {
		f.dirs[dir] = true
	}
}

// Own says which directories and files are written by runs, and so are no reason for another run.
func (f *Files) Own(names []string) { f.owned = names }

// AddFile watches a file of any kind, which need not exist.
func (f *Files) AddFile(name string) {
	f.files[name] = true
	f.AddDir(filepath.Dir(name))
}

// AddDir watches the Go files of a directory. If that fails, the directory is gone, or reading it fails soon.
func (f *Files) AddDir(dir string) {
	f.dirs[dir] = true
	_ = f.notify.Add(dir)
}

// AddManifests watches the YAML files in a directory and in those below, or one such file.
func (f *Files) AddManifests(root string) {
	f.manifests = append(f.manifests, root)
	f.AddTree(root)
}

// AddPackage watches the directory of a package, the directories above it, in which new packages appear, and the go.mod of its module. It
// reports whether the directory had not been watched.
func (f *Files) AddPackage(dir, root string) (began bool) {
	began = !f.dirs[dir]
	f.AddFile(filepath.Join(root, "go.mod"))
	for ; module.Within(root, dir); dir = filepath.Dir(dir) {
		f.AddDir(dir)
	}
	return began
}

// AddTree watches a directory and all directories below it, and reports whether there is a relevant file.
func (f *Files) AddTree(root string) (matters bool) {
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // already gone
		case d.IsDir() && name != root && module.Ignored(d.Name()):
			return fs.SkipDir
		case d.IsDir():
			f.AddDir(name)
		default:
			matters = matters || f.fileMatters(name)
		}
		return nil
	})
	return matters
}

// Wait returns true once something relevant has changed and the quiet period is over. It returns false when the context ends. Complain is
// called with errors that do not end watching.
func (f *Files) Wait(ctx context.Context, complain func(error)) bool {
	var over <-chan time.Time // nil before the first change
	for {
		select {
		case <-ctx.Done():
			return false
		case <-over:
			return true
		case event := <-f.notify.Events:
			if f.Matters(event) {
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

// Matters reports whether a change may affect the output.
func (f *Files) Matters(event fsnotify.Event) bool {
	if event.Op == fsnotify.Chmod || module.Ignored(filepath.Base(event.Name)) && !f.files[event.Name] {
		return false
	}
	if info, err := os.Stat(event.Name); err == nil && info.IsDir() {
		return event.Has(fsnotify.Create) && f.AddTree(event.Name)
	}
	return f.fileMatters(event.Name)
}

// fileMatters reports whether the output may depend on a file, which need not exist any more. The output itself does not matter,
// or runs would trigger each other.
func (f *Files) fileMatters(name string) bool {
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
