package model

import (
	"go/token"
	"strings"
)

// Hold is a way to hold the objects that others refer to: the name of the constant in the run-time library.
type Hold string

// The ways to hold objects.
const (
	Cached   Hold = "Cached"
	Metadata Hold = "Metadata"
	Named    Hold = "Named"
)

// Holds are all ways to hold objects.
var Holds = []Hold{Cached, Metadata, Named}

// Marker returns the way as markers spell it.
func (h Hold) Marker() string { return strings.ToLower(string(h)) }

// Reference is a +informergen:ref marker: a field in which the objects of a kind name objects of another kind.
type Reference struct {
	// To is the kind that is referred to.
	To   Related
	Hold Hold
	// Name is the name of the method that returns the object, such as "Secret" or, if Many is true, the objects: "ConfigMaps". Singular
	// is the name for one of them.
	Name, Singular string
	Many           bool
	// Field is the name of the field of the controller that holds the reference.
	Field string
	// Text is the path as markers spell it, Pos the position of the marker.
	Text string
	Pos  token.Position
	// Each leads from an object to the elements of the innermost list or map of the path; it is empty without any. Target leads from
	// there to the name.
	Each   Path
	Target StringAt
	// Kind leads from the same place to the name of a kind, in references that have one; they only count if it is the name of To.
	Kind *StringAt
	// Namespace leads to the namespace from the element of list or map number Outer or, if that is 0, from the object. It is nil for
	// references without a namespace.
	Namespace *StringAt
	Outer     int
}

// StringAt is a string within another value.
type StringAt struct {
	// Path goes through fields and pointers only.
	Path Path
	// Converted is true if the string has a type of its own.
	Converted bool
}

// String describes the reference with the words of markers.
func (r Reference) String() string {
	return r.To.FullName() + ", path=" + r.Text + ", watch=" + r.Hold.Marker()
}

// ReverseLookup returns the name of the method of a kind's controller that returns the objects that refer to an object.
func (r Reference) ReverseLookup(k *Kind) string { return k.Plural + "Of" + r.Singular }
