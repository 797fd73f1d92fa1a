// Package repository is a read-only view of the parts of a repository that scripts refer to: modules, packages, and files with markers.
package repository

import (
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Repository is a git repository, or a module outside of one.
type Repository struct {
	// Root is the root of the repository, or of the module if there is no repository.
	Root string
	// modules are the modules in the repository, the longest import paths first.
	modules []module.Place
	copies  []copied
	// written are the files that a script writes, with the file of the repository that each is made from; "" if it is unknown.
	written map[string]string
	// temporaries is the number of temporary files.
	temporaries int
}

// copied is a directory and a copy of it made by a script.
type copied struct{ from, to string }

// At returns the repository that holds a directory.
func At(dir string) *Repository {
	r := &Repository{Root: root(dir), written: map[string]string{}}
	for name := range r.Files(r.Root) {
		if filepath.Base(name) != "go.mod" {
			continue
		}
		if owner, err := module.Owner(filepath.Dir(name)); err == nil {
			r.modules = append(r.modules, owner)
		}
	}
	slices.SortStableFunc(r.modules, func(a, b module.Place) int { return len(b.ImportPath) - len(a.ImportPath) })
	return r
}

// root returns the root of the git repository that contains dir, else the root of its module.
func root(dir string) string {
	for up := dir; up != filepath.Dir(up); up = filepath.Dir(up) {
		if _, err := os.Stat(filepath.Join(up, ".git")); err == nil {
			return up
		}
	}
	return module.Place{Dir: dir}.Root()
}

// Readable reports whether a path may be read: it belongs to the repository, or to a module that its modules require.
func (r *Repository) Readable(name string) bool {
	cache := module.CacheDir()
	return r.Within(name) || cache != "" && module.Within(cache, name)
}

// Files returns the files below a directory in the order of their names, without those in hidden directories and in directories of
// dependencies.
func (r *Repository) Files(dir string) iter.Seq[string] {
	return func(yield func(name string) bool) {
		if !r.Readable(dir) {
			return
		}
		skip := func(below string) bool {
			base := filepath.Base(below)
			return base == "vendor" || base == "node_modules" || strings.HasPrefix(base, ".")
		}
		for name, d := range module.AllFiles(dir, skip) {
			if d.Type().IsRegular() && !yield(name) {
				return
			}
		}
	}
}

// Within reports whether a path belongs to the repository.
func (r *Repository) Within(name string) bool { return module.Within(r.Root, name) }

// Copied records that a script copies a directory.
func (r *Repository) Copied(from, to string) { r.copies = append(r.copies, copied{from, to}) }

// Written records that a script writes a file, or appends to it, with the contents of others.
func (r *Repository) Written(name string, appends bool, others []string) {
	source, known := "", 0
	for _, other := range others {
		if _, ok := r.Read(other); !ok {
			other = r.written[other]
		}
		if other != "" {
			source = other
			known++
		}
	}
	if old, isWritten := r.written[name]; known != 1 || appends && isWritten && old != source {
		source = ""
	}
	r.written[name] = source
}

// Made returns the file of the repository that a script makes another from; "" if that is unknown.
func (r *Repository) Made(name string) string { return r.written[name] }

// Temporary returns a name that no repository has.
func (r *Repository) Temporary() string {
	r.temporaries++
	return TemporaryDir + strings.Repeat("x", r.temporaries-1)
}

// TemporaryDir is the beginning of the names of temporary files.
const TemporaryDir = "/mktemp"

// Home returns the repository path for a path in a script: the original of a copy of the repository, whether the copy is in a temporary
// directory, in a container or in a GOPATH. Other paths are returned unchanged.
func (r *Repository) Home(name string) string {
	for range 4 {
		if r.Within(name) {
			return name
		}
		i := slices.IndexFunc(r.copies, func(c copied) bool { return module.Within(c.to, name) })
		if i < 0 {
			break
		}
		name = r.copies[i].from + strings.TrimPrefix(name, r.copies[i].to)
	}
	for _, owner := range r.modules {
		if _, below, ok := strings.Cut(filepath.ToSlash(name)+"/", "/src/"+owner.ImportPath+"/"); ok {
			return filepath.Join(owner.Dir, filepath.FromSlash(below))
		}
	}
	return name
}

// Dir returns the directory of an import path, which need not exist; "" if no module in the repository has it.
func (r *Repository) Dir(importPath string) string {
	for _, owner := range r.modules {
		if importPath == owner.ImportPath {
			return owner.Dir
		}
		if rest, ok := strings.CutPrefix(importPath, owner.ImportPath+"/"); ok {
			return filepath.Join(owner.Dir, filepath.FromSlash(rest))
		}
	}
	return ""
}

// ImportPath returns the import path of a directory; "" if it has none.
func (r *Repository) ImportPath(dir string) string {
	if i := strings.LastIndex(filepath.ToSlash(dir), "/vendor/"); i >= 0 {
		return filepath.ToSlash(dir)[i+len("/vendor/"):]
	}
	importPath, _ := module.ImportPath(dir)
	return importPath
}

// Source returns the directory of a package or module, in the repository or in a requirement of the module that contains from; ""
// if it does not exist.
func (r *Repository) Source(from, importPath string) string {
	if dir := r.Dir(importPath); dir != "" {
		return dir
	}
	owner, err := module.Owner(from)
	if err != nil {
		return ""
	}
	return module.Source(owner.Dir, importPath)
}

// maxSize is the maximum size of files that are read, such as a generated Go file that a script searches.
const maxSize = 1 << 23

// Read returns the text of a file of the repository.
func (r *Repository) Read(name string) ([]byte, bool) {
	info, err := os.Stat(name)
	if err != nil || !r.Within(name) || !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, false
	}
	text, err := regular.ReadFile(name)
	return text, err == nil
}

// Marked returns the directories below root with a matching Go file, as grep -r would find them.
func (r *Repository) Marked(root string, marker *regexp.Regexp) []string {
	return r.dirs(root, func(name string) bool {
		text, err := regular.ReadFile(name)
		return err == nil && marker.Match(text)
	})
}

// Packages returns the directories that match a pattern of the go command.
func (r *Repository) Packages(root string) []string {
	return r.dirs(root, func(name string) bool { return !strings.HasSuffix(name, "_test.go") })
}

// dirs returns the directories below root with a Go file that matches.
func (r *Repository) dirs(root string, match func(name string) bool) []string {
	var dirs []string
	for name := range r.Files(root) {
		if dir := filepath.Dir(name); strings.HasSuffix(name, ".go") && !slices.Contains(dirs, dir) && match(name) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// Relative returns an absolute path relative to a directory, slash-separated.
func Relative(dir, name string) string {
	rel, _ := filepath.Rel(dir, name)
	return filepath.ToSlash(rel)
}

// Marker returns a pattern for a marker, as the functions of kube_codegen.sh search for it in Go files.
func Marker(name string) string { return `(?m)^\s*//\s*\+` + name }

// Markers that several steps search for.
var (
	Genclient = lazy.Regexp(Marker("genclient"))
	GroupName = lazy.Regexp(Marker("groupName"))
)

// objectMeta matches the field that makes a type a kind.
var objectMeta = lazy.Regexp(`(?m)^\s*(\w+\.)?ObjectMeta\b`)

// WithKinds returns the directories below another with packages that controller-gen finds kinds in.
func (r *Repository) WithKinds(root string) []string {
	served := r.Marked(root, objectMeta())
	return slices.DeleteFunc(r.Marked(root, GroupName()), func(dir string) bool { return !slices.Contains(served, dir) })
}

// Ignored reports whether patterns of the go command do not match a directory.
func (r *Repository) Ignored(dir string) bool {
	return slices.ContainsFunc(strings.Split(Relative(r.Root, dir), "/"), module.Ignored)
}
