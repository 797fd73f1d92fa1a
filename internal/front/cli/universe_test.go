package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
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

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// universe has packages by import path: the dependencies of one module, and the packages that are being checked. Tests share it, one after
// the other, because checking the dependencies takes longer than most modules.
type universe struct {
	mu       sync.Mutex // held while packages are checked
	fset     *token.FileSet
	packages map[string]*pkg
	report   func(error)
	// formatted has the files that have been formatted, and checked the packages whose functions have been checked. Most modules
	// have the same run-time code, apart from the module's path.
	formatted sync.Map
	checked   map[[sha256.Size]byte]bool
}

type pkg struct {
	path, dir string
	// module is the path of one of the modules, or empty for packages of dependencies.
	module    string
	names     []string
	importMap map[string]string
	files     []*ast.File
	sources   [][]byte // without the module's path
	sum       [sha256.Size]byte
	types     *types.Package
}

// universes are the universes of modules by directory.
var universes sync.Map

// universeOf returns the universe of the dependencies of a module.
func universeOf(requirements string) *universe {
	u, _ := universes.LoadOrStore(requirements, newUniverse())
	return u.(*universe)
}

func newUniverse() *universe {
	return &universe{
		fset: token.NewFileSet(), packages: map[string]*pkg{"unsafe": {types: types.Unsafe}}, checked: map[[sha256.Size]byte]bool{},
	}
}

// check parses and type-checks the packages of modules, with the dependencies of the module in the directory requirements, of which only
// declarations are checked.
func (u *universe) check(requirements string, modules map[string]string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	defer maps.DeleteFunc(u.packages, func(_ string, p *pkg) bool { return p.module != "" })
	var own []*pkg
	for _, modulePath := range slices.Sorted(maps.Keys(modules)) {
		found, err := u.parseModule(modulePath, modules[modulePath])
		if err != nil {
			return err
		}
		own = append(own, found...)
	}
	used, err := u.parseLibrary(module.Library, libraryDir, own)
	if err != nil {
		return err
	}
	if err := u.parseDependencies(requirements, append(own, used...)); err != nil {
		return err
	}
	var problems []error
	u.report = func(err error) { problems = append(problems, err) }
	for _, path := range slices.Sorted(maps.Keys(u.packages)) {
		_, _ = u.Import(path) // report has the errors
	}
	return errors.Join(problems...)
}

// libraryDir has the run-time library, for which modules need no requirement.
const libraryDir = "../../../runtime"

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
		p := &pkg{path: path.Join(modulePath, filepath.ToSlash(rel)), dir: dir, module: modulePath, names: listed.GoFiles}
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
		names := slices.Concat(listed.GoFiles, listed.TestGoFiles)
		found = append(found, &pkg{path: p.path + " [test]", dir: p.dir, module: p.module, names: names})
	}
	if len(listed.XTestGoFiles) > 0 {
		found = append(found, &pkg{path: p.path + "_test", dir: p.dir, module: p.module, names: listed.XTestGoFiles})
	}
	return found
}

// parseLibrary parses the packages of a library that packages of modules import, directly or not.
func (u *universe) parseLibrary(modulePath, root string, own []*pkg) ([]*pkg, error) {
	var used []*pkg
	for next := own; len(next) > 0; {
		imports, err := u.missing(next)
		if err != nil {
			return nil, err
		}
		next = nil
		for _, importPath := range imports {
			rel, inLibrary := strings.CutPrefix(importPath, modulePath+"/")
			if !inLibrary {
				continue
			}
			listed, err := build.ImportDir(filepath.Join(root, filepath.FromSlash(rel)), 0)
			if err != nil {
				return nil, err
			}
			next = append(next, &pkg{path: importPath, dir: listed.Dir, names: listed.GoFiles})
		}
		if err := u.parse(next); err != nil {
			return nil, err
		}
		used = append(used, next...)
	}
	return used, nil
}

// missing returns the imports of packages that have not been parsed.
func (u *universe) missing(packages []*pkg) ([]string, error) {
	imports := map[string]bool{}
	for _, p := range packages {
		for _, file := range p.files {
			for _, spec := range file.Imports {
				importPath, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return nil, err
				}
				if u.packages[importPath] == nil {
					imports[importPath] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(imports)), nil
}

// parseDependencies parses what other packages import.
func (u *universe) parseDependencies(requirements string, packages []*pkg) error {
	imports, err := u.missing(packages)
	if err != nil || len(imports) == 0 {
		return err
	}
	listed, err := list(requirements, imports)
	if err != nil {
		return err
	}
	return u.parse(slices.DeleteFunc(listed, func(p *pkg) bool { return u.packages[p.path] != nil }))
}

// list returns packages and everything that they import. Without cgo, there are only Go files.
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
			failed[i] = u.parseFiles(p)
			<-limit
		})
	}
	wait.Wait()
	return errors.Join(failed...)
}

func (u *universe) parseFiles(p *pkg) error {
	for _, name := range p.names {
		name = filepath.Join(p.dir, name)
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(u.fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.files = append(p.files, file)
		if p.module != "" {
			p.sources = append(p.sources, bytes.ReplaceAll(src, []byte(p.module+"/"), []byte("m/")))
			if err := u.checkFormat(name, src, sha256.Sum256(p.sources[len(p.sources)-1])); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFormat returns an error for a generated file that gofmt would change.
func (u *universe) checkFormat(name string, src []byte, sum [sha256.Size]byte) error {
	if !bytes.Contains(src, []byte(render.GeneratedBy)) {
		return nil
	}
	if _, known := u.formatted.LoadOrStore(sum, true); known {
		return nil
	}
	want, err := format.Source(src)
	if err == nil && !bytes.Equal(src, want) {
		err = fmt.Errorf("%s: gofmt would change this file", name)
	}
	return err
}

// repeats reports whether the functions of a package have been checked before, in another module. The same is true for the
// packages of the module that it imports.
func (u *universe) repeats(p *pkg) bool {
	sum := u.sumOf(p)
	known := u.checked[sum]
	u.checked[sum] = true
	return known
}

// sumOf identifies the sources of a package and of the packages of the module that it imports.
func (u *universe) sumOf(p *pkg) [sha256.Size]byte {
	if p.sum != [sha256.Size]byte{} {
		return p.sum
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %q\n", strings.TrimPrefix(p.path, p.module), p.sources)
	hash.Sum(p.sum[:0]) // ends a cycle, which the type checker reports
	for _, file := range p.files {
		for _, spec := range file.Imports {
			importPath, _ := strconv.Unquote(spec.Path.Value) // it has been parsed
			if own := u.packages[importPath]; own != nil && own.module == p.module {
				fmt.Fprintf(hash, "%x\n", u.sumOf(own))
			}
		}
	}
	hash.Sum(p.sum[:0])
	return p.sum
}

// Import implements types.Importer.
func (u *universe) Import(path string) (*types.Package, error) {
	p := u.packages[path]
	if p == nil {
		return nil, fmt.Errorf("no package %s", path)
	}
	if p.types == nil {
		config := types.Config{Importer: mapped{u, p.importMap}, IgnoreFuncBodies: p.module == "" || u.repeats(p), Error: u.report}
		p.types, _ = config.Check(path, u.fset, p.files, nil) // report has the errors
	}
	return p.types, nil
}

// mapped imports the vendored packages of the standard library by the paths that it uses for them.
type mapped struct {
	u         *universe
	importMap map[string]string
}

func (m mapped) Import(path string) (*types.Package, error) {
	if vendored, ok := m.importMap[path]; ok {
		path = vendored
	}
	return m.u.Import(path)
}
