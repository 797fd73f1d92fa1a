package results

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
)

// function is a function that a package registers with a scheme: a conversion or, without out, the defaults of a type. Types are Go
// expressions, in which quoted import paths stand for packages.
type function struct{ in, out string }

// String returns the function as messages name it.
func (f function) String() string {
	short := func(t string) string {
		return quotedPath().ReplaceAllStringFunc(t, func(quoted string) string { return path.Base(strings.Trim(quoted, `"`)) })
	}
	if f.out == "" {
		return "defaults of " + short(f.in)
	}
	return short(f.in) + " -> " + short(f.out)
}

var quotedPath = lazy.Regexp(`"[^"]+"`)

// packages returns the import paths in the types.
func (f function) packages() (paths []string) {
	for _, quoted := range quotedPath().FindAllString(f.in+f.out, -1) {
		paths = append(paths, strings.Trim(quoted, `"`))
	}
	return paths
}

// registered returns the functions that a file of a package registers, as far as other packages can name their types.
func (s *source) registered(pkg string) (functions []function) {
	ast.Inspect(s.file, func(node ast.Node) bool {
		call, _ := node.(*ast.CallExpr)
		if call == nil || len(call.Args) < 2 {
			return true
		}
		method, _ := call.Fun.(*ast.SelectorExpr)
		if method == nil {
			return true
		}
		f, isDefaults := function{}, method.Sel.Name == "AddTypeDefaultingFunc"
		switch {
		case isDefaults:
			f.in = s.pointee(call.Args[0], pkg)
		case method.Sel.Name == "AddGeneratedConversionFunc" || method.Sel.Name == "AddConversionFunc":
			f = function{s.pointee(call.Args[0], pkg), s.pointee(call.Args[1], pkg)}
		}
		if f.in != "" && (isDefaults || f.out != "") && !slices.Contains(functions, f) {
			functions = append(functions, f)
		}
		return true
	})
	return functions
}

// pointee returns the type that an argument of a registration points to, (*T)(nil) or &T{}; "" if others cannot name it.
func (s *source) pointee(arg ast.Expr, pkg string) string {
	var t ast.Expr
	switch a := arg.(type) {
	case *ast.CallExpr:
		if star, ok := ast.Unparen(a.Fun).(*ast.StarExpr); ok {
			t = star.X
		}
	case *ast.UnaryExpr:
		if literal, ok := a.X.(*ast.CompositeLit); ok {
			t = literal.Type
		}
	}
	if t == nil {
		return ""
	}
	return s.typeText(t, pkg)
}

// typeText returns a type with quoted import paths, which it writes into the syntax tree, or "".
func (s *source) typeText(t ast.Expr, pkg string) string {
	known := true
	ast.Inspect(t, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.SelectorExpr:
			name, _ := n.X.(*ast.Ident)
			imported := s.imported(n.X)
			if known = known && imported != ""; known {
				name.Name = strconv.Quote(imported)
			}
			return false
		case *ast.Ident:
			if types.Universe.Lookup(n.Name) == nil {
				known = known && n.IsExported()
				n.Name = strconv.Quote(pkg) + "." + n.Name
			}
		}
		return true
	})
	if !known {
		return ""
	}
	return types.ExprString(t)
}
