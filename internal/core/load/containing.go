package load

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Containing parses the files of a module that contain a text, without the go command: it takes all files but tests, whatever their build
// constraints. It returns them by package, in the order of their directories. Patterns, relative to dir, select packages; none select all.
// Files that do not parse are left to the compiler.
func Containing(ctx context.Context, root module.Module, dir string, patterns []string, text string) (
	all [][]*ast.File, fset *token.FileSet, err error,
) {
	fset = token.NewFileSet()
	err = filepath.WalkDir(root.Dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case !d.IsDir():
			return nil
		case name != root.Dir && (module.Ignored(d.Name()) || module.IsRoot(name)):
			return fs.SkipDir
		}
		below, err := filepath.Rel(root.Dir, name)
		if err != nil {
			return err
		}
		pkg := Package{Path: path.Join(root.Path, filepath.ToSlash(below)), Dir: name}
		if len(patterns) > 0 && !slices.ContainsFunc(patterns, func(pattern string) bool { return pkg.Matches(dir, pattern) }) {
			return nil
		}
		files, err := containing(fset, name, []byte(text))
		if len(files) > 0 {
			all = append(all, files)
		}
		return err
	})
	return all, fset, err
}

// containing parses the files of a directory that contain a text.
func containing(fset *token.FileSet, dir string, text []byte) ([]*ast.File, error) {
	entries, err := os.ReadDir(dir)
	var files []*ast.File
	for _, entry := range entries {
		if entry.IsDir() || filepath.Ext(entry.Name()) != ".go" || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		name := filepath.Join(dir, entry.Name())
		content, err := regular.ReadFile(name)
		if err != nil || !bytes.Contains(content, text) {
			continue
		}
		if file, err := parser.ParseFile(fset, name, content, parser.ParseComments|parser.SkipObjectResolution); err == nil {
			files = append(files, file)
		}
	}
	return files, err
}

// PackagesWithFile returns the import paths of the packages with a file of this name in the module of a package or, if elsewhere is true,
// in the modules of the same owner that go.mod requires. Packages that generated code cannot import are left out.
func (r *Result) PackagesWithFile(of *Package, file string, elsewhere bool) []string {
	if of.Module == nil {
		return nil
	}
	if !elsewhere {
		below := strings.TrimPrefix(of.Path, of.Module.Path) // modules in vendor directories have no root
		return withFile(strings.TrimSuffix(of.Dir, filepath.FromSlash(below)), of.Module.Path, file, of.InMainModule())
	}
	root := module.Place{Dir: r.cfg.Dir}.Root()
	goMod, err := module.ReadFile(root)
	if err != nil {
		return nil // others report it
	}
	var found []string
	for _, required := range goMod.Require {
		other := required.Mod.Path
		if other == of.Module.Path || ownerOf(other) != ownerOf(of.Module.Path) {
			continue
		}
		dir := ""
		if r.local != nil {
			dir = r.local.Root(other)
		}
		if dir == "" {
			dir = module.Source(root, other)
		}
		if dir != "" {
			found = append(found, withFile(dir, other, file, false)...)
		}
	}
	return found
}

// ownerOf returns the part of a module path that identifies its owner: the host or, on hosts that many share, the first folder too.
func ownerOf(modulePath string) string {
	host, rest, _ := strings.Cut(modulePath, "/")
	if slices.Contains([]string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}, host) {
		account, _, _ := strings.Cut(rest, "/")
		return host + "/" + account
	}
	return host
}

// withFile returns the import paths of the packages of one module that have a file of this name, with or without internal packages.
func withFile(root, modulePath, file string, internal bool) (found []string) {
	skip := func(dir string) bool { return module.IsRoot(dir) || filepath.Base(dir) == "internal" && !internal }
	for name := range module.Files(root, skip) {
		if rel, err := filepath.Rel(root, filepath.Dir(name)); err == nil && filepath.Base(name) == file {
			found = append(found, path.Join(modulePath, filepath.ToSlash(rel)))
		}
	}
	return found
}
