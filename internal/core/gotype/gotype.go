// Package gotype resolves the Go types that packages declare, from syntax alone.
//
// It uses the terms of go/types but does not type-check: it looks at a declaration when it is needed, and loads a package for its first
// declaration. So packages need not compile, which is their state before deep copies are generated, and only the required part of each
// dependency is parsed. The price is that this package repeats rules of the language, such as embedding, aliases and generics.
package gotype

import (
	"cmp"
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"sort"
	"strconv"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
)

// Universe is the set of all packages reachable from the loaded ones. It is not safe for concurrent use.
type Universe struct {
	// Roots are the requested packages, in the order of their import paths.
	Roots []*Package
	Fset  *token.FileSet
	// Loaded has these packages, and finds others.
	Loaded *load.Result
	// Observe is called with the name of the method, if it is set, when a caller opens a declaration with Type or Struct, so that tests can
	// count.
	Observe func(method string, decl *Decl)

	ctx context.Context
	// packages are the packages requested so far, by import path; nil if there is no such package.
	packages map[string]*Package
	decls    map[*types.TypeName]*Decl
	fields   map[*types.Var]*ast.Field
	missing  map[*types.TypeName]*Missing
	// encodings and inJSON are the answers of Encoding and JSONFields.
	encodings map[types.Type]Encoding
	inJSON    map[*types.Struct]inJSON
}

// NewUniverse returns the universe of the loaded packages. It loads other packages on demand until ctx is done.
func NewUniverse(ctx context.Context, loaded *load.Result) *Universe {
	u := &Universe{
		Fset: loaded.Fset, Loaded: loaded, ctx: ctx,
		packages: map[string]*Package{}, decls: map[*types.TypeName]*Decl{}, fields: map[*types.Var]*ast.Field{},
		missing: map[*types.TypeName]*Missing{}, encodings: map[types.Type]Encoding{}, inJSON: map[*types.Struct]inJSON{},
	}
	for _, pkg := range loaded.Packages {
		root := NewPackage(loaded.Fset, pkg)
		u.packages[pkg.Path] = root
		u.Roots = append(u.Roots, root)
	}
	return u
}

// Package returns the package with an import path, and loads it if necessary. It returns nil if the package does not exist.
func (u *Universe) Package(importPath string) *Package {
	p, known := u.packages[importPath]
	if !known {
		// The module may not require the package yet. Callers that need it report that.
		if pkg, err := u.Loaded.Find(u.ctx, importPath); err == nil && pkg != nil {
			p = NewPackage(u.Fset, pkg)
		}
		u.packages[importPath] = p
	}
	return p
}

// Lookup returns the declaration of a type of a package. It returns nil if the package or the type does not exist.
func (u *Universe) Lookup(importPath, name string) *Decl {
	if p := u.Package(importPath); p != nil {
		return p.Types[name]
	}
	return nil
}

// Package is a package with its declarations.
type Package struct {
	*load.Package
	// Types are the type declarations by name, TypeNames their names in the order of the files.
	Types     map[string]*Decl
	TypeNames []string
	// Repeated are further declarations of these names, which the compiler reports.
	Repeated []*Decl
	// Values are the package's variables and constants, Funcs its functions.
	Values map[string]*ast.ValueSpec
	Funcs  map[string]*ast.FuncDecl

	// methods are by receiver. headersRead is true once they include those in unparsed files.
	methods     map[string][]*Method
	headersRead bool
	typed       *types.Package
	// late are files whose functions count, and nothing else.
	late []*load.File
}

// Decl is the declaration of a type.
type Decl struct {
	Spec    *ast.TypeSpec
	File    *load.File
	Package *Package
	// Doc is the comment of the declaration, Above the separate comment above that, with no code in between. Either may be nil.
	Doc, Above *ast.CommentGroup

	typ       types.Type
	completed bool
}

// Name returns the name of the type.
func (d *Decl) Name() string { return d.Spec.Name.Name }

// NewPackage returns a package with the declarations in its files.
func NewPackage(fset *token.FileSet, pkg *load.Package) *Package {
	p := &Package{
		Package: pkg, Types: map[string]*Decl{}, methods: map[string][]*Method{},
		Values: map[string]*ast.ValueSpec{}, Funcs: map[string]*ast.FuncDecl{},
		typed: types.NewPackage(pkg.Path, pkg.Name),
	}
	for _, file := range pkg.Files {
		previous := file.File.Name.End()
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					p.Funcs[d.Name.Name] = d
				} else {
					m, receiver := newMethod(file, d)
					p.methods[receiver] = append(p.methods[receiver], m)
				}
			case *ast.GenDecl:
				p.addGenDecl(fset, file, d, previous)
			}
			previous = decl.End()
		}
	}
	return p
}

// AddFuncs adds the functions of a file that was not of interest so far.
func (p *Package) AddFuncs(file *load.File) {
	p.late = append(p.late, file)
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil && p.Funcs[d.Name.Name] == nil {
			p.Funcs[d.Name.Name] = d
		}
	}
}

func (p *Package) addGenDecl(fset *token.FileSet, file *load.File, decl *ast.GenDecl, previous token.Pos) {
	shared := decl.Lparen.IsValid() && len(decl.Specs) > 1
	if shared {
		previous = decl.Lparen
	}
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				p.Values[name.Name] = spec
			}
		case *ast.TypeSpec:
			doc, start := spec.Doc, spec.Pos()
			if !shared {
				doc, start = cmp.Or(doc, decl.Doc), decl.Pos()
			}
			if doc != nil {
				start = doc.Pos()
			}
			declared := &Decl{Spec: spec, File: file, Package: p, Doc: doc, Above: commentAbove(fset, file, previous, start)}
			if p.Types[declared.Name()] != nil {
				p.Repeated = append(p.Repeated, declared)
				break
			}
			p.TypeNames = append(p.TypeNames, declared.Name())
			p.Types[declared.Name()] = declared
		}
		previous = spec.End()
	}
}

// commentAbove returns the separate comment group just above start, with no code in between. A comment at the end of the line on
// which the previous declaration ends belongs to that declaration.
func commentAbove(fset *token.FileSet, file *load.File, previous, start token.Pos) *ast.CommentGroup {
	after := sort.Search(len(file.Comments), func(i int) bool { return file.Comments[i].End() > start })
	if after == 0 {
		return nil
	}
	closest := file.Comments[after-1]
	if closest.Pos() <= previous || fset.Position(closest.Pos()).Line == fset.Position(previous).Line {
		return nil
	}
	return closest
}

// fileOf returns the file of a declaration, or nil if the package does not contain the position.
func (p *Package) fileOf(pos token.Pos) *load.File {
	for _, files := range [][]*load.File{p.Files, p.late} {
		for _, f := range files {
			if f.FileStart <= pos && pos < f.FileEnd {
				return f
			}
		}
	}
	return nil
}

// InRoots reports whether a position is in one of the requested packages.
func (u *Universe) InRoots(pos token.Pos) bool {
	return slices.ContainsFunc(u.Roots, func(p *Package) bool { return p.fileOf(pos) != nil })
}

// Struct returns the struct type of a declaration. It follows type names, also into other packages: type Gateway v1.Gateway has
// the fields of v1.Gateway. It returns nil if the type is not a struct or cannot be found.
func (u *Universe) Struct(decl *Decl) *ast.StructType {
	u.observe("Struct", decl)
	for range 100 { // longer chains are cycles
		switch expr := ast.Unparen(decl.Spec.Type).(type) {
		case *ast.StructType:
			return expr
		case *ast.Ident:
			decl = decl.Package.Types[expr.Name]
		case *ast.SelectorExpr:
			pkg := u.qualified(decl.File, expr)
			if pkg == nil {
				return nil
			}
			decl = pkg.Types[expr.Sel.Name]
		default:
			return nil
		}
		if decl == nil {
			return nil
		}
	}
	return nil
}

func (u *Universe) observe(method string, decl *Decl) {
	if u.Observe != nil {
		u.Observe(method, decl)
	}
}

// qualified returns the package of a qualified name.
func (u *Universe) qualified(file *load.File, expr *ast.SelectorExpr) *Package {
	if qualifier, ok := expr.X.(*ast.Ident); ok {
		return u.Imported(file, qualifier.Name)
	}
	return nil
}

// Imported returns the package that a file imports under a name, or nil if it is not imported or cannot be loaded.
func (u *Universe) Imported(file *load.File, name string) *Package {
	var candidates []string
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil:
		case spec.Name != nil && spec.Name.Name == name:
			return u.Package(importPath)
		case spec.Name == nil && path.Base(importPath) == name:
			candidates = append([]string{importPath}, candidates...)
		case spec.Name == nil:
			candidates = append(candidates, importPath)
		}
	}
	// An import without a name has the name of its package, which is usually, but not always, the last element of its path.
	for _, importPath := range candidates {
		if p := u.Package(importPath); p != nil && p.Name == name {
			return p
		}
	}
	return nil
}
