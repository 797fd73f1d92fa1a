package module

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

// Local finds packages without the go command.
type Local struct {
	dir     string
	env     *environment
	context *build.Context
	builds  *buildList
	// vendored is nil if modules come from the module cache.
	vendored *vendored
}

// Open prepares to find packages as the go command would in a directory, with build tags. It returns an error if only the go
// command can decide.
func Open(dir string, tags []string) (*Local, error) {
	env, err := readEnvironment()
	if err != nil {
		return nil, err
	}
	l := &Local{dir: dir, env: env}
	if l.context, err = env.constraints(tags); err != nil {
		return nil, err
	}
	if l.builds, err = readBuildList(env, dir); err != nil {
		return nil, err
	}
	if main := l.builds.mains[0]; !l.builds.workspace {
		if vendor := filepath.Join(main.Dir, "vendor"); isDir(vendor) && env.modMode == "" || env.modMode == "vendor" {
			if l.vendored, err = readVendored(vendor, main.file); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// Match returns the packages that match patterns: directories, with "..." for all below, and import paths of packages.
func (l *Local) Match(ctx context.Context, patterns []string) ([]Package, error) {
	var found []Package
	known := map[string]int{}
	for _, pattern := range patterns {
		matched, err := l.match(pattern)
		if err != nil {
			return nil, err
		}
		for _, p := range matched {
			i, again := known[p.ImportPath]
			if !again {
				i, p.Match = len(found), nil
				found, known[p.ImportPath] = append(found, *p), i
			}
			found[i].Match = append(found[i].Match, pattern)
		}
	}
	return found, l.settle(ctx, found)
}

// settle asks the go command about packages with the error that only it knows their files.
func (l *Local) settle(ctx context.Context, found []Package) error {
	doubts := map[string]*Package{}
	for i, p := range found {
		if p.Error != nil {
			doubts[p.Dir] = &found[i]
		}
	}
	if len(doubts) == 0 {
		return nil
	}
	answers, err := Command(ctx, l.dir, l.context.BuildTags, nil, slices.Collect(maps.Keys(doubts)))
	for _, answer := range answers {
		if p := doubts[answer.Dir]; p != nil {
			answer.Match = p.Match
			*p = answer
			delete(doubts, answer.Dir)
		}
	}
	if len(doubts) > 0 {
		return errors.Join(err, errDoubt)
	}
	return err
}

func (l *Local) match(pattern string) ([]*Package, error) {
	start, all := strings.CutSuffix(filepath.ToSlash(pattern), "/...")
	switch local := build.IsLocalImport(start) || filepath.IsAbs(pattern); {
	case strings.Contains(start, "...") || start == "" || all && Ignored(path.Base(start)):
		return nil, fmt.Errorf("pattern %s", pattern)
	case local:
		dir := diag.Absolute(l.dir, start)
		if all {
			return l.below(dir)
		}
		p, err := l.at(dir)
		return []*Package{p}, err
	case all:
		// The pattern matches modules that no requirement names.
		return nil, fmt.Errorf("pattern %s", pattern)
	}
	p, err := l.Find(pattern)
	return []*Package{p}, err
}

// at returns the package in a directory of a main module.
func (l *Local) at(dir string) (*Package, error) {
	main, err := l.builds.owner(dir)
	if err != nil {
		return nil, err
	}
	p, err := l.within(main, dir)
	if err != nil {
		return nil, err
	}
	return p, l.readFiles(p)
}

// within returns the package of a directory of a main module, without its files.
func (l *Local) within(main *mainModule, dir string) (*Package, error) {
	rel, err := filepath.Rel(main.Dir, dir)
	if err != nil {
		return nil, err
	}
	importPath := path.Join(main.Path, filepath.ToSlash(rel))
	if slices.Contains(strings.Split(importPath, "/"), "vendor") {
		return nil, fmt.Errorf("%s is in a vendor directory", dir)
	}
	return &Package{Dir: dir, ImportPath: importPath, Module: &main.Module}, nil
}

// below returns all packages in a directory of a main module and below it. Where build constraints exclude all files, the package has
// only these; the go command leaves it out.
func (l *Local) below(top string) ([]*Package, error) {
	main, err := l.builds.owner(top)
	if err != nil {
		return nil, err
	}
	var packages []*Package
	err = filepath.WalkDir(top, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			if name == top && err == nil {
				err = fmt.Errorf("%s is no directory", top)
			}
			return err
		}
		if name != top && (Ignored(entry.Name()) || IsRoot(name)) {
			return filepath.SkipDir
		}
		p, err := l.within(main, name)
		packages = append(packages, p)
		return err
	})
	if err != nil {
		return nil, err
	}
	var group errgroup.Group
	group.SetLimit(2 * runtime.GOMAXPROCS(0))
	for i, p := range packages {
		group.Go(func() error {
			err := l.readFiles(p)
			_, empty := errors.AsType[*build.NoGoError](err)
			switch {
			case errors.Is(err, errDoubt):
				p.Error = &Error{Err: err.Error()}
			case !empty:
				return err
			case len(p.IgnoredGoFiles) == 0:
				packages[i] = nil
			}
			return nil
		})
	}
	err = group.Wait()
	return slices.DeleteFunc(packages, func(p *Package) bool { return p == nil }), err
}

// Root returns the root directory of a module; "" if it is not required, vendored, or not in the module cache.
func (l *Local) Root(modulePath string) string {
	if m, err := l.builds.module(modulePath, l.vendored == nil); err == nil && m != nil {
		return m.Dir
	}
	return ""
}

// Find returns the package with an import path.
func (l *Local) Find(importPath string) (*Package, error) {
	p := &Package{ImportPath: importPath, Match: []string{importPath}}
	if first, _, _ := strings.Cut(importPath, "/"); !strings.Contains(first, ".") {
		// Packages vendored by the standard library and packages of the go command cannot be imported.
		if p.Dir = filepath.Join(l.env.goRoot, "src", filepath.FromSlash(importPath)); first != "vendor" && first != "cmd" && HasGo(p.Dir) {
			return p, l.readFiles(p)
		}
	}
	var err error
	if p.Dir, p.Module, err = l.locate(importPath); err != nil {
		return nil, err
	}
	return p, l.readFiles(p)
}

// unknown are build tags whose value depends on the C compiler or the flags of the go command.
var unknown = []string{"cgo", "race", "msan", "asan", "boringcrypto", "compiler_bootstrap"}
var errDoubt = errors.New("only the go command knows the files")

// readFiles sets the name and the files of the package. The error is a *build.NoGoError if there are none for this platform.
func (l *Local) readFiles(p *Package) error {
	read, err := l.context.ImportDir(p.Dir, 0)
	p.IgnoredGoFiles = read.IgnoredGoFiles
	for _, tag := range read.AllTags {
		// Tags with a dot stand for experiments and processor features, unless they stand for a Go release.
		if slices.Contains(unknown, tag) || strings.Contains(tag, ".") && !strings.HasPrefix(tag, "go1.") {
			return fmt.Errorf("%s: build tag %s: %w", p.Dir, tag, errDoubt)
		}
	}
	switch {
	case err != nil:
		return err
	case len(read.CgoFiles) > 0:
		return fmt.Errorf("%s: cgo: %w", p.Dir, errDoubt)
	}
	p.Name, p.GoFiles = read.Name, read.GoFiles
	return module.CheckImportPath(p.ImportPath)
}

// locate returns the directory and the module of the package with an import path. Only one module can have it: two would be an error.
func (l *Local) locate(importPath string) (dir string, of *Module, err error) {
	for prefix := importPath; prefix != "."; prefix = path.Dir(prefix) {
		m, err := l.builds.module(prefix, l.vendored == nil)
		if err != nil {
			return "", nil, err
		}
		if m == nil {
			continue
		}
		at := filepath.Join(m.Dir, filepath.FromSlash(strings.TrimPrefix(importPath[len(prefix):], "/")))
		if !HasGo(at) || !strings.Contains(m.Dir, "@") && Above(at, "go.mod") != filepath.Join(m.Dir, "go.mod") {
			continue
		}
		if of != nil {
			return "", nil, fmt.Errorf("%s is in %s and in %s", importPath, of.Path, m.Path)
		}
		dir, of = at, m
	}
	switch {
	case l.vendored != nil && of != nil && l.vendored.modules[importPath] != nil:
		return "", nil, fmt.Errorf("%s is in %s and vendored", importPath, of.Path)
	case l.vendored != nil && of == nil:
		return l.vendored.find(importPath)
	case of == nil:
		return "", nil, fmt.Errorf("no module has %s", importPath)
	case of.Main:
		return dir, of, nil
	}
	return dir, of, l.builds.check(of)
}
