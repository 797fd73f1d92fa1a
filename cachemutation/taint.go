package cachemutation

import (
	"go/types"
)

// labels is a set of memories that a function does not own: the cache, and memory reached from its parameters. Each parameter has
// two labels: one for the memory that it refers to, and one for all that can be reached from there.
type labels uint64

const (
	fromCacheLabel labels = 1
	// near masks the first labels of parameters. The second label is the next bit.
	near labels = 0b0101_0101_0101_0101_0101_0101_0101_0101_0101_0101_0101_0101_0101_0101_0101_0100
)

// nearOf returns the first label of a parameter by its index, or 0 from the 32nd parameter on.
func nearOf(parameter int) labels { return labels(0b100<<(2*parameter)) & near }

// beyond returns the labels of the memory reached from l.
func (l labels) beyond() labels { return l&^near | l&near<<1 }

// taint describes the memory that a value refers to.
type taint struct {
	// deep labels the memory that the value refers to; a store through the value changes it.
	deep labels
	// held labels memory that the value leads to without referring to it, such as the objects in a new slice, or the maps in the copy
	// of a struct.
	held labels
	// origin is the source of cached objects, or nil.
	origin *origin
}

func (t taint) union(other taint) taint {
	if t.origin == nil {
		t.origin = other.origin
	}
	return taint{t.deep | other.deep, t.held | other.held, t.origin}
}

// all returns the labels of all memory that the value leads to.
func (t taint) all() labels { return t.deep | t.held }

// load returns the taint of a value of type of that is read through t.
func (t taint) load(of types.Type) taint { return placed(t.all().beyond(), of, t.origin) }

// as returns the taint of the value, or of a part of it, as type of.
func (t taint) as(of types.Type) taint { return placed(t.all(), of, t.origin) }

// through returns the taint of a result that shares memory with a parameter, where label is the memory of the parameter and
// passed is the taint of the argument.
func (t taint) through(label labels, passed taint) taint {
	switch {
	case t.deep&label != 0:
		return passed
	case t.held&label != 0:
		return passed.contained()
	}
	return taint{}
}

// contained returns the taint of a new container of the value, such as a slice.
func (t taint) contained() taint { return taint{held: t.all(), origin: t.origin} }

// placed returns the taint of a value of type t that leads to memories: deep if t is a reference, held if t has fields or
// elements that are references.
func placed(memories labels, t types.Type, from *origin) taint {
	switch {
	case memories == 0:
	case refers(t):
		return taint{deep: memories, origin: from}
	case consistsOfReferences(t):
		return taint{held: memories, origin: from}
	}
	return taint{}
}

// refers reports whether t is a pointer, map, slice, interface or type parameter.
func refers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Interface:
		return true
	}
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// consistsOfReferences reports whether t is a struct, array or tuple with references in it.
func consistsOfReferences(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return refers(u.Elem()) || consistsOfReferences(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if refers(field.Type()) || consistsOfReferences(field.Type()) {
				return true
			}
		}
	case *types.Tuple:
		return true
	}
	return false
}
