package conversion

import (
	"go/types"
	"reflect"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
)

// explicit returns the conversions to a type that its markers request.
func (p *planner) explicit(t *shape.Type) (pairs []shape.Pair) {
	for _, m := range append(t.Detached(), t.Closest()...) {
		if m.Name != marker.ConversionFrom {
			continue
		}
		if m.Value != "net/url.Values" {
			p.Diags.AddHint(m.Pos, "only net/url.Values is supported", "unknown type %q of +%s", m.Value, m.Name)
			continue
		}
		if url := p.World.Package("net/url"); url != nil {
			pairs = append(pairs, shape.Pair{In: p.World.Lookup(url, "Values"), Out: t})
		}
	}
	return pairs
}

// fromValues plans how the fields of a struct are read from the parameters of a URL.
func (p *planner) fromValues(pair shape.Pair) (fields []model.FromValues) {
	for i := range pair.Out.Members() {
		out := &pair.Out.Members()[i]
		name, _, _ := strings.Cut(reflect.StructTag(out.Tag).Get("json"), ",")
		field := model.FromValues{Name: out.Name, Parameter: name}
		switch {
		case p.excluded(out, pair.Out):
			field.Parameter, field.Note = "", "out."+out.Name+" is excluded"
		case p.hidden(out, pair.Out):
			field.Parameter, field.Note = "", "out."+out.Name+" is not exported"
		case name == "":
			field.Note = "out." + out.Name + " has no name in JSON"
		default:
			p.fromParameter(pair.In.Below().Elem(), out, &field)
		}
		fields = append(fields, field)
	}
	return fields
}

// fromParameter plans how a field is read from a list of values.
func (p *planner) fromParameter(values *shape.Type, out *shape.Member, field *model.FromValues) {
	field.Zero = p.zero(out.Type)
	f := p.function(shape.Pair{In: values, Out: out.Type})
	switch {
	case f != nil:
		field.Read = &model.Convert{Op: model.ConvertCall, Func: p.nameOf(f)}
	case out.Type.Kind == shape.Builtin && out.Type.Basic().Kind() == types.String:
		field.First = true
	case p.all.memory.Equal(values, out.Type):
		p.made.Pointer = p.names.Of("unsafe", "Pointer")
		field.Read = &model.Convert{Op: model.ConvertUnsafe, Type: p.text(out.Type)}
	default:
		field.Note = "out." + out.Name + " is of a type that is not read"
		p.warn(gap{in: out.Var}, "parameter %s is not read, because no function converts []string to %s", field.Parameter, out.Type.Short())
	}
}

// zero returns the zero value of a type; "" if upstream leaves the field alone.
func (p *planner) zero(t *shape.Type) string {
	bare := t.Bare()
	switch bare.Kind {
	case shape.Builtin:
		switch info := bare.Basic().Info(); {
		case info&types.IsString != 0:
			return `""`
		case info&types.IsBoolean != 0:
			return "false"
		}
		return "0"
	case shape.Struct:
		return p.text(t) + "{}"
	case shape.Map, shape.Slice, shape.Pointer, shape.Interface:
		return "nil"
	}
	return ""
}
