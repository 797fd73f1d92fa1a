package deepcopy

import (
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// writer writes statements, formatted as part of the body of a function. Each begins with a line break. The statements are those of
// code-generator: blocks shadow in and out with pointers to a part, so that the code for a type is the same at every depth. They are not
// written by the template because they nest: a template that included itself took a third of the time of all templates, and gofmt had to
// indent the result.
type writer struct {
	render.Statements

	// These are the names of parameters and variables.
	in, out, index, key, value, outValue, x, clone string
}

// newWriter returns a writer for names with a suffix, which keeps them from shadowing types of the package.
func newWriter(suffix string) *writer {
	return &writer{
		Statements: render.Statements{Indent: "\t"},
		in:         "in" + suffix, out: "out" + suffix, index: "i" + suffix, key: "key" + suffix, value: "val" + suffix,
		outValue: "outVal" + suffix, x: "x" + suffix, clone: "clone" + suffix,
	}
}

// shadow has in and out point to a part, and copies that.
func (w *writer) shadow(in, out string, c *model.Copy) func() {
	return func() {
		w.Line(w.in, ", ", w.out, " := ", in, ", ", out)
		w.copy(c)
	}
}

// at returns an element of the value that a pointer points to.
func at(pointer, index string) string { return "(*" + pointer + ")[" + index + "]" }

// nilable reports whether values are copied only if they are not nil.
func nilable(c *model.Copy) bool {
	return c.Op == model.CopyPointer || c.Op == model.CopySlice || c.Op == model.CopyMap
}

// copy writes the code that copies the value that in points to. The code for a slice, a map or a pointer expects that it is not nil.
func (w *writer) copy(c *model.Copy) {
	switch c.Op {
	case model.CopyAssign:
		w.Line("*", w.out, " = *", w.in)
	case model.CopyMethods:
		w.methods(c.Methods)
	case model.CopyCall:
		w.Block("if *"+w.in+" != nil", func() { w.Line("*", w.out, " = (*", w.in, ").", c.Call, "()") })
	case model.CopyHelp:
		w.Line(c.Call, "(", w.in, ", ", w.out, ")")
	case model.CopyPointer:
		w.pointer(c)
	case model.CopySlice:
		w.Line("*", w.out, " = make(", c.Type, ", len(*", w.in, "))")
		if c.Elem.Op == model.CopyAssign {
			w.Line("copy(*", w.out, ", *", w.in, ")")
		} else {
			w.parts(c)
		}
	case model.CopyMap:
		w.Line("*", w.out, " = make(", c.Type, ", len(*", w.in, "))")
		w.Block("for "+w.key+", "+w.value+" := range *"+w.in, func() { w.entry(c) })
	case model.CopyArray, model.CopyStruct:
		w.Line("*", w.out, " = *", w.in)
		w.parts(c)
	}
}

// methods writes the code that calls the methods of the type itself.
func (w *writer) methods(m model.CopyMethodSet) {
	switch {
	case m.Value:
		w.Line("*", w.out, " = ", w.in, ".DeepCopy()")
	case m.Pointer:
		w.Line(w.clone, " := ", w.in, ".DeepCopy()")
		w.Line("*", w.out, " = *", w.clone)
	default:
		w.Line(w.in, ".DeepCopyInto(", w.out, ")")
	}
}

// pointer writes the code for a pointer. A handwritten DeepCopy allocates.
func (w *writer) pointer(c *model.Copy) {
	m, elem := c.Elem.Methods, c.Elem
	switch {
	case m.ByHand && m.Value:
		w.Line(w.x, " := (*", w.in, ").DeepCopy()")
		w.Line("*", w.out, " = &", w.x)
		return
	case m.ByHand && m.Pointer:
		w.Line("*", w.out, " = (*", w.in, ").DeepCopy()")
		return
	}
	w.Line("*", w.out, " = new(", c.Type, ")")
	switch {
	case elem.Op == model.CopyAssign:
		w.Line("**", w.out, " = **", w.in)
	case m.Into:
		w.Line("(*", w.in, ").DeepCopyInto(*", w.out, ")")
	case nilable(elem):
		w.Block("if **"+w.in+" != nil", w.shadow("*"+w.in, "*"+w.out, elem))
	default:
		w.Block("", w.shadow("*"+w.in, "*"+w.out, elem))
	}
}

// parts writes the code for the fields of a struct, or the elements of an array or a slice.
func (w *writer) parts(c *model.Copy) {
	if c.Op != model.CopyStruct {
		w.Block("for "+w.index+" := range *"+w.in, func() { w.element(c.Elem) })
		return
	}
	for _, f := range c.Fields {
		in, out := w.in+"."+f.Name, w.out+"."+f.Name
		switch {
		case f.Op == model.CopyAssign:
			w.Line(out, " = ", in)
		case f.Op == model.CopyStruct || f.Op == model.CopyArray: // the fields have been assigned
			w.Block("", func() {
				w.Line(w.in, ", ", w.out, " := &", in, ", &", out)
				w.parts(f.Copy)
			})
		case f.Methods.Value:
			w.Line(out, " = ", in, ".DeepCopy()")
		default:
			w.part(f.Copy, in, out)
		}
	}
}

// element writes the code for an element of a slice or an array.
func (w *writer) element(c *model.Copy) {
	in, out := at(w.in, w.index), at(w.out, w.index)
	if c.Op == model.CopyStruct || c.Op == model.CopyArray {
		w.shadow("&"+in, "&"+out, c)()
		return
	}
	w.part(c, in, out)
}

// part writes the code that copies one variable to another.
func (w *writer) part(c *model.Copy, in, out string) {
	switch {
	case nilable(c):
		w.Block("if "+in+" != nil", w.shadow("&"+in, "&"+out, c))
	case c.Op == model.CopyCall:
		w.Block("if "+in+" != nil", func() { w.Line(out, " = ", in, ".", c.Call, "()") })
	case c.Op == model.CopyHelp:
		w.Line(c.Call, "(&", in, ", &", out, ")")
	case c.Methods.Into:
		w.Line(in, ".DeepCopyInto(&", out, ")")
	case c.Methods.Value:
		w.Line(out, " = ", in, ".DeepCopy()")
	default:
		w.Line(out, " = *", in, ".DeepCopy()")
	}
}

// entry writes the code for an entry of a map.
func (w *writer) entry(c *model.Copy) {
	entry, elem := at(w.out, w.key), c.Elem
	toNil := func() {
		w.Block("if "+w.value+" == nil", func() { w.Line(entry, " = nil") })
		w.WriteString(" else ")
	}
	switch {
	case elem.Op == model.CopyAssign:
		w.Line(entry, " = ", w.value)
		return
	case elem.Methods.Value:
		w.Line(entry, " = ", w.value, ".DeepCopy()")
		return
	case elem.Methods.Pointer:
		w.Line(entry, " = *", w.value, ".DeepCopy()")
		return
	case elem.Op == model.CopyCall:
		toNil()
		w.Body(func() { w.Line(entry, " = ", w.value, ".", elem.Call, "()") })
		return
	}
	w.Line("var ", w.outValue, " ", c.ElemType)
	switch {
	case nilable(elem):
		toNil()
		w.Body(w.shadow("&"+w.value, "&"+w.outValue, elem))
	case elem.Op == model.CopyStruct || elem.Op == model.CopyArray:
		w.Block("", w.shadow("&"+w.value, "&"+w.outValue, elem))
	default:
		w.part(elem, w.value, w.outValue)
	}
	w.Line(entry, " = ", w.outValue)
}

// unformattedTypes reports whether the code names a type that gofmt would change.
func unformattedTypes(c *model.Copy) bool {
	return c != nil && (render.Unformatted(c.Type) || render.Unformatted(c.ElemType) || unformattedTypes(c.Elem) ||
		slices.ContainsFunc(c.Fields, func(f model.CopyField) bool { return unformattedTypes(f.Copy) }))
}
