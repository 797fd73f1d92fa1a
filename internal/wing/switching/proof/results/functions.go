package results

import (
	"go/ast"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
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

var quotedPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"[^"]+"`) })

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
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || len(call.Args) < 2 {
			return true
		}
		var f function
		switch method.Sel.Name {
		case "AddGeneratedConversionFunc", "AddConversionFunc":
			f = function{s.pointee(call.Args[0], pkg), s.pointee(call.Args[1], pkg)}
			ok = f.in != "" && f.out != ""
		case "AddTypeDefaultingFunc":
			f.in = s.pointee(call.Args[0], pkg)
			ok = f.in != ""
		default:
			return true
		}
		if ok && !slices.Contains(functions, f) {
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

// typeText returns a type with quoted import paths, or "".
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
