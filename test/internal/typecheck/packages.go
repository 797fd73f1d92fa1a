package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// universe has all packages by import path.
type universe struct {
	fset     *token.FileSet
	packages map[string]*pkg
	report   func(error)
}

type pkg struct {
	path, dir string
	own       bool
	names     []string
	importMap map[string]string
	files     []*ast.File
	types     *types.Package
}

func newUniverse() *universe {
	return &universe{fset: token.NewFileSet(), packages: map[string]*pkg{"unsafe": {types: types.Unsafe}}}
}

// parseModule parses the packages of a module and their tests. It excludes the files that the go command would exclude.
func (u *universe) parseModule(modulePath, root string) ([]*pkg, error) {
	var found []*pkg
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		listed, err := build.ImportDir(dir, 0)
		if noGo := (*build.NoGoError)(nil); errors.As(err, &noGo) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, dir)
		p := &pkg{path: path.Join(modulePath, filepath.ToSlash(rel)), dir: dir, own: true, names: listed.GoFiles}
		found = append(found, p)
		if _, nested := os.Stat(filepath.Join(dir, "go.mod")); dir == root || nested != nil {
			found = append(found, p.tests(listed)...)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, u.parse(found)
}

// tests returns the packages of a package's tests, by paths that no other package imports. The first has the package's files too.
// The tests of nested modules are left out: they have dependencies of their own.
func (p *pkg) tests(listed *build.Package) []*pkg {
	var found []*pkg
	if len(listed.TestGoFiles) > 0 {
		found = append(found, &pkg{path: p.path + " [test]", dir: p.dir, own: true, names: slices.Concat(listed.GoFiles, listed.TestGoFiles)})
	}
	if len(listed.XTestGoFiles) > 0 {
		found = append(found, &pkg{path: p.path + "_test", dir: p.dir, own: true, names: listed.XTestGoFiles})
	}
	return found
}

// parseDependencies parses what packages of modules import.
func (u *universe) parseDependencies(requirements string, own []*pkg) error {
	imports := map[string]bool{}
	for _, p := range own {
		for _, file := range p.files {
			for _, spec := range file.Imports {
				importPath, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return err
				}
				if u.packages[importPath] == nil {
					imports[importPath] = true
				}
			}
		}
	}
	listed, err := list(requirements, slices.Sorted(maps.Keys(imports)))
	if err != nil {
		return err
	}
	return u.parse(listed)
}

// list returns packages and everything that they import. Without cgo there are only Go files.
func list(dir string, paths []string) ([]*pkg, error) {
	args := append([]string{"list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap"}, paths...)
	cmd := exec.CommandContext(context.Background(), "go", args...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cmd, err)
	}
	var listed []*pkg
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Dir string
			GoFiles         []string
			ImportMap       map[string]string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return listed, nil
		} else if err != nil {
			return nil, err
		}
		if p.ImportPath != "unsafe" {
			listed = append(listed, &pkg{path: p.ImportPath, dir: p.Dir, names: p.GoFiles, importMap: p.ImportMap})
		}
	}
}

// parse parses the files of packages and adds them to the universe.
func (u *universe) parse(packages []*pkg) error {
	var wait sync.WaitGroup
	failed := make([]error, len(packages))
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, p := range packages {
		u.packages[p.path] = p
		limit <- struct{}{}
		wait.Go(func() {
			failed[i] = p.parse(u.fset)
			<-limit
		})
	}
	wait.Wait()
	return errors.Join(failed...)
}

func (p *pkg) parse(fset *token.FileSet) error {
	for _, name := range p.names {
		file, err := parser.ParseFile(fset, filepath.Join(p.dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.files = append(p.files, file)
	}
	return nil
}
