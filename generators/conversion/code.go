package conversion

import (
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// writer writes the statements of code-generator, each after a line break: blocks shadow in and out with pointers to a part, so
// that the code for a type is the same at every depth.
type writer struct {
	render.Statements
	// pointer is unsafe.Pointer as the file refers to it.
	pointer string
}

// note writes a comment.
func (w *writer) note(text string) { w.Line("// ", text, ".") }

// unsafe returns the value at an address, taken for another type.
func (w *writer) unsafe(typ, address string) string {
	return "*(*" + typ + ")(" + w.pointer + "(" + address + "))"
}

// call writes the call of a function that can fail.
func (w *writer) call(function, in, out string) {
	w.Block("if err := "+function+"("+in+", "+out+", s); err != nil", func() { w.Line("return err") })
}

// whole writes the code that converts what in points to.
func (w *writer) whole(c *model.Convert) {
	switch c.Op {
	case model.ConvertUnsafe:
		w.Line("*out = ", w.unsafe(c.Type, "in"))
	case model.ConvertStruct:
		for _, f := range c.Fields {
			w.field(f)
		}
	case model.ConvertMap:
		w.entries(c)
	case model.ConvertSlice:
		w.elements(c)
	default:
		w.pointee(c)
	}
}

// field writes the code for a field.
func (w *writer) field(f model.ConvertField) {
	in, out := "in."+f.Name, "out."+f.Name
	switch f.Op {
	case model.ConvertNothing:
		w.note(f.Note)
	case model.ConvertAssign:
		w.Line(out, " = ", in)
	case model.ConvertCast:
		w.Line(out, " = ", f.Type, "(", in, ")")
	case model.ConvertUnsafePointer:
		w.Line(out, " = (", f.Type, ")(", w.pointer, "(", in, "))")
	case model.ConvertUnsafe:
		w.Line(out, " = ", w.unsafe(f.Type, "&"+in))
	case model.ConvertCall:
		w.call(f.Func, "&"+in, "&"+out)
	default:
		w.Block("if "+in+" != nil", func() {
			w.Line("in, out := &", in, ", &", out)
			w.whole(f.Convert)
		})
		w.Else(func() { w.Line(out, " = nil") })
	}
}

// entries writes the code for a map.
func (w *writer) entries(c *model.Convert) {
	w.Line("*out = make(", c.Type, ", len(*in))")
	if c.NoKeys {
		w.Block("for range *in", func() { w.note(c.Note) })
		return
	}
	entry := "(*out)[key]"
	if c.Key != "" {
		entry = "(*out)[" + c.Key + "(key)]"
	}
	w.Block("for key, val := range *in", func() {
		switch c.Elem.Op {
		case model.ConvertAssign:
			w.Line(entry, " = val")
			return
		case model.ConvertCast:
			w.Line(entry, " = ", c.Elem.Type, "(val)")
			return
		case model.ConvertCallPointers:
			w.Line("newVal := new(", c.Pointee, ")")
			w.Block("if val != nil", func() {
				w.Line("*newVal = new(", c.Elem.Pointee, ")")
				w.call(c.Elem.Func, "val", "*newVal")
			})
		default:
			w.Line("newVal := new(", c.Pointee, ")")
			w.call(c.Elem.Func, "&val", "newVal")
		}
		w.Line(entry, " = *newVal")
	})
}

// elements writes the code for a slice.
func (w *writer) elements(c *model.Convert) {
	w.Line("*out = make(", c.Type, ", len(*in))")
	if c.Copy {
		w.Line("copy(*out, *in)")
		return
	}
	const in, out = "(*in)[i]", "(*out)[i]"
	w.Block("for i := range *in", func() {
		switch c.Elem.Op {
		case model.ConvertAssign:
			w.Line(out, " = ", in)
		case model.ConvertCast:
			w.Line(out, " = ", c.Elem.Type, "(", in, ")")
		case model.ConvertCallPointers:
			w.Block("if "+in+" != nil", func() {
				w.Line(out, " = new(", c.Elem.Pointee, ")")
				w.call(c.Elem.Func, in, out)
			})
		default:
			w.call(c.Elem.Func, "&"+in, "&"+out)
		}
	})
}

// pointee writes the code for what a pointer points to.
func (w *writer) pointee(c *model.Convert) {
	w.Line("*out = new(", c.Type, ")")
	switch c.Elem.Op {
	case model.ConvertAssign:
		w.Line("**out = **in")
	case model.ConvertCast:
		w.Line("**out = ", c.Elem.Type, "(**in)")
	default:
		w.call(c.Elem.Func, "*in", "*out")
	}
}

// value writes the code that reads a field from the parameters of a URL.
func (w *writer) value(f model.FromValues) {
	out := "out." + f.Name
	if f.Parameter == "" || f.Read == nil && !f.First && f.Zero == "" {
		w.note(f.Note)
		return
	}
	w.Block(`if values, ok := map[string][]string(*in)["`+f.Parameter+`"]; ok && len(values) > 0`, func() {
		switch {
		case f.First:
			w.Line(out, " = values[0]")
		case f.Read == nil:
			w.note(f.Note)
		case f.Read.Op == model.ConvertCall:
			w.call(f.Read.Func, "&values", "&"+out)
		default:
			w.Line(out, " = ", w.unsafe(f.Read.Type, "&values"))
		}
	})
	w.Else(func() {
		if f.Zero != "" {
			w.Line(out, " = ", f.Zero)
		}
	})
}
