package cachemutation

import (
	"go/types"
)

// labels are a set of memories that do not belong to a function: the cache's, and those that its parameters lead to. A parameter has
// two: the memory that it refers to, and what can be reached from there.
type labels uint64

const (
	fromCacheLabel labels = 1
	// near has the labels of the memories that parameters refer to. The label for what can be reached from there is the next.
	near labels = 0b0101_0101_0101_0101_0101_0101_0101_0101_0101_0101_0101_0101_0101_0101_0101_0100
)

// nearOf returns the label of the memory that the parameter of a number refers to. There is none for the 32nd and those after it.
func nearOf(parameter int) labels { return labels(0b100<<(2*parameter)) & near }

// beyond returns the labels of what can be reached from memories.
func (l labels) beyond() labels { return l&^near | l&near<<1 }

// taint is what is known of a value.
type taint struct {
	// deep are the memories that the value refers to: who stores through it changes them.
	deep labels
	// held are the memories that are referred to by what the value is or refers to: a slice of one's own with objects of a cache, or
	// the copy of a struct with its maps.
	held labels
	// origin is where objects of the cache come from.
	origin *origin
}

func (t taint) union(other taint) taint {
	if t.origin == nil {
		t.origin = other.origin
	}
	return taint{t.deep | other.deep, t.held | other.held, t.origin}
}

// all returns the labels of memory that can be reached.
func (t taint) all() labels { return t.deep | t.held }

// load returns the taint of what is read, as a value of a type, from where the value refers to.
func (t taint) load(of types.Type) taint { return placed(t.all().beyond(), of, t.origin) }

// as returns the taint of the value, or of a part of it, as a value of a type.
func (t taint) as(of types.Type) taint { return placed(t.all(), of, t.origin) }

// contained returns the taint of something that contains the value, such as a slice of one's own.
func (t taint) contained() taint { return taint{held: t.all(), origin: t.origin} }

// placed returns the taint of a value of a type that leads to memories, by itself if it refers to something, otherwise by what it
// consists of.
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

// refers reports whether a value of the type refers to memory that can be changed through it.
func refers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Interface:
		return true
	}
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// consistsOfReferences reports whether a struct or an array has elements that refer to something.
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
