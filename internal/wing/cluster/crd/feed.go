package crd

import (
	"context"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"slices"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/interrupt"
)

// Packages are packages as the library sees them: with all syntax, but with types only of the declarations that kinds reach. The library
// itself would list and type-check everything that the packages import, which takes most of the time of controller-gen.
type Packages struct {
	// roots are the packages with kinds, and others the packages that these reach.
	roots, others []*packages.Package
	// template returns a package that the library has made.
	template func() (*loader.Package, error)

	// foreign are the import paths of packages of other modules.
	foreign []string
	// missing says why types are unknown, by the positions where they are used.
	missing map[string]*gotype.Missing
	reached map[*gotype.Decl]*reach
}

// reach has the declarations that the library reaches directly from a declaration.
type reach struct {
	decls []*gotype.Decl
	// generic is the position of a field whose type is an instance of a generic type.
	generic token.Pos
}

// feeder collects the declarations that kinds reach.
type feeder struct {
	*gotype.Universe
	result *Packages
	opened []*gotype.Package
	// packages and standIns take the place of packages and types in the library.
	packages map[*gotype.Package]*packages.Package
	standIns map[*gotype.Decl]types.Type
	// kinds are names of kinds. Types with these names in other packages may be further versions.
	kinds map[string]bool
	// waiting are reached declarations that have not been read.
	waiting []*gotype.Decl
}

// Open reads the declarations that the kinds of some packages reach, for which it may load other packages of the universe.
func Open(ctx context.Context, universe *gotype.Universe, roots []*gotype.Package) *Packages {
	opened := &Packages{
		template: interrupt.Begin(ctx, func() (*loader.Package, error) { return newTemplate(universe.Fset) }),
		missing:  map[string]*gotype.Missing{}, reached: map[*gotype.Decl]*reach{},
	}
	f := &feeder{
		Universe: universe, result: opened, kinds: map[string]bool{},
		packages: map[*gotype.Package]*packages.Package{}, standIns: map[*gotype.Decl]types.Type{},
	}
	for _, root := range roots {
		for name, d := range root.Types {
			f.kinds[name] = f.kinds[name] || isKind(d.Spec)
		}
	}
	for _, root := range roots {
		opened.roots = append(opened.roots, f.open(root))
	}
	for len(f.waiting) > 0 {
		d := f.waiting[0]
		f.waiting, f.result.reached[d] = f.waiting[1:], &reach{}
		if f.read(d, d.Spec.Type) {
			f.result.reached[d].generic = d.Spec.Pos()
		}
	}
	for _, p := range f.opened {
		f.declareConstants(p)
		if !p.InMainModule() {
			opened.foreign = append(opened.foreign, p.Path)
		}
		if made := f.packages[p]; !slices.Contains(opened.roots, made) {
			opened.others = append(opened.others, made)
		}
	}
	return opened
}

// open returns a package for the library.
func (f *feeder) open(p *gotype.Package) *packages.Package {
	if f.packages[p] != nil {
		return f.packages[p]
	}
	made := &packages.Package{
		ID: p.Path, PkgPath: p.Path, Name: p.Name, Fset: f.Fset, Types: types.NewPackage(p.Path, p.Name),
		TypesInfo: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}},
	}
	for _, file := range p.Syntax() {
		copied := *file
		copied.Imports = nil // the library would look for all of them
		made.Syntax = append(made.Syntax, &copied)
	}
	f.packages[p] = made
	f.opened = append(f.opened, p)
	for _, name := range p.TypeNames {
		if d := p.Types[name]; f.kinds[name] {
			f.standIn(f.Type(d))
		}
	}
	return made
}

// Generic returns the position of a generic field that a type of a package reaches, which the library cannot describe.
func (p *Packages) Generic(d *gotype.Decl) (pos token.Pos, found bool) {
	seen := map[*gotype.Decl]bool{}
	for waiting := []*gotype.Decl{d}; len(waiting) > 0; {
		d, waiting = waiting[0], waiting[1:]
		if r := p.reached[d]; r != nil && !seen[d] {
			if r.generic.IsValid() {
				return r.generic, true
			}
			seen[d] = true
			waiting = append(waiting, r.decls...)
		}
	}
	return token.NoPos, false
}

// read records the types of names in the type of a declaration, as far as the library follows them. It reports whether a generic type is
// among them.
func (f *feeder) read(d *gotype.Decl, expr ast.Expr) (generic bool) {
	switch e := expr.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		f.record(d, e)
	case *ast.StarExpr:
		return f.read(d, e.X)
	case *ast.ArrayType:
		return f.read(d, e.Elt)
	case *ast.MapType:
		key := f.Denoted(d, e.Key)
		f.record(d, e.Key)
		if named, ok := f.standIn(key).(*types.Named); ok && f.Encoding(key) == gotype.Custom && f.Selects(key, "MarshalText") {
			addMethod(named, "MarshalText")
		}
		return f.read(d, e.Value)
	case *ast.StructType:
		for _, field := range e.Fields.List {
			tag, tagged := loader.ParseAstTag(field.Tag).Lookup("json")
			followed := tagged && tag != "-" || len(field.Names) == 0 && isKind(d.Spec)
			if followed && f.read(d, field.Type) {
				f.result.reached[d].generic = field.Pos()
			}
		}
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

func (f *feeder) record(d *gotype.Decl, expr ast.Expr) {
	t := f.Denoted(d, expr)
	f.packages[d.Package].TypesInfo.Types[expr] = types.TypeAndValue{Type: f.standIn(t)}
	if missing := f.Missing(t); missing != nil {
		f.result.missing[f.Fset.Position(expr.Pos()).String()] = missing
	}
	if named := f.Decl(t); named != nil {
		f.result.reached[d].decls = append(f.result.reached[d].decls, named)
	}
}

// standIn returns the type that the library gets for another: one with the same name, form and encoding. Their own parts are read later.
func (f *feeder) standIn(t types.Type) types.Type {
	switch d := f.Decl(t); {
	case f.Missing(t) != nil:
		return types.Typ[types.Invalid]
	case t == builtinError:
		return t.Underlying() // the library expects a package of names, and reports interfaces
	case d == nil:
		return t
	case f.standIns[d] == nil:
		made := f.open(d.Package)
		if f.standIns[d] != nil { // it is a kind
			break
		}
		name := types.NewTypeName(d.Spec.Name.Pos(), made.Types, d.Name(), nil)
		if alias, ok := t.(*types.Alias); ok {
			f.standIns[d] = types.NewAlias(name, f.standIn(alias.Rhs()))
		} else {
			f.standIns[d] = f.named(name, d, t)
		}
		made.Types.Scope().Insert(name)
		made.TypesInfo.Defs[d.Spec.Name] = name
		f.waiting = append(f.waiting, d)
	}
	return f.standIns[f.Decl(t)]
}

var builtinError = types.Universe.Lookup("error").Type()

// named returns a type that has the form of another, whose declaration is d, and the methods for its encoding.
func (f *feeder) named(name *types.TypeName, d *gotype.Decl, t types.Type) *types.Named {
	var form types.Type = types.NewStruct(nil, nil)
	if f.Struct(d) == nil {
		form = f.Underlying(t)
		if _, missing := form.(*gotype.Missing); missing {
			form = types.Typ[types.Invalid]
		}
	}
	named := types.NewNamed(name, form, nil)
	if !types.IsInterface(form) {
		switch f.Encoding(t) {
		case gotype.Custom:
			addMethod(named, "MarshalJSON")
		case gotype.Text:
			addMethod(named, "MarshalText")
		case gotype.Structured:
		}
	}
	return named
}

// addMethod adds a method that encodes values to a type. The library asks for methods of encoding/json and encoding.
func addMethod(to *types.Named, name string) {
	pkg := to.Obj().Pkg()
	text := types.NewVar(token.NoPos, nil, "", types.NewSlice(types.Typ[types.Byte]))
	results := types.NewTuple(text, types.NewVar(token.NoPos, nil, "", builtinError))
	receiver := types.NewVar(token.NoPos, pkg, "", to)
	to.AddMethod(types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(receiver, nil, nil, nil, results, false)))
}

// declareConstants records the constants of reached types, which are the values of enumerations.
func (f *feeder) declareConstants(p *gotype.Package) {
	made := f.packages[p]
	for _, spec := range p.Values {
		typed, _ := spec.Type.(*ast.Ident)
		if typed == nil || f.standIns[p.Types[typed.Name]] == nil {
			continue
		}
		for _, name := range spec.Names {
			t := f.standIns[p.Types[typed.Name]]
			made.TypesInfo.Defs[name] = types.NewConst(name.Pos(), made.Types, name.Name, t, constant.MakeUnknown())
		}
	}
}

// newTemplate returns a package that belongs to a loader of the library, which has no constructor. Loading the smallest package takes the
// go command 10 ms.
func newTemplate(fset *token.FileSet) (*loader.Package, error) {
	env := append(os.Environ(), "GO111MODULE=off", "GOFLAGS=", "GOWORK=off", "GOPACKAGESDRIVER=off")
	loaded, err := loader.LoadRootsWithConfig(&packages.Config{Dir: os.TempDir(), Fset: fset, Env: env}, "unsafe")
	if err != nil {
		return nil, err
	}
	return loaded[0], nil
}

// load returns the packages as packages of the library. All of them share the imports, which are the packages by import path.
func (p *Packages) load() (roots, all []*loader.Package, err error) {
	template, err := p.template()
	if err != nil {
		return nil, nil, err
	}
	for _, made := range slices.Concat(p.roots, p.others) {
		pkg := &loader.Package{}
		reflect.ValueOf(pkg).Elem().Set(reflect.ValueOf(template).Elem())
		pkg.Package = made
		template.Imports()[made.PkgPath] = pkg
		all = append(all, pkg)
	}
	return all[:len(p.roots)], all, nil
}
