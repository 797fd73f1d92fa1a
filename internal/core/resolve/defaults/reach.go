package defaults

import (
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
)

// maxLevels limits how deep types are looked into. It stops at generic types whose type arguments grow without limit, which compilers
// reject.
const maxLevels = 200

// reach finds the types that lead to something with defaults. Trees are built of these alone: most types have none, and trees of types that
// contain each other grow with all ways through them.
func (t *target) reach() map[*shape.Type]bool {
	leading := map[*shape.Type]bool{}
	users, seen := map[*shape.Type][]*shape.Type{}, map[*shape.Type]bool{}
	var found []*shape.Type
	roots := t.candidates
	for level := 0; len(roots) > 0 && level < maxLevels; level++ {
		var next []*shape.Type
		for _, typ := range roots {
			if seen[typ] {
				continue
			}
			seen[typ] = true
			if missing, ok := t.run.World.Underlying(typ.GoType).(*gotype.Missing); ok { // its defaults would be missing
				t.run.Diags.Add(t.run.World.Fset.Position(missing.Pos), "%w", missing)
			}
			if t.hasOwn(typ) {
				found = append(found, typ)
			}
			for _, part := range parts(typ) {
				users[part] = append(users[part], typ)
				next = append(next, part)
			}
		}
		roots = next
	}
	for len(found) > 0 {
		last := found[len(found)-1]
		found = found[:len(found)-1]
		if !leading[last] {
			leading[last] = true
			found = append(found, users[last]...)
		}
	}
	return leading
}

// parts returns the types that a type consists of.
func parts(t *shape.Type) (all []*shape.Type) {
	switch t.Kind {
	case shape.Name:
		return []*shape.Type{t.Below()}
	case shape.Pointer, shape.Slice, shape.Array, shape.Map:
		return []*shape.Type{t.Elem()}
	case shape.Struct:
		for _, m := range t.Members() {
			all = append(all, m.Type)
		}
	}
	return all
}

// hasOwn reports whether something about a type itself may set defaults.
func (t *target) hasOwn(typ *shape.Type) bool {
	return t.run.existing[typ] != nil || t.promoted[typ] || len(t.run.strangers(typ)) > 0 ||
		typ.Closest().Has(marker.Default) || t.run.hasDefaults(typ)
}

// hasDefaults reports whether fields of a struct have markers with defaults.
func (r *run) hasDefaults(t *shape.Type) bool {
	return slices.ContainsFunc(t.Members(), func(m shape.Member) bool { return r.World.Markers(&m).Has(marker.Default) })
}
