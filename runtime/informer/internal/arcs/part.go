package arcs

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Part is a part of the objects of a kind: the objects of a namespace, or of all if it is empty, whose hashes are in a set.
type Part struct {
	Namespace string
	Arcs      Set
}

// Place is the namespace and the hash of an object, if it has one.
type Place struct {
	Namespace string
	Hash      uint64
	Hashed    bool
}

// PlaceOf returns the place of an object.
func (k Key) PlaceOf(obj any) Place {
	object, ok := obj.(metav1.Object)
	if !ok {
		return Place{}
	}
	hash, hashed := k.HashOf(object)
	return Place{object.GetNamespace(), hash, hashed}
}

// Covers reports whether the part has the objects of a place.
func (p Part) Covers(at Place) bool {
	return p.CoversNamespace(at.Namespace) && (p.Arcs.IsAll() || at.Hashed && p.Arcs.Has(at.Hash))
}

// CoversNamespace reports whether the part has objects of a namespace.
func (p Part) CoversNamespace(namespace string) bool {
	return p.Namespace == metav1.NamespaceAll || p.Namespace == namespace
}

// And returns the part that two parts have in common, if there is one.
func (p Part) And(other Part) (Part, bool) {
	namespace := other.Namespace
	if namespace == metav1.NamespaceAll {
		namespace = p.Namespace
	}
	if !p.CoversNamespace(namespace) || !other.CoversNamespace(namespace) {
		return Part{}, false // of thousands of namespaces, most have nothing in common
	}
	common := Part{namespace, p.Arcs.And(other.Arcs)}
	return common, len(common.Arcs) > 0
}

// Equals reports whether two parts are the same.
func (p Part) Equals(other Part) bool {
	return p.Namespace == other.Namespace && slices.Equal(p.Arcs, other.Arcs)
}

// Overlaps reports whether two parts may have the same objects.
func (p Part) Overlaps(other Part) bool {
	_, ok := p.And(other)
	return ok
}
