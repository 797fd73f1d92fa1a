package module

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Place is a directory with its import path. A module is identified by its root and its path.
type Place struct{ Dir, ImportPath string }

// Root returns the root of the module that owns the place. Without a module, it is the directory of the place.
func (p Place) Root() string {
	if owner, err := Owner(p.Dir); err == nil {
		return owner.Dir
	}
	return p.Dir
}

// File returns the name of a file or directory with a slash-separated path relative to the place.
func (p Place) File(path string) string { return filepath.Join(p.Dir, filepath.FromSlash(path)) }

// Owner returns the module that owns a directory, which need not exist: the one whose go.mod is in it or nearest above it.
func Owner(dir string) (Place, error) {
	goMod := Above(dir, "go.mod")
	if goMod == "" {
		return Place{}, fmt.Errorf("no go.mod in %s or its parents: set --output-pkg", dir)
	}
	text, _ := regular.ReadFile(goMod) // an unreadable file has no module path
	modulePath := modfile.ModulePath(text)
	if modulePath == "" {
		return Place{filepath.Dir(goMod), ""}, fmt.Errorf("%s: no module path", goMod)
	}
	return Place{filepath.Dir(goMod), modulePath}, nil
}

// ImportPath returns the import path of a directory, which need not exist.
func ImportPath(dir string) (string, error) {
	owner, err := Owner(dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(owner.Dir, dir)
	if err != nil {
		return "", err
	}
	importPath := path.Join(owner.ImportPath, filepath.ToSlash(rel))
	if err := module.CheckImportPath(importPath); err != nil {
		return "", fmt.Errorf("%s cannot be a Go package: %w", dir, err)
	}
	return importPath, nil
}

// ReadFile parses the go.mod of the module with a root directory.
func ReadFile(root string) (*modfile.File, error) {
	name := filepath.Join(root, "go.mod")
	text, err := regular.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, text, nil)
}

// Source returns the directory of a package or module that the module with a root directory requires, vendored or in the module cache;
// "" if it is not there. It does not check go.sum.
func Source(root, importPath string) string {
	if dir := filepath.Join(root, "vendor", filepath.FromSlash(importPath)); isDir(dir) {
		return dir
	}
	file, err := ReadFile(root)
	if err != nil {
		return ""
	}
	cache := CacheDir()
	for _, required := range file.Require {
		rest, below := strings.CutPrefix(importPath+"/", required.Mod.Path+"/")
		escaped, err := module.EscapePath(required.Mod.Path)
		if !below || err != nil {
			continue
		}
		if dir := filepath.Join(cache, escaped+"@"+required.Mod.Version, rest); isDir(dir) {
			return dir
		}
	}
	return ""
}

// Vendored reports whether the module with a root directory has a vendor directory.
func Vendored(root string) bool { return isFile(filepath.Join(root, "vendor", "modules.txt")) }

// listsAll reports whether a go.mod lists all modules that the packages of its module need, at the selected versions. This holds since
// Go 1.17 (https://go.dev/ref/mod#graph-pruning).
func listsAll(file *modfile.File) bool {
	return file.Go != nil && semver.Compare("v"+file.Go.Version, "v1.17") >= 0
}

// workFile returns the go.work that applies to a directory, or "". The setting is the value of GOWORK.
func workFile(setting, dir string) string {
	switch setting {
	case "off":
		return ""
	case "":
		return Above(dir, "go.work")
	}
	return setting
}

// Above returns the file with this name in a directory or its nearest parent, or "".
func Above(dir, name string) string {
	for ; ; dir = filepath.Dir(dir) {
		if file := filepath.Join(dir, name); isFile(file) {
			return file
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// IsRoot reports whether a directory is the root of a module.
func IsRoot(dir string) bool { return isFile(filepath.Join(dir, "go.mod")) }

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// Within reports whether name is dir or below it.
func Within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// CommonDir returns the deepest directory that all names are below; "" for no names.
func CommonDir(names []string) string {
	if len(names) == 0 {
		return ""
	}
	common := filepath.Dir(names[0])
	for _, name := range names[1:] {
		for !Within(common, filepath.Dir(name)) {
			common = filepath.Dir(common)
		}
	}
	return common
}

// AnyWithin reports whether any of the names is one of the directories or below one.
func AnyWithin(names, dirs []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return Within(dir, name) })
	})
}

// Ignored reports whether the go command ignores directories with this name, or keeps dependencies in them.
func Ignored(name string) bool {
	hidden := strings.HasPrefix(name, ".") && name != "." && name != ".."
	return hidden || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor"
}

// Files is like AllFiles, also without files in directories that the go command ignores.
func Files(root string, skip func(dir string) bool) iter.Seq2[string, fs.DirEntry] {
	return AllFiles(root, func(dir string) bool { return Ignored(filepath.Base(dir)) || skip(dir) })
}

// AllFiles yields the files below a directory in the order of their names, without files in directories that skip excludes. Unreadable
// directories have none.
func AllFiles(root string, skip func(dir string) bool) iter.Seq2[string, fs.DirEntry] {
	return func(yield func(name string, d fs.DirEntry) bool) {
		_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
			case d.IsDir() && name != root && skip(name):
				return fs.SkipDir
			case !d.IsDir() && !yield(name, d):
				return fs.SkipAll
			}
			return nil
		})
	}
}

// HasGo reports whether a directory has Go files, whatever their build constraints.
func HasGo(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasSuffix(e.Name(), ".go") && !e.IsDir()
	})
}
