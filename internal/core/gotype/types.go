package gotype

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"strconv"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Missing says why a type cannot be resolved: it is not declared, its package cannot be loaded, or its syntax is not supported. It is
// the underlying type of such a type, see [Universe.Underlying].
type Missing struct {
	// Reason describes the problem for people.
	Reason string
	Pos    token.Pos

	// gap is the unavailable package that should declare the type, if that is the reason.
	gap *gap
}

// Error returns the reason, so that diagnostics can have the type as their cause.
func (m *Missing) Error() string { return m.Reason }

// Underlying implements types.Type.
func (m *Missing) Underlying() types.Type { return m }

// String implements types.Type.
func (m *Missing) String() string { return "unknown type (" + m.Reason + ")" }

// unresolved returns a placeholder for a type that cannot be resolved. The placeholder is a named type, because go/types, which
// instantiates the generic types that it may be a part of, panics for types that are not its own.
func (u *Universe) unresolved(m *Missing) types.Type {
	name := types.NewTypeName(m.Pos, nil, m.String(), nil)
	u.missing[name] = m
	return types.NewNamed(name, types.Typ[types.Invalid], nil)
}

// Missing returns why a type itself cannot be resolved, or nil if it can.
func (u *Universe) Missing(t types.Type) *Missing {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return u.missing[named.Obj()]
	}
	return nil
}

// Type returns the type of a declaration: a *types.Named or a *types.Alias. Its underlying type is unknown until Underlying is called.
func (u *Universe) Type(d *Decl) types.Type {
	u.observe("Type", d)
	return u.typeOf(d)
}

func (u *Universe) typeOf(d *Decl) types.Type {
	if d.typ != nil {
		return d.typ
	}
	name := types.NewTypeName(d.Spec.Name.Pos(), d.Package.typed, d.Name(), nil)
	u.decls[name] = d
	if d.Spec.Assign.IsValid() && d.Spec.TypeParams == nil {
		itself := &Missing{Reason: "type " + d.Name() + " is an alias for itself", Pos: d.Spec.Name.Pos()}
		d.typ = u.unresolved(itself) // until the aliased type is known
		d.typ = types.NewAlias(name, u.resolve(scope{d.Package, d.File, nil}, d.Spec.Type))
		return d.typ
	}
	named := types.NewNamed(name, nil, nil)
	d.typ = named
	named.SetTypeParams(typeParams(d))
	return named
}

// Denoted returns the type that an expression in a declaration denotes.
func (u *Universe) Denoted(d *Decl, expr ast.Expr) types.Type {
	named, _ := u.typeOf(d).(*types.Named)
	return u.resolve(scope{d.Package, d.File, parametersOf(named)}, expr)
}

// typeParams creates the parameters of a generic type. Their constraints do not matter here: the compiler checks them.
func typeParams(d *Decl) []*types.TypeParam {
	var params []*types.TypeParam
	if d.Spec.TypeParams == nil {
		return nil
	}
	for _, field := range d.Spec.TypeParams.List {
		for _, ident := range field.Names {
			name := types.NewTypeName(ident.Pos(), d.Package.typed, ident.Name, nil)
			params = append(params, types.NewTypeParam(name, types.Universe.Lookup("any").Type()))
		}
	}
	return params
}

// parametersOf returns the type parameters of a generic type by name; nil of others.
func parametersOf(named *types.Named) map[string]types.Type {
	if named == nil || named.TypeParams().Len() == 0 {
		return nil
	}
	params := map[string]types.Type{}
	for p := range named.TypeParams().TypeParams() {
		params[p.Obj().Name()] = p
	}
	return params
}

// Decl returns the declaration of a named type or alias, or nil for predeclared types.
func (u *Universe) Decl(t types.Type) *Decl {
	switch t := t.(type) {
	case *types.Named:
		return u.decls[t.Origin().Obj()]
	case *types.Alias:
		return u.decls[t.Obj()]
	}
	return nil
}

// Moved reports whether an alias stands for a type that has moved to another module, or within the standard library. Code that names
// the type itself would not compile with earlier versions: json.RawMessage is jsontext.Value since Go 1.27.
func (u *Universe) Moved(t types.Type) bool {
	from, to := u.Decl(t), u.Decl(types.Unalias(t))
	if _, isAlias := t.(*types.Alias); !isAlias || from == nil || to == nil || from.Package.InMainModule() || from.Package == to.Package {
		return false
	}
	a, b := from.Package.Module, to.Package.Module
	return a == nil || b == nil || a.Path != b.Path
}

// Field returns the syntax of a struct field, with its comments.
func (u *Universe) Field(v *types.Var) *ast.Field { return u.fields[v.Origin()] }

// Underlying returns the underlying type: never a name, an alias, or nil. If it cannot be resolved, it is a *Missing. Use this
// instead of the method of the same name, which only knows resolved types.
func (u *Universe) Underlying(t types.Type) types.Type {
	t = types.Unalias(t)
	named, ok := t.(*types.Named)
	if !ok {
		return t
	}
	if missing := u.missing[named.Obj()]; missing != nil {
		return missing
	}
	if d := u.decls[named.Origin().Obj()]; d != nil && !d.completed {
		if missing := u.complete(d, named.Origin()); missing != nil {
			return missing
		}
	}
	return named.Underlying()
}

// complete resolves the underlying type of a declaration.
func (u *Universe) complete(d *Decl, named *types.Named) *Missing {
	d.completed = true
	params := parametersOf(named)
	named.SetUnderlying(types.Typ[types.Invalid]) // visible in cycles
	underlying := u.Underlying(u.resolve(scope{d.Package, d.File, params}, d.Spec.Type))
	if missing, ok := underlying.(*Missing); ok {
		d.completed = false
		return missing
	}
	named.SetUnderlying(underlying)
	return nil
}

// scope is the context that determines the meaning of names in a type.
type scope struct {
	pkg    *Package
	file   *load.File
	params map[string]types.Type
}

// resolve returns the type that an expression denotes.
func (u *Universe) resolve(s scope, expr ast.Expr) types.Type {
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		t := u.name(s, e)
		if named, ok := t.(*types.Named); ok && named.TypeParams().Len() > 0 {
			return u.unresolved(&Missing{Reason: "the generic type " + types.ExprString(e) + " has no type arguments", Pos: e.Pos()})
		}
		return t
	case *ast.StarExpr:
		return types.NewPointer(u.resolve(s, e.X))
	case *ast.ArrayType:
		return u.array(s, e)
	case *ast.Ellipsis:
		return types.NewSlice(u.resolve(s, e.Elt))
	case *ast.MapType:
		return types.NewMap(u.resolve(s, e.Key), u.resolve(s, e.Value))
	case *ast.ChanType:
		return types.NewChan(types.SendRecv, u.resolve(s, e.Value))
	case *ast.StructType:
		return u.structType(s, e)
	case *ast.InterfaceType:
		return u.interfaceType(s, e)
	case *ast.FuncType:
		return u.signature(s, e)
	case *ast.IndexExpr:
		return u.instance(s, e.X, e.Index)
	case *ast.IndexListExpr:
		return u.instance(s, e.X, e.Indices...)
	}
	return u.unresolved(&Missing{Reason: "not a type that can be resolved", Pos: expr.Pos()})
}

// name is like resolve, but also returns generic types without type arguments.
func (u *Universe) name(s scope, expr ast.Expr) types.Type {
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		return u.ident(s, e)
	case *ast.SelectorExpr:
		return u.selector(s, e)
	}
	return u.resolve(s, expr)
}

func (u *Universe) ident(s scope, e *ast.Ident) types.Type {
	if param, ok := s.params[e.Name]; ok {
		return param
	}
	if d := s.pkg.Types[e.Name]; d != nil {
		return u.typeOf(d)
	}
	if predeclared, ok := types.Universe.Lookup(e.Name).(*types.TypeName); ok {
		return predeclared.Type()
	}
	for _, pkg := range u.DotImports(s.file) {
		if d := pkg.Types[e.Name]; d != nil {
			return u.typeOf(d)
		}
	}
	return u.unresolved(&Missing{Reason: "type " + e.Name + " is not declared", Pos: e.Pos()})
}

// DotImports yields the packages whose names a file uses without qualifiers, with the import.
func (u *Universe) DotImports(file *load.File) iter.Seq2[*ast.ImportSpec, *Package] {
	return func(yield func(*ast.ImportSpec, *Package) bool) {
		for _, spec := range file.Imports {
			if spec.Name == nil || spec.Name.Name != "." {
				continue
			}
			importPath, _ := strconv.Unquote(spec.Path.Value)
			if pkg := u.Package(importPath); pkg != nil && !yield(spec, pkg) {
				return
			}
		}
	}
}

func (u *Universe) selector(s scope, e *ast.SelectorExpr) types.Type {
	pkg := u.qualified(s.file, e)
	if pkg == nil {
		return u.unresolved(&Missing{"the package of " + types.ExprString(e) + " cannot be found", e.Pos(), u.gapOf(s.file, e)})
	}
	if d := pkg.Types[e.Sel.Name]; d != nil {
		return u.typeOf(d)
	}
	if pkg.Path == "unsafe" && e.Sel.Name == "Pointer" {
		return types.Typ[types.UnsafePointer]
	}
	return u.unresolved(&Missing{Reason: "type " + e.Sel.Name + " is not declared in package " + pkg.Path, Pos: e.Pos()})
}

func (u *Universe) array(s scope, e *ast.ArrayType) types.Type {
	elem := u.resolve(s, e.Elt)
	if e.Len == nil {
		return types.NewSlice(elem)
	}
	length, ok := u.length(s, e.Len)
	if !ok {
		return u.unresolved(&Missing{Reason: "cannot evaluate the array length " + types.ExprString(e.Len), Pos: e.Len.Pos()})
	}
	return types.NewArray(elem, length)
}

func (u *Universe) structType(s scope, e *ast.StructType) types.Type {
	var fields []*types.Var
	var tags []string
	seen := map[string]bool{}
	for _, field := range e.Fields.List {
		tag := ""
		if field.Tag != nil {
			tag, _ = strconv.Unquote(field.Tag.Value)
		}
		typ := u.resolve(s, field.Type)
		names := field.Names
		if len(names) == 0 {
			names = []*ast.Ident{{Name: EmbeddedName(field.Type), NamePos: field.Type.Pos()}}
		}
		for _, name := range names {
			if seen[name.Name] && name.Name != "_" {
				continue // the compiler reports it
			}
			seen[name.Name] = true
			v := types.NewField(name.Pos(), s.pkg.typed, name.Name, typ, len(field.Names) == 0)
			u.fields[v] = field
			fields, tags = append(fields, v), append(tags, tag)
		}
	}
	return types.NewStruct(fields, tags)
}

// EmbeddedName returns the name of the field for an embedded type; "_" if the expression cannot be embedded.
func EmbeddedName(expr ast.Expr) string {
	switch e := ast.Unparen(expr).(type) {
	case *ast.StarExpr:
		return EmbeddedName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	case *ast.IndexExpr:
		return EmbeddedName(e.X)
	case *ast.IndexListExpr:
		return EmbeddedName(e.X)
	}
	return "_"
}

func (u *Universe) interfaceType(s scope, e *ast.InterfaceType) types.Type {
	var methods []*types.Func
	var embedded []types.Type
	for _, field := range e.Methods.List {
		f, isMethod := field.Type.(*ast.FuncType)
		if !isMethod {
			typ := u.resolve(s, field.Type)
			if missing, ok := u.Underlying(typ).(*Missing); ok {
				return u.unresolved(missing)
			}
			embedded = append(embedded, typ)
			continue
		}
		for _, name := range field.Names {
			methods = append(methods, types.NewFunc(name.Pos(), s.pkg.typed, name.Name, u.signature(s, f)))
		}
	}
	return types.NewInterfaceType(methods, embedded).Complete()
}

func (u *Universe) signature(s scope, e *ast.FuncType) *types.Signature {
	params, variadic := u.tuple(s, e.Params)
	results, _ := u.tuple(s, e.Results)
	return types.NewSignatureType(nil, nil, nil, params, results, variadic)
}

func (u *Universe) tuple(s scope, list *ast.FieldList) (tuple *types.Tuple, variadic bool) {
	if list == nil {
		return nil, false
	}
	var vars []*types.Var
	for _, field := range list.List {
		_, variadic = field.Type.(*ast.Ellipsis)
		typ := u.resolve(s, field.Type)
		for range max(1, len(field.Names)) {
			vars = append(vars, types.NewParam(field.Pos(), s.pkg.typed, "", typ))
		}
	}
	return types.NewTuple(vars...), variadic
}

// instance returns a generic type with its arguments.
func (u *Universe) instance(s scope, generic ast.Expr, args ...ast.Expr) types.Type {
	base := u.name(s, generic)
	if u.Missing(base) != nil {
		return base
	}
	origin, ok := base.(*types.Named)
	if !ok || origin.TypeParams().Len() != len(args) {
		return u.unresolved(&Missing{Reason: types.ExprString(generic) + " is not generic or has different type parameters", Pos: generic.Pos()})
	}
	if missing, ok := u.Underlying(origin).(*Missing); ok {
		return u.unresolved(missing)
	}
	targs := lists.Map(args, func(arg ast.Expr) types.Type { return u.resolve(s, arg) })
	instance, err := types.Instantiate(nil, origin, targs, false)
	if err != nil {
		return u.unresolved(&Missing{Reason: err.Error(), Pos: generic.Pos()})
	}
	return instance
}
