package gotype

import (
	"go/ast"
	"go/constant"
	"go/token"
)

// length evaluates the length of an array: literals, constants with an explicit value, and expressions of these.
func (u *Universe) length(s scope, expr ast.Expr) (int64, bool) {
	value := u.constant(s, expr, 0)
	if value.Kind() != constant.Int {
		return 0, false
	}
	n, exact := constant.Int64Val(value)
	return n, exact && n >= 0
}

// String evaluates an expression in a package: a string literal, a constant or variable with an explicit value, of any package, or
// strings that are put together. It returns false if the value is another or cannot be determined.
func (u *Universe) String(pkg *Package, expr ast.Expr) (string, bool) {
	if expr == nil {
		return "", false
	}
	value := u.constant(scope{pkg: pkg, file: pkg.fileOf(expr.Pos())}, expr, 0)
	if value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(value), true
}

// constant evaluates an expression; depth breaks cycles.
func (u *Universe) constant(s scope, expr ast.Expr, depth int) constant.Value {
	if depth > 100 {
		return constant.MakeUnknown()
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.BasicLit:
		value := constant.MakeFromLiteral(e.Value, e.Kind, 0)
		if e.Kind == token.STRING {
			return value
		}
		return constant.ToInt(value)
	case *ast.BinaryExpr:
		x, y := u.constant(s, e.X, depth+1), u.constant(s, e.Y, depth+1)
		return arithmetic(x, e.Op, y)
	case *ast.Ident:
		declaring := []*Package{s.pkg}
		for _, pkg := range u.DotImports(s.file) {
			declaring = append(declaring, pkg)
		}
		for _, pkg := range declaring {
			if pkg.Values[e.Name] != nil {
				return u.declared(pkg, e.Name, depth)
			}
		}
	case *ast.SelectorExpr:
		if pkg := u.qualified(s.file, e); pkg != nil {
			return u.declared(pkg, e.Sel.Name, depth)
		}
	}
	return constant.MakeUnknown()
}

// declared evaluates a constant of a package.
func (u *Universe) declared(pkg *Package, name string, depth int) constant.Value {
	spec := pkg.Values[name]
	if value := ValueOf(spec, name); value != nil {
		return u.constant(scope{pkg: pkg, file: pkg.fileOf(spec.Pos())}, value, depth+1)
	}
	return constant.MakeUnknown()
}

func arithmetic(x constant.Value, op token.Token, y constant.Value) constant.Value {
	integers := x.Kind() == constant.Int && y.Kind() == constant.Int
	switch {
	case op == token.ADD && x.Kind() == constant.String && y.Kind() == constant.String,
		integers && (op == token.ADD || op == token.SUB || op == token.MUL || op == token.REM && constant.Sign(y) != 0):
		return constant.BinaryOp(x, op, y)
	case integers && op == token.QUO && constant.Sign(y) != 0:
		return constant.BinaryOp(x, token.QUO_ASSIGN, y) // integer division
	case integers && (op == token.SHL || op == token.SHR):
		if by, exact := constant.Uint64Val(y); exact && by < 64 {
			return constant.Shift(x, op, uint(by))
		}
	}
	return constant.MakeUnknown()
}

// ValueOf returns the initial value of a variable or constant in a declaration; nil without one, or for a nil declaration.
func ValueOf(spec *ast.ValueSpec, name string) ast.Expr {
	if spec == nil {
		return nil
	}
	for i, ident := range spec.Names {
		if ident.Name == name && i < len(spec.Values) {
			return spec.Values[i]
		}
	}
	return nil
}
