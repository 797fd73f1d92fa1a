package deepcopy

import (
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// Code returns the statements of the step, formatted as the body of a function. They are written here and not in the template
// because they nest: a template that included itself took a third of the time of all templates, and gofmt had to indent the result.
func (s step) Code() string {
	var w writer
	w.step(s, "\t")
	return w.String()
}

// writer writes statements. Each begins with a line break.
type writer struct{ strings.Builder }

// line writes a line.
func (w *writer) line(indent string, parts ...expr) {
	w.WriteString("\n")
	w.WriteString(indent)
	for _, part := range parts {
		w.WriteString(string(part))
	}
}

// step writes the code of a step.
func (w *writer) step(s step, indent string) {
	if s.Nilable {
		w.line(indent, "if ", s.In, " != nil {")
		defer w.line(indent, "}")
		indent += "\t"
	}
	if s.AssignsFirst() {
		w.line(indent, s.Out, " = ", s.In)
	}
	call, typ := expr(s.Call), expr(s.Type)
	switch s.Op {
	case model.CopyAssign:
	case model.CopyInto:
		w.line(indent, s.In.Method("DeepCopyInto"), "(", s.Out.Address(), ")")
	case model.CopyCall:
		w.line(indent, s.Out, " = ", s.In.Operand(), ".", call, "()")
	case model.CopyCallPointer:
		w.line(indent, s.Out, " = *", s.In.Method(s.Call), "()")
	case model.CopyHelp:
		w.line(indent, call, "(", s.In.Address(), ", ", s.Out.Address(), ")")
	case model.CopyPointer:
		w.line(indent, s.Out, " = new(", typ, ")")
		w.step(s.Pointed(), indent)
	case model.CopyStruct:
		for _, field := range s.Steps() {
			w.step(field, indent)
		}
	case model.CopySlice:
		w.line(indent, s.Out, " = make(", typ, ", len(", s.In, "))")
		if s.CopiesAll() {
			w.line(indent, "copy(", s.Out, ", ", s.In, ")")
		} else {
			w.elements(s, indent)
		}
	case model.CopyArray:
		w.elements(s, indent)
	case model.CopyMap:
		w.line(indent, s.Out, " = make(", typ, ", len(", s.In, "))")
		w.line(indent, "for ", s.Key(), ", ", s.Value(), " := range ", s.In, " {")
		w.entry(s, indent+"\t")
		w.line(indent, "}")
	}
}

// elements writes the loop over a slice or an array.
func (w *writer) elements(s step, indent string) {
	w.line(indent, "for ", s.Index(), " := range ", s.In, " {")
	w.step(s.Element(), indent+"\t")
	w.line(indent, "}")
}

// entry writes the code that copies one entry of a map.
func (w *writer) entry(s step, indent string) {
	if direct := s.Direct(); direct != nil {
		w.step(*direct, indent)
		return
	}
	if s.ElemType != "" {
		w.line(indent, "var ", s.Entry(), " ", expr(s.ElemType))
	} else {
		w.line(indent, s.Entry(), " := ", s.Value())
	}
	w.step(s.EntryStep(), indent)
	w.line(indent, s.Out.At(s.Key()), " = ", s.Entry())
}

// unformattedTypes reports whether the code names a type that gofmt would change.
func unformattedTypes(c *model.Copy) bool {
	return c != nil && (render.Unformatted(c.Type) || render.Unformatted(c.ElemType) || unformattedTypes(c.Elem) ||
		slices.ContainsFunc(c.Fields, func(f model.CopyField) bool { return unformattedTypes(f.Copy) }))
}
