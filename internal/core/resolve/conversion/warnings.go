package conversion

import (
	"go/types"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
)

// warn adds a warning about a field that users can edit.
func (p *planner) warn(g gap, format string, args ...any) {
	field := g.in
	if !p.isOwn(field) {
		field = g.out
	}
	if field != nil && p.isOwn(field) {
		p.Diags.Warn(p.World.Fset.Position(field.Pos()), "write func "+nameOf(p.pair)+" by hand, or exclude the field with // +"+
			marker.ConversionGen+"=false on both sides", format, args...)
	}
}

// warnOneWay warns about a marker that excludes a field in one direction only: the way back copies it.
func (p *planner) warnOneWay(in, out *shape.Member) {
	if out == nil || p.excluded(out, p.pair.Out) {
		return
	}
	if back := (shape.Pair{In: p.pair.Out, Out: p.pair.In}); p.function(back) == nil && p.function(p.pair) == nil {
		p.warn(gap{in: out.Var, out: in.Var}, "field %s is excluded on the way from %s, but not on the way back", in.Name, p.pair.In.Short())
	}
}

// warnNarrowed warns about a conversion that loses values without an error.
func (p *planner) warnNarrowed(g gap, bare shape.Pair) {
	if p.function(p.pair) == nil && narrows(bare.In.Basic(), bare.Out.Basic()) {
		p.warn(g, "field %s can lose its value: %s is converted to %s without a check", g.in.Name(), bare.In.Short(), bare.Out.Short())
	}
}

// narrows reports whether a number may not fit into another type.
func narrows(in, out *types.Basic) bool {
	if in == nil || out == nil || in.Info()&types.IsNumeric == 0 || in.Kind() == out.Kind() {
		return false
	}
	integer := func(b *types.Basic) bool { return b.Info()&types.IsInteger != 0 }
	unsigned := func(b *types.Basic) bool { return b.Info()&types.IsUnsigned != 0 }
	sizes := types.SizesFor("gc", "amd64")
	inSize, outSize := sizes.Sizeof(in), sizes.Sizeof(out)
	switch {
	case integer(in) && !integer(out):
		return inSize >= outSize
	case !integer(in) && integer(out), unsigned(out) && !unsigned(in):
		return true
	case unsigned(in) && !unsigned(out):
		return inSize >= outSize
	}
	return inSize > outSize
}
