// Package load turns package patterns into parsed Go packages with comments and positions.
//
// It knows Go but not Kubernetes. Nothing is type-checked, so packages need not compile, and dependencies are not opened.
package load

import (
	"bytes"
	"context"
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Config configures Packages.
type Config struct {
	// Dir is the base directory of patterns. Its module, workspace and vendor directory apply.
	Dir string
	// Patterns are package patterns as the go command understands them.
	Patterns []string
	// BuildTags are satisfied in addition to the tags of the platform.
	BuildTags []string
	// Words are in the files that matter: if build constraints exclude such a file, that is a warning.
	Words []string
	// Overlay has contents of files, by absolute names, that count in place of those on disk.
	Overlay map[string][]byte
	// Complete adds requirements to a copy of go.mod that "go mod tidy" would add. It is called only if go.mod does not lead to
	// all required packages. It may be nil.
	Complete func(*modfile.File) error
	// Stage is called at the beginning of each stage: "loading", then "parsing". It may be nil.
	Stage func(name string)
	// Watch is called with the directory and the module of packages that users can edit, before their files are read. If it returns
	// true, it has begun to watch the directory, and packages are listed again: earlier changes are seen then. It may be nil.
	Watch func(dir, module string) (began bool)
}

// watch calls Watch for packages of the main module.
func (c Config) watch(found ...module.Package) (began bool) {
	for _, p := range found {
		if c.Watch != nil && p.Dir != "" && p.Module != nil && p.Module.Main {
			began = c.Watch(p.Dir, p.Module.Dir) || began
		}
	}
	return began
}

// At calls Stage.
func (c Config) At(stage string) {
	if c.Stage != nil {
		c.Stage(stage)
	}
}

// Package is one parsed package.
type Package struct {
	// Path is the import path, Name the name in the package clauses, Dir the absolute directory.
	Path, Name, Dir string
	// Module is the module that holds the package; nil outside of modules.
	Module *Module
	// Named is true if a pattern names exactly this package.
	Named bool
	// Files are in the order of their names. Generated files that declare nothing of interest are in Unparsed.
	Files, Unparsed []*File
}

// Syntax returns the parsed files.
func (p *Package) Syntax() []*ast.File {
	return lists.Map(p.Files, func(file *File) *ast.File { return file.File })
}

// InMainModule reports whether the package belongs to the main module or to a module of the workspace. Only such packages get generated
// files, and only mistakes in them can be fixed. The module cache and vendor directories are read, but never written to.
func (p *Package) InMainModule() bool { return p.Module != nil && p.Module.Main }

// Matches reports whether a pattern matches the package: its import path, or its directory relative to dir, or one of them above it
// followed by /....
func (p *Package) Matches(dir, pattern string) bool {
	start, below := strings.CutSuffix(filepath.ToSlash(pattern), "/...")
	own, wanted := p.Path, start
	if build.IsLocalImport(start) || filepath.IsAbs(start) {
		own, wanted = filepath.ToSlash(p.Dir), filepath.ToSlash(diag.Absolute(dir, start))
	}
	return own == wanted || below && strings.HasPrefix(own, wanted+"/")
}

// Module identifies the module that a package belongs to.
type Module = module.Module

// File is one file of a package.
type File struct {
	// Name is the absolute path.
	Name string
	// File is the syntax; nil if the file was not parsed. Functions longer than one statement have an empty body.
	*ast.File
	// Methods are the first lines of the methods in a file that was not parsed. Such files are gofmt'ed, so each begins a line.
	Methods []string
	// overlay is the content, if it is not the one on disk.
	overlay []byte
}

// Read returns the content of the file.
func (f *File) Read() ([]byte, error) {
	if f.overlay != nil {
		return f.overlay, nil
	}
	return regular.ReadFile(f.Name)
}

// Result holds the loaded packages.
type Result struct {
	// Packages are in the order of their import paths.
	Packages []*Package
	// Fset resolves the positions of all files.
	Fset *token.FileSet
	// FilesParsed counts the files that were read, generated ones included.
	FilesParsed int

	cfg Config
	// local finds packages without the go command; nil if the go command must find all of them.
	local *module.Local
	// known are all parsed packages; listed are the results of the go command by import path.
	known  []*Package
	listed map[string]module.Package
	// copied replaces an incomplete go.mod; nil until it is needed.
	copied      *module.Copy
	unavailable map[string]Unavailable
}

// Find returns the package with an import path, if it is loaded or the module of the working directory can import it. It returns nil if
// there is no such package; Unavailable has the reason.
func (r *Result) Find(ctx context.Context, importPath string) (*Package, error) {
	err := r.Load(ctx, importPath)
	if i := slices.IndexFunc(r.known, func(p *Package) bool { return p.Path == importPath }); i >= 0 {
		return r.known[i], nil
	}
	return nil, err
}

// Load loads different packages at the same time, as far as they exist.
func (r *Result) Load(ctx context.Context, importPaths ...string) error {
	var loaded []*Package
	for _, importPath := range importPaths {
		if slices.ContainsFunc(r.known, func(p *Package) bool { return p.Path == importPath }) {
			continue
		}
		found, asked := r.listed[importPath]
		for !asked || r.cfg.watch(found) {
			delete(r.listed, importPath)
			r.list(ctx, importPath)
			found, asked = r.listed[importPath], true
		}
		if len(found.GoFiles) > 0 {
			loaded = append(loaded, r.cfg.newPackage(found, found.GoFiles))
		}
	}
	_, err := parseAll(ctx, r.Fset, loaded)
	if err = errors.Join(err, ctx.Err()); err == nil {
		r.known = append(r.known, loaded...)
	}
	return err
}

// list finds a package. Starting the go command takes longer than most of its answers, so list also asks for all other imports of
// the packages that import this one.
func (r *Result) list(ctx context.Context, importPath string) {
	if r.listed == nil {
		r.listed, r.unavailable = map[string]module.Package{}, map[string]Unavailable{}
	}
	if r.local != nil && r.copied == nil {
		if found, err := r.local.Find(importPath); err == nil {
			r.listed[importPath] = *found
			return
		}
	}
	wanted := []string{importPath}
	for _, pkg := range r.known {
		if imports := pkg.Imports(); slices.Contains(imports, importPath) {
			wanted = append(wanted, imports...)
		}
	}
	var asked []string
	for _, p := range wanted {
		if _, known := r.listed[p]; !known && p != "C" {
			asked = append(asked, p)
			r.listed[p] = module.Package{}
		}
	}
	if r.copied == nil {
		asked = r.listByGoMod(ctx, asked)
	}
	if len(asked) > 0 {
		r.listByCopy(ctx, importPath, asked)
	}
}

// Packages loads the packages that match the patterns. Problems of single packages and files are returned as
// diagnostics; an error means that nothing could be loaded at all.
func Packages(ctx context.Context, cfg Config) (*Result, diag.List, error) {
	result := &Result{Fset: token.NewFileSet(), cfg: cfg}
	cfg.At("loading")
	result.local, _ = module.Open(cfg.Dir, cfg.BuildTags) // if nil, the go command is used
	found, err := result.listPackages(ctx)
	for err == nil && cfg.watch(found...) {
		found, err = result.listPackages(ctx)
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	var diags diag.List
	found = otherModules(cfg, found, &diags)
	if err != nil && len(diags) == 0 {
		return nil, nil, err
	}
	for _, p := range found {
		diagnose(p, cfg.Dir, &diags)
		hidden(p, cfg.Words, &diags)
		if names := slices.Concat(p.GoFiles, p.CgoFiles); len(names) > 0 {
			result.Packages = append(result.Packages, cfg.newPackage(p, names))
			result.FilesParsed += len(names)
		}
	}
	slices.SortFunc(result.Packages, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	cfg.At("parsing")
	problems, err := parseAll(ctx, result.Fset, result.Packages)
	result.known = slices.Clone(result.Packages)
	return result, append(diags, problems...), err
}

func (c Config) newPackage(p module.Package, names []string) *Package {
	slices.Sort(names)
	pkg := &Package{Path: p.ImportPath, Name: p.Name, Dir: p.Dir, Module: p.Module}
	pkg.Named = slices.ContainsFunc(p.Match, func(pattern string) bool { return !strings.Contains(pattern, "...") })
	for _, name := range names {
		name = filepath.Join(p.Dir, name)
		pkg.Files = append(pkg.Files, &File{Name: name, overlay: c.Overlay[name]})
	}
	return pkg
}

// parseAll parses the files of packages concurrently, except for files without relevant declarations.
func parseAll(ctx context.Context, fset *token.FileSet, packages []*Package) (diag.List, error) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	problems := map[*File]scanner.ErrorList{}
	var mu sync.Mutex
	for _, pkg := range packages {
		for _, file := range pkg.Files {
			group.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				err := file.parse(fset, !pkg.InMainModule())
				if syntax, ok := errors.AsType[scanner.ErrorList](err); ok {
					mu.Lock()
					defer mu.Unlock()
					problems[file] = syntax
					return nil
				}
				return err
			})
		}
	}
	err := group.Wait()
	var all diag.List
	for _, pkg := range packages {
		var ofPackage diag.List
		for _, file := range pkg.Files {
			for _, e := range problems[file] {
				ofPackage.Add(e.Pos, "%s", e.Msg)
			}
		}
		all = append(all, explainSyntax(pkg, ofPackage)...)
		pkg.Unparsed = slices.DeleteFunc(slices.Clone(pkg.Files), func(f *File) bool { return f.File != nil })
		pkg.Files = slices.DeleteFunc(pkg.Files, func(f *File) bool { return f.File == nil })
	}
	return all, err
}

// parse parses the file if it is relevant. In dependencies, it does not look at functions longer than one statement.
func (f *File) parse(fset *token.FileSet, inDependency bool) error {
	src, err := f.Read()
	if err != nil {
		return err
	}
	if skippable(filepath.Base(f.Name), src) {
		for line := range bytes.Lines(src) {
			if bytes.HasPrefix(line, []byte("func (")) {
				f.Methods = append(f.Methods, string(bytes.TrimSpace(line)))
			}
		}
		return nil
	}
	const mode = parser.ParseComments | parser.SkipObjectResolution
	if inDependency { // whose functions are not checked for syntax errors
		f.File, err = parser.ParseFile(fset, f.Name, WithoutBodies(src), mode)
	}
	if !inDependency || err != nil {
		f.File, err = parser.ParseFile(fset, f.Name, src, mode)
	}
	// The bodies of functions longer than one statement are most of the syntax and declare nothing relevant.
	for _, decl := range f.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && d.Body != nil && len(d.Body.List) > 1 {
			d.Body.List = nil
		}
	}
	return err
}

// swaggerDocs is the line above the methods that Kubernetes' genswaggertypedocs writes. Above the package clause, its files have
// no line that marks generated files.
const swaggerDocs = "\n// AUTO-GENERATED FUNCTIONS START HERE. DO NOT EDIT.\n"

// skippable reports whether a generated file need not be parsed, because it declares no API types, names no group and registers no types.
// Protobuf and deep-copy code is three quarters of k8s.io/api; parsing it would take longer than the rest of a run. Files
// generated by this program are skipped too, except for those in API packages, whose names begin with zz_generated. Generators
// write gofmt'ed files, so declarations begin lines.
func skippable(name string, src []byte) bool {
	by := origin.Of(src)
	if slices.Contains(by, origin.Us) && !strings.HasPrefix(name, "zz_generated.") {
		return true
	}
	return (len(by) > 0 || bytes.Contains(src, []byte(swaggerDocs))) &&
		!bytes.Contains(src, []byte("\ntype ")) &&
		!bytes.Contains(src, []byte("GroupVersion")) &&
		!bytes.Contains(src, []byte("+groupName")) &&
		!bytes.Contains(src, []byte("AddToScheme"))
}
