package conversion

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
)

// structure plans the conversion of a struct.
func (p *planner) structure(pair shape.Pair) *model.Convert {
	if p.sameMemory(pair) {
		p.made.Pointer = p.names.Of("unsafe", "Pointer")
		return &model.Convert{Op: model.ConvertUnsafe, Type: p.text(pair.Out)}
	}
	plan := &model.Convert{Op: model.ConvertStruct}
	for i := range pair.In.Members() {
		in := &pair.In.Members()[i]
		if how := p.field(in, pair.Out.Member(in.Name)); how != nil {
			plan.Fields = append(plan.Fields, model.ConvertField{Name: in.Name, Convert: how})
		}
	}
	return plan
}

// sameMemory reports whether one copy of memory converts all of a struct.
func (p *planner) sameMemory(pair shape.Pair) bool {
	if !p.Target.ConvertsMemory() || !p.all.memory.Equal(pair.In, pair.Out) {
		return false
	}
	for i := range pair.In.Members() {
		in := &pair.In.Members()[i]
		out := pair.Out.Member(in.Name)
		if out == nil || p.excluded(in, pair.In) || p.hidden(in, pair.In) || p.hidden(out, pair.Out) {
			return false
		}
		if f := p.function(shape.Pair{In: in.Type, Out: out.Type}); f != nil && !f.copyOnly {
			return false
		}
	}
	return true
}

// excluded reports whether a marker excludes a field.
func (p *planner) excluded(m *shape.Member, of *shape.Type) bool {
	found, ok := p.World.Markers(m).Get(marker.ConversionGen)
	if !ok || !found.Disables() {
		return false
	}
	for _, other := range of.Members() {
		if pos := p.World.Fset.Position(other.Var.Pos()); pos.Filename == found.Pos.Filename && pos.Line == found.Pos.Line && p.isOwn(other.Var) {
			p.Diags.Warn(found.Pos, "put it on a line of its own above the field", "+%s=false at the end of the line excludes the next field, %s, "+
				"and not %s", found.Name, m.Name, other.Name)
		}
	}
	return true
}

// hidden reports whether the file cannot refer to a field of a struct.
func (p *planner) hidden(m *shape.Member, of *shape.Type) bool {
	return strings.ToLower(m.Name[:1]) == m.Name[:1] && of.Package != p.Path
}

// field plans the conversion of a field; nil if there is nothing to do.
func (p *planner) field(in, out *shape.Member) *model.Convert {
	if p.excluded(in, p.pair.In) {
		p.warnOneWay(in, out)
		return note("in." + in.Name + " is excluded")
	}
	if out == nil {
		return p.manual(in, out, "has no counterpart")
	}
	if p.hidden(in, p.pair.In) || p.hidden(out, p.pair.Out) {
		return p.manual(in, out, "is not exported")
	}
	pair := shape.Pair{In: in.Type, Out: out.Type}
	bare := shape.Pair{In: in.Type.Bare(), Out: out.Type.Bare()}
	// Memory is compared without the names of the fields' types: a function between these does not count.
	if bare.In.Kind == bare.Out.Kind && p.equalBare(pair, bare) {
		switch bare.In.Kind {
		case shape.Pointer:
			p.made.Pointer = p.names.Of("unsafe", "Pointer")
			return &model.Convert{Op: model.ConvertUnsafePointer, Type: p.text(out.Type)}
		case shape.Map, shape.Slice:
			p.made.Pointer = p.names.Of("unsafe", "Pointer")
			return &model.Convert{Op: model.ConvertUnsafe, Type: p.text(out.Type)}
		}
	}
	if f := p.function(pair); f != nil {
		if f.drop {
			return nil
		}
		if !f.copyOnly || !isFast(pair) {
			return &model.Convert{Op: model.ConvertCall, Func: p.nameOf(f)}
		}
	}
	return p.byKind(in, out, pair, bare)
}

// equalBare reports whether the types of fields have the same layout.
func (p *planner) equalBare(pair, bare shape.Pair) bool {
	if pair == bare {
		return p.all.memory.Equal(pair.In, pair.Out)
	}
	return p.all.memory.EqualBare(bare.In, bare.Out)
}

// isFast reports whether an assignment has the effect of a function for the pair.
func isFast(pair shape.Pair) bool {
	return pair.In.Bare().Kind == shape.Builtin || pair.In == pair.Out && pair.In.Kind != shape.Name
}

// byKind plans the conversion of a field whose memory differs and which no function converts.
func (p *planner) byKind(in, out *shape.Member, pair, bare shape.Pair) *model.Convert {
	field := gap{in: in.Var, out: out.Var}
	if bare.In.Kind != bare.Out.Kind {
		if found := p.inImports(pair); found != "" {
			return &model.Convert{Op: model.ConvertCall, Func: found}
		}
		return p.manual(in, out, "has another type than its counterpart, "+pair.In.Short()+" and "+pair.Out.Short())
	}
	switch bare.In.Kind {
	case shape.Builtin:
		if pair.In == pair.Out && pair.In.Kind == shape.Builtin {
			return &model.Convert{Op: model.ConvertAssign}
		}
		if !castable(bare) {
			return p.manual(in, out, "has another type than its counterpart, "+pair.In.Short()+" and "+pair.Out.Short())
		}
		p.warnNarrowed(field, bare)
		return &model.Convert{Op: model.ConvertCast, Type: p.text(pair.Out)}
	case shape.Map, shape.Slice, shape.Pointer:
		if pair.In == pair.Out && pair.In.Kind != shape.Name {
			return &model.Convert{Op: model.ConvertAssign}
		}
		return p.parts(pair, bare, field)
	}
	if pair.In == pair.Out { // upstream refuses interfaces and arrays
		return &model.Convert{Op: model.ConvertAssign}
	}
	return &model.Convert{Op: model.ConvertCall, Func: p.generated(pair, field)}
}

// generated returns the generated function for a pair or, if the package gets no such function, a function of an imported package. If
// both are missing, checkCalls reports the pair.
func (p *planner) generated(pair shape.Pair, field gap) string {
	if !p.convertible(pair) {
		if found := p.inImports(pair); found != "" {
			return found
		}
		field.reason = "it is needed for " + p.describe(field)
	} else {
		field.reason = "no function is generated for it, because " + pair.Out.Short() + " is not the peer of " + pair.In.Short()
	}
	return p.call(pair, field)
}

// parts plans the conversion of the value behind a pointer, or of the elements of a map or slice.
func (p *planner) parts(pair, bare shape.Pair, field gap) *model.Convert {
	elem := shape.Pair{In: bare.In.Elem(), Out: bare.Out.Elem()}
	switch bare.In.Kind {
	case shape.Map:
		plan := &model.Convert{Op: model.ConvertMap, Type: p.text(pair.Out)}
		keys := shape.Pair{In: bare.In.Key(), Out: bare.Out.Key()}
		if !assignable(keys) {
			plan.NoKeys, plan.Note = true, "keys of type "+keys.In.Short()+" are not converted"
			p.warn(field, "map keys of type %s cannot be converted: the map will be empty", keys.In.Short())
			return plan
		}
		if keys.In != keys.Out {
			plan.Key = p.text(keys.Out)
		}
		plan.Elem, plan.Pointee = p.element(elem, field), p.text(elem.Out)
		return plan
	case shape.Slice:
		plan := &model.Convert{Op: model.ConvertSlice, Type: p.text(pair.Out)}
		if plan.Copy = elem.In == elem.Out && elem.In.Kind == shape.Builtin; !plan.Copy {
			plan.Elem = p.element(elem, field)
		}
		return plan
	}
	plan := &model.Convert{Op: model.ConvertPointer, Type: p.text(elem.Out)}
	if assignable(elem) {
		plan.Elem = p.assigned(elem, field)
	} else if f := p.function(elem); f != nil {
		plan.Elem = &model.Convert{Op: model.ConvertCall, Func: p.nameOf(f)}
	} else {
		plan.Elem = p.other(elem, field)
	}
	return plan
}

// element plans the conversion of an element of a map or a slice.
func (p *planner) element(elem shape.Pair, field gap) *model.Convert {
	if assignable(elem) {
		return p.assigned(elem, field)
	}
	if f := p.function(elem); f != nil {
		return &model.Convert{Op: model.ConvertCall, Func: p.nameOf(f)}
	}
	if elem.In.Kind == shape.Pointer && elem.Out.Kind == shape.Pointer {
		if f := p.function(shape.Pair{In: elem.In.Elem(), Out: elem.Out.Elem()}); f != nil {
			return &model.Convert{Op: model.ConvertCallPointers, Func: p.nameOf(f), Pointee: p.text(elem.Out.Elem())}
		}
	}
	return p.other(elem, field)
}

// other plans the conversion of elements that nothing handwritten converts. Elements of one type are assigned, for which upstream writes
// code that does not compile.
func (p *planner) other(elem shape.Pair, field gap) *model.Convert {
	if elem.In == elem.Out {
		return &model.Convert{Op: model.ConvertAssign}
	}
	return &model.Convert{Op: model.ConvertCall, Func: p.generated(elem, field)}
}

// assigned plans the assignment of an element.
func (p *planner) assigned(elem shape.Pair, field gap) *model.Convert {
	if elem.In == elem.Out {
		return &model.Convert{Op: model.ConvertAssign}
	}
	p.warnNarrowed(field, shape.Pair{In: elem.In.Bare(), Out: elem.Out.Bare()})
	return &model.Convert{Op: model.ConvertCast, Type: p.text(elem.Out)}
}

// assignable reports whether elements are assigned, with a conversion if their types differ. Upstream tries that for any other type, and
// writes what does not compile.
func assignable(elem shape.Pair) bool {
	if elem.In.Primitive() {
		return elem.Out.Primitive() && castable(shape.Pair{In: elem.In.Bare(), Out: elem.Out.Bare()})
	}
	return elem.In.Assignable() && elem.In.Package == elem.Out.Package && elem.In == elem.Out
}

// castable reports whether Go converts a builtin type to another and keeps the meaning: numbers to numbers, others to their like.
func castable(bare shape.Pair) bool {
	const classes = types.IsBoolean | types.IsString
	in, out := bare.In.Basic(), bare.Out.Basic()
	return in != nil && out != nil && in.Info()&classes == out.Info()&classes
}

func note(text string) *model.Convert { return &model.Convert{Op: model.ConvertNothing, Note: text} }

// manual records a field that cannot be converted.
func (p *planner) manual(in, out *shape.Member, why string) *model.Convert {
	field := gap{in: in.Var}
	if out != nil {
		field.out = out.Var
	}
	field.reason = p.describe(field) + " " + why
	p.fields = append(p.fields, field)
	return note("in." + in.Name + " " + why)
}

// describe names a field on both sides.
func (p *planner) describe(g gap) string {
	text := fmt.Sprintf("field %s (%s)", g.in.Name(), position(p.World.Fset.Position(g.in.Pos())))
	if g.out != nil {
		text = fmt.Sprintf("field %s (%s and %s)", g.in.Name(),
			position(p.World.Fset.Position(g.in.Pos())), position(p.World.Fset.Position(g.out.Pos())))
	}
	return text
}
