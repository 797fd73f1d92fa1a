package resolve

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
)

// copyForm is what a DeepCopy returns.
type copyForm int

const (
	noCopy copyForm = iota
	copyValue
	copyPointer
)

// copyMethods are the methods of a type that make deep copies.
type copyMethods struct {
	into bool
	copy copyForm
	// generated tells that they are ours, of this run, so that they do nothing that is not known.
	generated bool
}

func (m copyMethods) any() bool { return m.into || m.copy != noCopy }

// methodsOf returns the methods that a type has, or will have once this run is over. Methods that an embedded type
// lends do not count: they copy no more than that.
func (d *deepCopies) methodsOf(decl *gotype.Decl) copyMethods {
	m := d.byHand(decl)
	wish := d.wishes[decl]
	if wish == nil {
		return m
	}
	m.generated = !m.any()
	m.into = true
	if m.copy == noCopy {
		m.copy = copyPointer
		if wish.reference {
			m.copy = copyValue
		}
	}
	return m
}

// byHand returns the methods that stand in other files than the one that this run makes anew.
func (d *deepCopies) byHand(decl *gotype.Decl) copyMethods {
	known, ok := d.methods[decl]
	if ok {
		return known
	}
	var except []string
	if d.remade[decl.Package] {
		except = append(except, deepCopyFile)
	}
	if into, declared := decl.Method("DeepCopyInto", except...); declared {
		known.into = d.checkInto(decl, into)
	}
	if dc, declared := decl.Method("DeepCopy", except...); declared {
		known.copy = d.checkCopy(decl, dc)
	}
	d.methods[decl] = known
	return known
}

// checkInto tells whether a method has the form func (T or *T) DeepCopyInto(*T).
func (d *deepCopies) checkInto(decl *gotype.Decl, m gotype.Method) bool {
	params := m.Type.Params
	if m.Type.Results.NumFields() == 0 && params.NumFields() == 1 {
		if star, ok := ast.Unparen(params.List[0].Type).(*ast.StarExpr); ok && names(star.X, decl.Name()) {
			return true
		}
	}
	d.badForm(decl, m, "func (*"+decl.Name()+") DeepCopyInto(*"+decl.Name()+")")
	return false
}

// checkCopy tells what a method returns that has the form func (T) DeepCopy() T or func (*T) DeepCopy() *T.
func (d *deepCopies) checkCopy(decl *gotype.Decl, m gotype.Method) copyForm {
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
	d.badForm(decl, m, "func (*"+decl.Name()+") DeepCopy() *"+decl.Name())
	return noCopy
}

// names tells whether an expression is a type of this name, with type parameters or without.
func names(expr ast.Expr, name string) bool {
	switch e := ast.Unparen(expr).(type) {
	case *ast.IndexExpr:
		expr = e.X
	case *ast.IndexListExpr:
		expr = e.X
	}
	return isIdent(expr, name)
}

// badForm reports a method of a form that generated code cannot call, as far as it is the user's.
func (d *deepCopies) badForm(decl *gotype.Decl, m gotype.Method, want string) {
	if !inMainModule(decl.Package.Package) {
		return // the type is copied as if it had none
	}
	pos := token.Position{Filename: m.File.Name}
	if m.Pos.IsValid() {
		pos = d.universe.Fset.Position(m.Pos)
	}
	d.diags.AddHint(pos, "it has to be "+want, "method %s of type %s has a form that deep copies cannot use", m.Name, decl.Name())
}

// checkImplements reports a type that lacks methods of an interface which its copies are to be returned as.
func (c *copier) checkImplements(wish *copyWish, want interfaceWish) {
	own := map[string]bool{"DeepCopy": true, "DeepCopyInto": true}
	for _, i := range wish.interfaces {
		own["DeepCopy"+i.name] = true
	}
	if !c.addMethods(own, c.universe.Type(wish.decl.Decl), 0) {
		return
	}
	var missing []string
	for _, name := range want.methods {
		if !own[name] {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		hint := "declare what is missing, or remove the marker"
		if want.path+"."+want.name == runtimeObject {
			hint = "embed metav1.TypeMeta `json:\",inline\"`, or remove the marker"
		}
		c.diags.AddHint(want.tag.Pos, hint, "type %s does not implement %s.%s: it has no %s",
			wish.decl.Name(), want.pkg, want.name, strings.Join(missing, ", "))
	}
}

// addMethods adds the names of the methods of a type, and of those that it embeds. It is false if they cannot all be
// known.
func (d *deepCopies) addMethods(all map[string]bool, t types.Type, depth int) bool {
	if depth > 100 {
		return false
	}
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if decl := d.universe.Decl(types.Unalias(t)); decl != nil {
		for _, m := range decl.Methods() {
			all[m.Name] = true
		}
	}
	switch underlying := d.universe.Underlying(t).(type) {
	case *types.Struct:
		for field := range underlying.Fields() {
			if field.Embedded() && !d.addMethods(all, field.Type(), depth+1) {
				return false
			}
		}
	case *types.Interface:
		for m := range underlying.Methods() {
			all[m.Name()] = true
		}
	case *gotype.Missing:
		return false
	}
	return true
}
