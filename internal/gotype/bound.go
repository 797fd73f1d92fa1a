package gotype

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// Bound is the evaluated constraint of a type parameter.
type Bound struct {
	// Terms are the listed types, with or without a tilde; nil if it lists none.
	Terms []types.Type
	// Methods are the required methods by name. Their signatures refer to the type parameter itself.
	Methods map[string]*types.Signature
}

// Bound returns the constraint of the i-th type parameter of a generic type.
func (u *Universe) Bound(d *Decl, i int) Bound {
	params := map[string]types.Type{}
	named, ok := u.Type(d).(*types.Named)
	if !ok {
		return Bound{}
	}
	for p := range named.TypeParams().TypeParams() {
		params[p.Obj().Name()] = p
	}
	for _, field := range d.Spec.TypeParams.List {
		if i < len(field.Names) {
			return u.bound(scope{d.Package, d.File, params}, field.Type, 0)
		}
		i -= len(field.Names)
	}
	return Bound{}
}

// bound evaluates a constraint; depth breaks cycles.
func (u *Universe) bound(s scope, expr ast.Expr, depth int) Bound {
	if depth > 100 {
		return Bound{}
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.UnaryExpr:
		return Bound{Terms: []types.Type{u.resolve(s, e.X)}}
	case *ast.BinaryExpr:
		x, y := u.bound(s, e.X, depth+1), u.bound(s, e.Y, depth+1)
		if e.Op != token.OR || x.Terms == nil || y.Terms == nil {
			return Bound{}
		}
		return Bound{Terms: append(slices.Clip(x.Terms), y.Terms...)}
	case *ast.InterfaceType:
		return u.interfaceBound(s, e, depth)
	case *ast.IndexExpr:
		return u.genericBound(s, e.X, []ast.Expr{e.Index}, depth)
	case *ast.IndexListExpr:
		return u.genericBound(s, e.X, e.Indices, depth)
	}
	return u.namedBound(s, expr, depth)
}

// namedBound evaluates the name of a constraint, or of the only allowed type.
func (u *Universe) namedBound(s scope, expr ast.Expr, depth int) Bound {
	typ := u.resolve(s, expr)
	if basic, ok := typ.(*types.Basic); ok {
		return Bound{Terms: []types.Type{basic}}
	}
	d := u.Decl(typ)
	if d == nil {
		return Bound{} // any or comparable
	}
	for end := d; end != nil; depth++ { // follow the chain of names
		if depth > 100 {
			return Bound{}
		}
		if _, ok := ast.Unparen(end.Spec.Type).(*ast.InterfaceType); ok {
			return u.bound(scope{end.Package, end.File, nil}, end.Spec.Type, depth+1)
		}
		end = u.Decl(u.resolve(scope{end.Package, end.File, nil}, end.Spec.Type))
	}
	return Bound{Terms: []types.Type{typ}}
}

// interfaceBound evaluates an interface: its embedded types and methods.
func (u *Universe) interfaceBound(s scope, e *ast.InterfaceType, depth int) Bound {
	all := Bound{Methods: map[string]*types.Signature{}}
	for _, field := range e.Methods.List {
		if f, isMethod := field.Type.(*ast.FuncType); isMethod {
			for _, name := range field.Names {
				all.Methods[name.Name] = u.signature(s, f)
			}
			continue
		}
		embedded := u.bound(s, field.Type, depth+1)
		if all.Terms == nil {
			all.Terms = embedded.Terms // a superset: only the intersection of all lists is allowed
		}
		maps.Copy(all.Methods, embedded.Methods)
	}
	return all
}

// genericBound evaluates a generic constraint with its arguments.
func (u *Universe) genericBound(s scope, generic ast.Expr, args []ast.Expr, depth int) Bound {
	d := u.Decl(u.name(s, generic))
	if d == nil || d.Spec.TypeParams == nil || d.Spec.TypeParams.NumFields() != len(args) {
		return Bound{}
	}
	params := map[string]types.Type{}
	for _, field := range d.Spec.TypeParams.List {
		for _, name := range field.Names {
			params[name.Name] = u.resolve(s, args[len(params)])
		}
	}
	return u.bound(scope{d.Package, d.File, params}, d.Spec.Type, depth+1)
}
