package deepcopy

import (
	"go/types"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
)

// valueTable knows for which types assignment is a deep copy.
type valueTable struct {
	universe *gotype.Universe
	methods  *methodTable
	// known caches results. busy marks types under evaluation; it breaks cycles.
	known, busy map[*gotype.Decl]bool
}

// assignable reports whether assignment is a deep copy: the value contains no references, and has no handwritten deep copy
// methods. The type parameters in it are those of generic.
func (v *valueTable) assignable(t types.Type, generic *gotype.Decl) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer && t.Kind() != types.Invalid
	case *types.Array:
		return v.assignable(t.Elem(), generic)
	case *types.Struct:
		for field := range t.Fields() {
			if !v.assignable(field.Type(), generic) {
				return false
			}
		}
		return true
	case *types.TypeParam:
		return slices.ContainsFunc(v.universe.Bound(generic, t.Index()).Lists, func(list []gotype.Term) bool {
			return !slices.ContainsFunc(list, func(term gotype.Term) bool { return !v.assignable(term.Type, generic) })
		})
	case *types.Named:
		return v.assignableNamed(t, generic)
	}
	return false
}

func (v *valueTable) assignableNamed(t *types.Named, generic *gotype.Decl) bool {
	decl := v.universe.Decl(t)
	if decl == nil || lock(decl.Package.Path) {
		return false // only error and comparable have no declaration
	}
	if immutable[decl.Package.Path+"."+decl.Name()] {
		return true
	}
	known, ok := v.known[decl]
	if ok && (t.TypeArgs().Len() == 0 || v.busy[decl]) {
		return known
	}
	v.known[decl], v.busy[decl] = false, true // in case the struct contains itself
	known = !v.methods.of(decl).ByHand && v.assignable(v.universe.Underlying(t), generic)
	v.known[decl], v.busy[decl] = known, false
	return known
}

// containsItself reports whether copying the type part by part involves values of the same type.
func (v *valueTable) containsItself(t *types.Named) bool {
	seen := map[string]bool{}
	var reaches func(types.Type) bool
	reaches = func(part types.Type) bool {
		part = types.Unalias(part)
		if named, ok := part.(*types.Named); ok {
			key := named.String()
			if key == t.String() && len(seen) > 0 {
				return true
			}
			part = v.universe.Underlying(named)
			if decl := v.universe.Decl(named); seen[key] || decl == nil || isCalled(v.methods.of(decl), part) || len(seen) > 1000 {
				return false
			}
			seen[key] = true
		}
		if elements, ok := part.(interface{ Elem() types.Type }); ok {
			return reaches(elements.Elem()) // keys of maps are assigned
		}
		return slices.ContainsFunc(slices.Collect(gotype.Parts(part)), reaches)
	}
	return reaches(t)
}
