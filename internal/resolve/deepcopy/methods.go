package deepcopy

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
)

// copyForm is the form of a DeepCopy method's result.
type copyForm int

const (
	noCopy copyForm = iota
	copyValue
	copyPointer
)

// methods are the deep copy methods of a type.
type methods struct {
	into bool
	copy copyForm
	// generated is true if this program generates all of them, so that their behavior is known.
	generated bool
}

func (m methods) any() bool { return m.into || m.copy != noCopy }

// methodTable knows which types have deep copy methods, or get them when their package is generated.
type methodTable struct {
	universe *gotype.Universe
	diags    *diag.List
	// requests are the types for which methods are generated, in packages of the run and in others.
	requests map[*gotype.Decl]*request
	// remade are the packages whose generated file is rewritten or removed when the package is generated.
	remade map[*gotype.Package]bool
	// read are the packages whose requests are known. readPackage adds those of another package of the main module; it is nil if
	// the methods on disk count.
	read        map[*gotype.Package]bool
	readPackage func(*gotype.Package)
	// known caches handwritten methods.
	known map[*gotype.Decl]methods
}

func newMethodTable(universe *gotype.Universe, diags *diag.List) *methodTable {
	return &methodTable{
		universe: universe, diags: diags,
		requests: map[*gotype.Decl]*request{}, remade: map[*gotype.Package]bool{}, read: map[*gotype.Package]bool{},
		known: map[*gotype.Decl]methods{},
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

// except returns the files of a package to ignore, because they are rewritten or removed.
func (t *methodTable) except(pkg *gotype.Package) []string {
	if t.remade[pkg] {
		return []string{File, FileOf(pkg.Package)}
	}
	return nil
}

// metav1Embedded are the names of embedded types without a method DeepCopyObject. They need not be loaded.
var metav1Embedded = []string{"TypeMeta", "ObjectMeta", "ListMeta"}

// embedsMore reports whether a struct embeds other types than these. It is true for nil, which means that the type is unknown or
// not a struct.
func embedsMore(structType *ast.StructType) bool {
	return structType == nil || gotype.EmbedsOther(structType, metav1Embedded...)
}

// promotes reports whether a type has a method with this name, including generated and promoted methods. It is true if this is unknown.
// Only other methods than those for deep copies can be those of embedded types of metav1.
func (t *methodTable) promotes(decl *gotype.Decl, method string, depth int) bool {
	if depth > 100 {
		return true
	}
	named := func(i interfaceRequest) bool { return "DeepCopy"+i.name == method }
	if req := t.requestOf(decl); req != nil && slices.ContainsFunc(req.interfaces, named) {
		return true
	}
	if _, declared := decl.Method(method, t.except(decl.Package)...); declared {
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
		for m := range underlying.Methods() {
			if m.Name() == method {
				return true
			}
		}
		return false
	}
	decl := t.universe.Decl(embedded)
	return decl != nil && t.promotes(decl, method, depth)
}

// of returns the methods of a type, or those that it gets when its package is generated. Promoted methods do not count: they copy
// only the embedded field.
func (t *methodTable) of(decl *gotype.Decl) methods {
	request := t.requestOf(decl)
	m := t.byHand(decl)
	if request == nil {
		return m
	}
	m.generated = !m.any()
	m.into = true
	if m.copy == noCopy {
		m.copy = copyPointer
		if request.reference {
			m.copy = copyValue
		}
	}
	return m
}

// byHand returns the methods in files other than those that are rewritten or removed.
func (t *methodTable) byHand(decl *gotype.Decl) methods {
	known, ok := t.known[decl]
	if ok {
		return known
	}
	except := t.except(decl.Package)
	if into, declared := decl.Method("DeepCopyInto", except...); declared {
		known.into = t.checkInto(decl, into)
	}
	if dc, declared := decl.Method("DeepCopy", except...); declared {
		known.copy = t.checkCopy(decl, dc)
	}
	t.known[decl] = known
	return known
}

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

// checkCopy returns the form of a method that is func (T) DeepCopy() T or func (*T) DeepCopy() *T.
func (t *methodTable) checkCopy(decl *gotype.Decl, m gotype.Method) copyForm {
	if m.Type.Params.NumFields() == 0 && m.Type.Results.NumFields() == 1 {
		result := ast.Unparen(m.Type.Results.List[0].Type)
		star, pointer := result.(*ast.StarExpr)
		switch {
		case pointer && names(star.X, decl.Name()) && m.Pointer:
			return copyPointer
		case names(result, decl.Name()) && !m.Pointer:
			return copyValue
		}
	}
	t.badForm(decl, m, "func (*"+decl.Name()+") DeepCopy() *"+decl.Name())
	return noCopy
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
