package deepcopy

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// exist reports whether a type has deep copy methods.
func exist(m model.CopyMethodSet) bool { return m.Into || m.Value || m.Pointer }

// methodTable knows which types have deep copy methods, or get them when their package is generated.
type methodTable struct {
	universe *gotype.Universe
	diags    *diag.List
	// requests are the types for which methods are generated, in packages of the run and in others.
	requests map[*gotype.Decl]*request
	// remade has the files of packages that are rewritten or removed when the package is generated. Their declarations do not count.
	remade map[*gotype.Package][]string
	// read are the packages whose requests are known. readPackage adds the requests of another package of the main module; it is nil if
	// the methods on disk count.
	read        map[*gotype.Package]bool
	readPackage func(*gotype.Package)
	// known caches the methods in files that stay.
	known map[*gotype.Decl]model.CopyMethodSet
}

func newMethodTable(universe *gotype.Universe, diags *diag.List) *methodTable {
	return &methodTable{
		universe: universe, diags: diags,
		requests: map[*gotype.Decl]*request{}, remade: map[*gotype.Package][]string{}, read: map[*gotype.Package]bool{},
		known: map[*gotype.Decl]model.CopyMethodSet{},
	}
}

// requestOf returns the methods that are generated for a type, in this run or when its package is generated; nil if there are none.
func (t *methodTable) requestOf(decl *gotype.Decl) *request {
	if pkg := decl.Package; t.readPackage != nil && pkg.InMainModule() && !t.read[pkg] {
		t.read[pkg] = true
		t.readPackage(pkg)
	}
	return t.requests[decl]
}

// metav1Embedded are the names of embedded types without a method DeepCopyObject. They need not be loaded.
var metav1Embedded = []string{"TypeMeta", "ObjectMeta", "ListMeta"}

// embedsMore reports whether a struct embeds other types than these. It is true for nil, which means that the type is unknown or
// not a struct.
func embedsMore(structType *ast.StructType) bool {
	return structType == nil || gotype.EmbedsOther(structType, metav1Embedded...)
}

// promotes reports whether a type has a method with this name, including generated and promoted methods. It is true if this is unknown.
// Only methods that are not for deep copies can come from embedded types of metav1.
func (t *methodTable) promotes(decl *gotype.Decl, method string, depth int) bool {
	if depth > 100 {
		return true
	}
	named := func(i interfaceRequest) bool { return "DeepCopy"+i.name == method }
	if req := t.requestOf(decl); req != nil && slices.ContainsFunc(req.interfaces, named) {
		return true
	}
	if _, declared := decl.Method(method, t.remade[decl.Package]...); declared {
		return true
	}
	isCopy := strings.HasPrefix(method, "DeepCopy")
	if isCopy && !embedsMore(t.universe.Struct(decl)) {
		return false
	}
	switch underlying := t.universe.Underlying(t.universe.Type(decl)).(type) {
	case *gotype.Missing:
		return true
	case *types.Struct:
		for field := range underlying.Fields() {
			skipped := isCopy && slices.Contains(metav1Embedded, field.Name())
			if field.Embedded() && !skipped && t.typePromotes(field.Type(), method, depth+1) {
				return true
			}
		}
	}
	return false
}

// typePromotes is like promotes, for the type of an embedded field.
func (t *methodTable) typePromotes(embedded types.Type, method string, depth int) bool {
	embedded = gotype.Pointee(embedded)
	switch underlying := t.universe.Underlying(embedded).(type) {
	case *gotype.Missing:
		return true
	case *types.Interface:
		return slices.ContainsFunc(slices.Collect(underlying.Methods()), func(m *types.Func) bool { return m.Name() == method })
	}
	decl := t.universe.Decl(embedded)
	return decl != nil && t.promotes(decl, method, depth)
}

// of returns the methods of a type or, if its package is generated, the methods that it gets. Promoted methods do not count: they copy
// only the embedded field.
func (t *methodTable) of(decl *gotype.Decl) model.CopyMethodSet {
	request := t.requestOf(decl)
	m := t.kept(decl)
	if request != nil {
		m.Into = true
		if !m.Value && !m.Pointer {
			m.Value, m.Pointer = request.reference, !request.reference
		}
	}
	return m
}

// kept returns the methods in files that are neither rewritten nor removed.
func (t *methodTable) kept(decl *gotype.Decl) model.CopyMethodSet {
	known, ok := t.known[decl]
	if ok {
		return known
	}
	except := t.remade[decl.Package]
	into, hasInto := decl.Method("DeepCopyInto", except...)
	dc, hasCopy := decl.Method("DeepCopy", except...)
	known.Into = hasInto && t.checkInto(decl, into)
	if hasCopy {
		known.Value, known.Pointer = t.checkCopy(decl, dc)
	}
	known.ByHand = known.Into && isHandwritten(into) || (known.Value || known.Pointer) && isHandwritten(dc)
	t.known[decl] = known
	return known
}

// isHandwritten reports whether a method is in a handwritten file. Not all generated files are parsed.
func isHandwritten(m gotype.Method) bool { return m.File.File != nil && !ast.IsGenerated(m.File.File) }

// checkInto reports whether a method has the form func (T or *T) DeepCopyInto(*T).
func (t *methodTable) checkInto(decl *gotype.Decl, m gotype.Method) bool {
	if params := m.Type.Params; m.Type.Results.NumFields() == 0 && params.NumFields() == 1 {
		if star, ok := ast.Unparen(params.List[0].Type).(*ast.StarExpr); ok && names(star.X, decl.Name()) {
			return true
		}
	}
	t.badForm(decl, m, "func (*"+decl.Name()+") DeepCopyInto(*"+decl.Name()+")")
	return false
}

// checkCopy reports whether a method is func (T) DeepCopy() T or func (*T) DeepCopy() *T.
func (t *methodTable) checkCopy(decl *gotype.Decl, m gotype.Method) (value, pointer bool) {
	if m.Type.Params.NumFields() == 0 && m.Type.Results.NumFields() == 1 {
		result := ast.Unparen(m.Type.Results.List[0].Type)
		star, isPointer := result.(*ast.StarExpr)
		value = names(result, decl.Name()) && !m.Pointer
		pointer = isPointer && names(star.X, decl.Name()) && m.Pointer
		if value || pointer {
			return value, pointer
		}
	}
	t.badForm(decl, m, "func (*"+decl.Name()+") DeepCopy() *"+decl.Name())
	return false, false
}

// names reports whether an expression is the type with this name, with or without type parameters.
func names(expr ast.Expr, name string) bool {
	switch e := ast.Unparen(expr).(type) {
	case *ast.IndexExpr:
		expr = e.X
	case *ast.IndexListExpr:
		expr = e.X
	}
	return gotype.IsIdent(expr, name)
}

// badForm reports a method that generated code cannot call, unless the user cannot edit it.
func (t *methodTable) badForm(decl *gotype.Decl, m gotype.Method, want string) {
	if !decl.Package.InMainModule() {
		return // the type is copied as if it had no methods
	}
	pos := token.Position{Filename: m.File.Name}
	if m.Pos.IsValid() {
		pos = t.universe.Fset.Position(m.Pos)
	}
	t.diags.AddHint(pos, "declare "+want, "method %s of type %s has the wrong signature", m.Name, decl.Name())
}

// checkImplements reports a type that lacks methods of an interface for which DeepCopy<Name> is requested.
func (t *methodTable) checkImplements(request *request, want interfaceRequest) {
	missing := slices.DeleteFunc(slices.Clone(want.methods), func(name string) bool {
		return name == "DeepCopy" || name == "DeepCopyInto" || t.promotes(request.decl.Decl, name, 0)
	})
	if len(missing) > 0 {
		hint := "declare the missing methods, or remove the marker"
		if want.path+"."+want.name == runtimeObject {
			if hint = "embed metav1.TypeMeta `json:\",inline\"`"; want.marker.Name != marker.GenClient {
				hint += ", or remove the marker"
			}
		}
		t.diags.AddHint(want.marker.Pos, hint, "type %s does not implement %s.%s: it has no %s",
			request.decl.Name(), want.pkg, want.name, strings.Join(missing, ", "))
	}
}
