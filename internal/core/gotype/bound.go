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
	// Lists are the listed types. An argument must be in each of the lists.
	Lists [][]Term
	// Methods are the required methods by name. Their signatures refer to the type parameter itself.
	Methods map[string]*types.Signature
	// Unknown is set if a part of the constraint could not be evaluated.
	Unknown bool
}

// Term is a listed type. With a tilde, it stands for all types with this underlying type.
type Term struct {
	types.Type
	Tilde bool
}

// Limits of a constraint. They break cycles.
const maxLists, maxSteps = 100, 1000

// Bound returns the constraint of the i-th type parameter of a generic type. The type arguments replace the type parameters; without any,
// the constraint refers to the parameters.
func (u *Universe) Bound(d *Decl, i int, args ...types.Type) Bound {
	params := map[string]types.Type{}
	named, ok := u.typeOf(d).(*types.Named)
	if !ok {
		return Bound{Unknown: true}
	}
	for p := range named.TypeParams().TypeParams() {
		if params[p.Obj().Name()] = p; p.Index() < len(args) {
			params[p.Obj().Name()] = args[p.Index()]
		}
	}
	for _, field := range d.Spec.TypeParams.List {
		if i < len(field.Names) {
			return u.bound(scope{d.Package, d.File, params}, field.Type, new(int))
		}
		i -= len(field.Names)
	}
	return Bound{Unknown: true}
}

// Satisfies reports whether a type is known to satisfy a constraint. It does not look at methods of types that are no interfaces, and
// does not check whether values are comparable.
func (u *Universe) Satisfies(t types.Type, b Bound) bool {
	underlying := u.Underlying(t)
	_, hasMethods := underlying.(*types.Interface)
	return !b.Unknown && (len(b.Methods) == 0 || hasMethods) && !slices.ContainsFunc(b.Lists, func(list []Term) bool {
		return !slices.ContainsFunc(list, func(term Term) bool {
			return types.Identical(term.Type, t) || term.Tilde && types.Identical(term.Type, underlying)
		})
	})
}

// bound evaluates a constraint, and counts the steps.
func (u *Universe) bound(s scope, expr ast.Expr, steps *int) Bound {
	if *steps++; *steps > maxSteps {
		return Bound{Unknown: true}
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.UnaryExpr:
		typ := u.resolve(s, e.X)
		return Bound{Lists: [][]Term{{{typ, true}}}, Unknown: u.Missing(typ) != nil}
	case *ast.BinaryExpr:
		if e.Op != token.OR {
			return Bound{Unknown: true}
		}
		return union(u.bound(s, e.X, steps), u.bound(s, e.Y, steps))
	case *ast.InterfaceType:
		return u.interfaceBound(s, e, steps)
	case *ast.IndexExpr:
		return u.genericBound(s, e.X, []ast.Expr{e.Index}, steps)
	case *ast.IndexListExpr:
		return u.genericBound(s, e.X, e.Indices, steps)
	}
	return u.namedBound(s, expr, steps)
}

// union returns the constraint that the types of two others satisfy. These have no methods. One without a list allows all types.
func union(x, y Bound) Bound {
	all := Bound{Unknown: x.Unknown || y.Unknown || len(x.Lists)*len(y.Lists) > maxLists}
	if all.Unknown {
		return all
	}
	for _, a := range x.Lists {
		for _, b := range y.Lists {
			all.Lists = append(all.Lists, slices.Concat(a, b))
		}
	}
	return all
}

// namedBound evaluates the name of a constraint, or of the only allowed type.
func (u *Universe) namedBound(s scope, expr ast.Expr, steps *int) Bound {
	typ := u.resolve(s, expr)
	end := typ
	for d := u.Decl(end); d != nil; d = u.Decl(end) { // follow the chain of names
		if *steps++; *steps > maxSteps {
			return Bound{Unknown: true}
		}
		in := scope{d.Package, d.File, nil}
		if _, ok := ast.Unparen(d.Spec.Type).(*ast.InterfaceType); ok {
			return u.bound(in, d.Spec.Type, steps)
		}
		end = u.resolve(in, d.Spec.Type)
	}
	if u.Missing(end) != nil {
		return Bound{Unknown: true}
	}
	predeclared, ok := end.Underlying().(*types.Interface)
	if !ok {
		return Bound{Lists: [][]Term{{{Type: typ}}}}
	}
	all := Bound{Methods: map[string]*types.Signature{}}
	for method := range predeclared.Methods() {
		all.Methods[method.Name()] = method.Signature()
	}
	return all
}

// interfaceBound evaluates an interface: its embedded types and methods.
func (u *Universe) interfaceBound(s scope, e *ast.InterfaceType, steps *int) Bound {
	all := Bound{Methods: map[string]*types.Signature{}}
	for _, field := range e.Methods.List {
		if f, isMethod := field.Type.(*ast.FuncType); isMethod {
			for _, name := range field.Names {
				all.Methods[name.Name] = u.signature(s, f)
			}
			continue
		}
		embedded := u.bound(s, field.Type, steps)
		all.Lists = append(all.Lists, embedded.Lists...)
		all.Unknown = all.Unknown || embedded.Unknown || len(all.Lists) > maxLists
		maps.Copy(all.Methods, embedded.Methods)
	}
	return all
}

// genericBound evaluates a generic constraint with its arguments.
func (u *Universe) genericBound(s scope, generic ast.Expr, args []ast.Expr, steps *int) Bound {
	d := u.Decl(u.name(s, generic))
	if d == nil || d.Spec.TypeParams == nil || d.Spec.TypeParams.NumFields() != len(args) {
		return Bound{Unknown: true}
	}
	params := map[string]types.Type{}
	for _, field := range d.Spec.TypeParams.List {
		for _, name := range field.Names {
			params[name.Name] = u.resolve(s, args[len(params)])
		}
	}
	return u.bound(scope{d.Package, d.File, params}, d.Spec.Type, steps)
}
