package conversion

import (
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// writer writes the statements of code-generator, each after a line break: blocks shadow in and out with pointers to a part, so
// that the code for a type is the same at every depth.
type writer struct {
	strings.Builder
	indent string
	// pointer is unsafe.Pointer as the file refers to it.
	pointer string
}

// line writes a line.
func (w *writer) line(parts ...string) {
	w.WriteString("\n")
	w.WriteString(w.indent)
	for _, part := range parts {
		w.WriteString(part)
	}
}

// block writes a block with its head.
func (w *writer) block(head string, body func()) {
	w.line(head, " {")
	w.indent += "\t"
	body()
	w.indent = w.indent[1:]
	w.line("}")
}

// note writes a comment.
func (w *writer) note(text string) { w.line("// ", text, ".") }

// unsafe returns the value at an address, taken for another type.
func (w *writer) unsafe(typ, address string) string {
	return "*(*" + typ + ")(" + w.pointer + "(" + address + "))"
}

// call writes the call of a function that can fail.
func (w *writer) call(function, in, out string) {
	w.block("if err := "+function+"("+in+", "+out+", s); err != nil", func() { w.line("return err") })
}

// whole writes the code that converts what in points to.
func (w *writer) whole(c *model.Convert) {
	switch c.Op {
	case model.ConvertUnsafe:
		w.line("*out = ", w.unsafe(c.Type, "in"))
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
		w.line(out, " = ", in)
	case model.ConvertCast:
		w.line(out, " = ", f.Type, "(", in, ")")
	case model.ConvertUnsafePointer:
		w.line(out, " = (", f.Type, ")(", w.pointer, "(", in, "))")
	case model.ConvertUnsafe:
		w.line(out, " = ", w.unsafe(f.Type, "&"+in))
	case model.ConvertCall:
		w.call(f.Func, "&"+in, "&"+out)
	default:
		w.block("if "+in+" != nil", func() {
			w.line("in, out := &", in, ", &", out)
			w.whole(f.Convert)
		})
		w.WriteString(" else {")
		w.line("\t", out, " = nil")
		w.line("}")
	}
}

// entries writes the code for a map.
func (w *writer) entries(c *model.Convert) {
	w.line("*out = make(", c.Type, ", len(*in))")
	if c.NoKeys {
		w.block("for range *in", func() { w.note(c.Note) })
		return
	}
	entry := "(*out)[key]"
	if c.Key != "" {
		entry = "(*out)[" + c.Key + "(key)]"
	}
	w.block("for key, val := range *in", func() {
		switch c.Elem.Op {
		case model.ConvertAssign:
			w.line(entry, " = val")
			return
		case model.ConvertCast:
			w.line(entry, " = ", c.Elem.Type, "(val)")
			return
		case model.ConvertCallPointers:
			w.line("newVal := new(", c.Pointee, ")")
			w.block("if val != nil", func() {
				w.line("*newVal = new(", c.Elem.Pointee, ")")
				w.call(c.Elem.Func, "val", "*newVal")
			})
		default:
			w.line("newVal := new(", c.Pointee, ")")
			w.call(c.Elem.Func, "&val", "newVal")
		}
		w.line(entry, " = *newVal")
	})
}

// elements writes the code for a slice.
func (w *writer) elements(c *model.Convert) {
	w.line("*out = make(", c.Type, ", len(*in))")
	if c.Copy {
		w.line("copy(*out, *in)")
		return
	}
	const in, out = "(*in)[i]", "(*out)[i]"
	w.block("for i := range *in", func() {
		switch c.Elem.Op {
		case model.ConvertAssign:
			w.line(out, " = ", in)
		case model.ConvertCast:
			w.line(out, " = ", c.Elem.Type, "(", in, ")")
		case model.ConvertCallPointers:
			w.block("if "+in+" != nil", func() {
				w.line(out, " = new(", c.Elem.Pointee, ")")
				w.call(c.Elem.Func, in, out)
			})
		default:
			w.call(c.Elem.Func, "&"+in, "&"+out)
		}
	})
}

// pointee writes the code for what a pointer points to.
func (w *writer) pointee(c *model.Convert) {
	w.line("*out = new(", c.Type, ")")
	switch c.Elem.Op {
	case model.ConvertAssign:
		w.line("**out = **in")
	case model.ConvertCast:
		w.line("**out = ", c.Elem.Type, "(**in)")
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
	w.block(`if values, ok := map[string][]string(*in)["`+f.Parameter+`"]; ok && len(values) > 0`, func() {
		switch {
		case f.First:
			w.line(out, " = values[0]")
		case f.Read == nil:
			w.note(f.Note)
		case f.Read.Op == model.ConvertCall:
			w.call(f.Read.Func, "&values", "&"+out)
		default:
			w.line(out, " = ", w.unsafe(f.Read.Type, "&values"))
		}
	})
	w.WriteString(" else {")
	if f.Zero == "" {
		w.indent += "\t"
		w.note("out." + f.Name + " stays as it is")
		w.indent = w.indent[1:]
	} else {
		w.line("\t", out, " = ", f.Zero)
	}
	w.line("}")
}
