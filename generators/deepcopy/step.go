package deepcopy

import (
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// expr is a Go expression for a variable: a name, perhaps with stars before it, and with fields and indices behind it.
type expr string

// Operand returns the expression in a form that a selector or an index can follow.
func (e expr) Operand() expr {
	if strings.HasPrefix(string(e), "*") {
		return "(" + e + ")"
	}
	return e
}

// Address returns a pointer to the variable.
func (e expr) Address() expr {
	if pointer, ok := strings.CutPrefix(string(e), "*"); ok {
		return expr(pointer)
	}
	return "&" + e
}

// Method returns a method of the variable, or of the pointer to it.
func (e expr) Method(name string) expr { return e.Field(name) }

// Field returns a field of the variable. Go dereferences one pointer implicitly.
func (e expr) Field(name string) expr {
	pointer := expr(strings.TrimPrefix(string(e), "*"))
	return pointer.Operand() + "." + expr(name)
}

// At returns an element of the variable.
func (e expr) At(index expr) expr { return e.Operand() + "[" + index + "]" }

// step is the code that copies one variable to another.
type step struct {
	*model.Copy
	In, Out expr
	// shallow is true if Out has been assigned already. Otherwise it is a new variable, or will be overwritten.
	shallow bool
	depth   int
	suffix  string
}

// AssignsFirst reports whether the code begins with an assignment.
func (s step) AssignsFirst() bool {
	return !s.shallow && (s.Op == model.CopyAssign || s.Op == model.CopyStruct || s.Op == model.CopyArray)
}

// CopiesAll reports whether the elements of a slice can be copied all at once.
func (s step) CopiesAll() bool { return s.Op == model.CopySlice && s.Elem.Assigns() }

// local returns the name of a variable that belongs to the code of this step.
func (s step) local(name string) expr {
	if s.depth > 0 {
		name += strconv.Itoa(s.depth + 1)
	}
	return expr(name + s.suffix)
}

// Index returns the variable that counts the elements of a slice or an array.
func (s step) Index() expr { return s.local(model.CopyIndex) }

// Key returns the variable that holds the keys of a map.
func (s step) Key() expr { return s.local(model.CopyKey) }

// Value returns the variable that holds the values of a map.
func (s step) Value() expr { return s.local(model.CopyValue) }

// Entry returns the variable that holds copies of these.
func (s step) Entry() expr { return s.local(model.CopyEntry) }

// inner returns the code for a part of the variable.
func (s step) inner(c *model.Copy, in, out expr, shallow bool) step {
	return step{Copy: c, In: in, Out: out, shallow: shallow, depth: s.depth, suffix: s.suffix}
}

// Pointed returns the code for the target of a pointer.
func (s step) Pointed() step { return s.inner(s.Elem, "*"+s.In, "*"+s.Out, false) }

// Steps returns the code for the fields of a struct.
func (s step) Steps() []step {
	steps := make([]step, len(s.Fields))
	for i, field := range s.Fields {
		steps[i] = s.inner(field.Copy, s.In.Field(field.Name), s.Out.Field(field.Name), true)
	}
	return steps
}

// Element returns the code for an element of a slice or an array.
func (s step) Element() step {
	element := s.inner(s.Elem, s.In.At(s.Index()), s.Out.At(s.Index()), s.Op == model.CopyArray)
	element.depth++
	return element
}

// Direct returns the code for a value of a map if that takes one assignment; else nil.
func (s step) Direct() *step {
	if s.Elem.Nilable || s.Elem.Op != model.CopyAssign && s.Elem.Op != model.CopyCall && s.Elem.Op != model.CopyCallPointer {
		return nil
	}
	direct := s.inner(s.Elem, s.Value(), s.Out.At(s.Key()), false)
	return &direct
}

// EntryStep returns the code that copies a value of a map into a variable.
func (s step) EntryStep() step {
	entry := s.inner(s.Elem, s.Value(), s.Entry(), s.ElemType == "")
	entry.depth++
	return entry
}
