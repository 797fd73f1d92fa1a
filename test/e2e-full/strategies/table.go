package main

import (
	"cmp"
	"slices"
)

// kind is a line of the table: a kind of a version.
type kind struct {
	Group      string `json:"group,omitempty"`
	Version    string `json:"version"`
	Kind       string `json:"kind"`
	Resource   string `json:"resource"`
	Namespaced bool   `json:"namespaced,omitempty"`
	// Names and verbs in discovery.
	Singular   string   `json:"singular,omitempty"`
	ShortNames []string `json:"shortNames,omitempty"`
	Categories []string `json:"categories,omitempty"`
	Verbs      []string `json:"verbs"`
	// Virtual is set for kinds that are not stored.
	Virtual bool `json:"virtual,omitempty"`
	// Counted is set for kinds with a metadata.generation, Returned for kinds whose deletion is answered with the object.
	Counted  bool `json:"counted,omitempty"`
	Returned bool `json:"returned,omitempty"`
	// Create is what the strategy changes in a new object.
	Create *creation `json:"create,omitempty"`
	// Keeps are the fields that an update cannot change.
	Keeps        []string      `json:"keeps,omitempty"`
	Fields       []label       `json:"fields,omitempty"`
	Subresources []subresource `json:"subresources,omitempty"`
}

// creation is what a strategy does to a new object.
type creation struct {
	// Drops are the fields that the strategy removes, and Sets those that always have the same value.
	Drops []string       `json:"drops,omitempty"`
	Sets  map[string]any `json:"sets,omitempty"`
}

// label is a label of field selectors.
type label struct {
	Name string `json:"name"`
	// Paths are the fields with the value, of which the first that is not empty counts. The path is the name if there are none.
	Paths []string `json:"paths,omitempty"`
	// Zero is the value for an empty object, and Always is set if the value never differs from it.
	Zero   string `json:"zero,omitempty"`
	Always bool   `json:"always,omitempty"`
}

// subresource is a subresource of a kind.
type subresource struct {
	Name    string   `json:"name"`
	Group   string   `json:"group,omitempty"`
	Version string   `json:"version,omitempty"`
	Kind    string   `json:"kind,omitempty"`
	Verbs   []string `json:"verbs"`
	// Keeps are the fields of the object that an update of the subresource cannot change. Such a subresource has the form of the object.
	Keeps []string `json:"keeps,omitempty"`
}

func (k kind) compare(other kind) int {
	return cmp.Or(cmp.Compare(k.Group, other.Group), cmp.Compare(k.Kind, other.Kind), cmp.Compare(k.Version, other.Version))
}

func (s subresource) compare(other subresource) int { return cmp.Compare(s.Name, other.Name) }

// sorted returns the unique elements of a list in order.
func sorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
