// Package load turns package patterns into parsed Go packages, with their comments and positions. It knows Go and
// nothing of Kubernetes. Syntax is all it gives: nothing is type-checked, so packages that do not compile yet are as
// good as others, and dependencies are never opened.
package load

import (
	"bytes"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Config says what to load.
type Config struct {
	// Dir is the directory that patterns are relative to, and whose module, workspace and vendor directory count.
	Dir string
	// Patterns are package patterns as the go command understands them.
	Patterns []string
	// BuildTags are the build constraints to be taken as satisfied, beside those of the platform.
	BuildTags []string
}

// Package is one parsed package.
type Package struct {
	// Path is the import path, Name the name in the package clauses, Dir the absolute directory.
	Path, Name, Dir string
	// Module is the module that holds the package; nil outside of modules.
	Module *Module
	// Files are in the order of their names. Generated files that declare nothing of interest are left out.
	Files []*File
}

// Module identifies the module that a package belongs to.
type Module struct {
	Path string
	// Dir is the module's root directory.
	Dir string
	// Main is true for the main module and for the modules of a workspace: those that the user works on.
	Main bool
}

// File is one parsed file of a package.
type File struct {
	// Name is the absolute path.
	Name string
	*ast.File
}

// Result is what was loaded.
type Result struct {
	// Packages are in the order of their import paths.
	Packages []*Package
	// Fset resolves the positions of all files.
	Fset *token.FileSet
	// FilesParsed counts the files that were read, generated ones included.
	FilesParsed int

	cfg Config
}

// Find returns the package with an import path: one that is loaded already or, by another call of the go command, one
// that the module of the working directory can import. It is nil if there is no such package.
func (r *Result) Find(ctx context.Context, importPath string) (*Package, error) {
	i := slices.IndexFunc(r.Packages, func(p *Package) bool { return p.Path == importPath })
	if i >= 0 {
		return r.Packages[i], nil
	}
	cfg := r.cfg
	cfg.Patterns = []string{importPath}
	found, err := goList(ctx, cfg)
	if err != nil || len(found) != 1 || len(found[0].GoFiles) == 0 {
		return nil, err
	}
	one := &Result{Fset: r.Fset, Packages: []*Package{newPackage(found[0], found[0].GoFiles)}}
	_, err = parseAll(ctx, one)
	return one.Packages[0], err
}

// Packages loads the packages that match the patterns. Problems of single packages and files are returned as
// diagnostics; an error means that nothing could be loaded at all.
func Packages(ctx context.Context, cfg Config) (*Result, diag.List, error) {
	found, err := goList(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	var diags diag.List
	result := &Result{Fset: token.NewFileSet(), cfg: cfg}
	for _, p := range found {
		p.diagnose(cfg.Dir, &diags)
		if names := slices.Concat(p.GoFiles, p.CgoFiles); len(names) > 0 {
			result.Packages = append(result.Packages, newPackage(p, names))
			result.FilesParsed += len(names)
		}
	}
	slices.SortFunc(result.Packages, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	problems, err := parseAll(ctx, result)
	return result, append(diags, problems...), err
}

func newPackage(p listed, names []string) *Package {
	slices.Sort(names)
	pkg := &Package{Path: p.ImportPath, Name: p.Name, Dir: p.Dir, Module: p.Module}
	for _, name := range names {
		pkg.Files = append(pkg.Files, &File{Name: filepath.Join(p.Dir, name)})
	}
	return pkg
}

// parseAll parses the files of all packages side by side and drops those that hold nothing of interest.
func parseAll(ctx context.Context, result *Result) (diag.List, error) {
	group, _ := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	problems := make([]diag.List, len(result.Packages))
	for i, pkg := range result.Packages {
		group.Go(func() error {
			for _, file := range pkg.Files {
				err := file.parse(result.Fset)
				var syntax scanner.ErrorList
				if errors.As(err, &syntax) {
					for _, e := range syntax {
						problems[i].Add(e.Pos, "%s", e.Msg)
					}
				} else if err != nil {
					return err
				}
			}
			pkg.Files = slices.DeleteFunc(pkg.Files, func(f *File) bool { return f.File == nil })
			return nil
		})
	}
	err := group.Wait()
	return slices.Concat(problems...), err
}

func (f *File) parse(fset *token.FileSet) error {
	src, err := os.ReadFile(f.Name)
	if err != nil {
		return err
	}
	if skippable(src) {
		return nil
	}
	f.File, err = parser.ParseFile(fset, f.Name, src, parser.ParseComments|parser.SkipObjectResolution)
	return err
}

// skippable tells whether a generated file can be left unparsed because it declares no type and takes no part in the
// registration of types. Protobuf and deep-copy code make up three quarters of k8s.io/api; parsing it would take
// longer than all the rest of a run. Generators write gofmt'ed files, so declarations stand at the start of lines.
func skippable(src []byte) bool {
	return generated(src[:min(len(src), 4096)]) &&
		!bytes.Contains(src, []byte("\ntype ")) &&
		!bytes.Contains(src, []byte("GroupVersion")) &&
		!bytes.Contains(src, []byte("AddToScheme"))
}

// generated tells whether the beginning of a file has the line by which Go tools know generated files
// (https://go.dev/s/generatedcode).
func generated(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if bytes.HasPrefix(line, []byte("// Code generated ")) && bytes.HasSuffix(line, []byte(" DO NOT EDIT.")) {
			return true
		}
	}
	return false
}
