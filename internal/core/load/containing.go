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
