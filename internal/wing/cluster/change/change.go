// Package change finds changes of CustomResourceDefinitions that break stored objects or clients.
//
// The rules are those of sigs.k8s.io/crdify, with differences. More values of an enumeration and null are for review, a pattern may go,
// and required fields may have a default. Subresources, selectable fields and pruning have rules, too. Versions are not compared with
// each other, because conversions are code.
package change

import (
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Place is a place in a CustomResourceDefinition.
type Place struct {
	// CRD is the name of the definition, and Version the version; "" for all.
	CRD, Version string
	// Path are the JSON names of a field, Element for the elements of a list or map; empty for a version.
	Path []string
}

// Change is a change of a CustomResourceDefinition.
type Change struct {
	Place

	// Rule is a word for the kind of change, and What says what changed.
	Rule, What string
	// Before is true if only the old definition has the field, version or kind.
	Before bool
	// Review is set if people must decide whether the change breaks anything: it says what to look at.
	Review string
}

// Element stands for the elements of a list or map in a path.
const Element = "[*]"

// Key identifies the change: robots.fleet.example.com/v1 spec.arms[*].color removed.
func (c Change) Key() string {
	words := []string{c.where()}
	if len(c.Path) > 0 {
		words = append(words, c.field())
	}
	return strings.Join(append(words, c.Rule), " ")
}

// String returns the change as a sentence.
func (c Change) String() string {
	if len(c.Path) == 0 {
		return c.where() + " " + c.What
	}
	return c.field() + " of " + c.where() + " " + c.What
}

func (c Change) where() string {
	if c.Version == "" {
		return c.CRD
	}
	return c.CRD + "/" + c.Version
}

func (c Change) field() string {
	return strings.ReplaceAll(strings.Join(c.Path, "."), "."+Element, Element)
}

// Compare returns the changes from old definitions to new ones. New definitions, versions and fields break nothing.
func Compare(before, after []*apiextensionsv1.CustomResourceDefinition) []Change {
	var all []Change
	for _, old := range before {
		c := comparison{at: Place{CRD: old.Name}}
		i := slices.IndexFunc(after, func(crd *apiextensionsv1.CustomResourceDefinition) bool { return crd.Name == old.Name })
		if i < 0 {
			c.add(Change{Rule: "removed", Before: true, What: "is no resource any more"})
		} else {
			c.definition(&old.Spec, &after[i].Spec)
		}
		all = append(all, c.changes...)
	}
	return all
}

// comparison collects the changes of a definition.
type comparison struct {
	// at is the place that is compared.
	at      Place
	changes []Change
}

// add adds a change of the current place, or below it.
func (c *comparison) add(change Change) {
	change.CRD, change.Version = c.at.CRD, c.at.Version
	change.Path = slices.Concat(c.at.Path, change.Path)
	c.changes = append(c.changes, change)
}

func (c *comparison) definition(before, after *apiextensionsv1.CustomResourceDefinitionSpec) {
	if before.Scope != after.Scope {
		c.add(Change{Rule: "scope", What: fmt.Sprintf("is %s, no longer %s", after.Scope, before.Scope)})
	}
	for i := range before.Versions {
		old := &before.Versions[i]
		c.at.Version = old.Name
		next := slices.IndexFunc(after.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == old.Name })
		switch {
		case next < 0 && (old.Served || old.Storage):
			c.add(Change{Rule: "removed", Before: true, What: "is no version any more"})
		case next < 0:
		case old.Served && !after.Versions[next].Served:
			c.add(Change{Rule: "served", What: "is no longer served"})
		default:
			c.version(old, &after.Versions[next])
		}
	}
}

func (c *comparison) version(before, after *apiextensionsv1.CustomResourceDefinitionVersion) {
	old, updated := subresources(before), subresources(after)
	if (old.Status == nil) != (updated.Status == nil) {
		what := "lost its status subresource: clients cannot update the status"
		if old.Status == nil {
			what = "got a status subresource: updates of the object no longer change the status"
		}
		c.add(Change{Rule: "status", What: what})
	}
	if old.Scale != nil && updated.Scale == nil {
		c.add(Change{Rule: "scale", What: "lost its scale subresource"})
	}
	for _, field := range before.SelectableFields {
		if !slices.Contains(after.SelectableFields, field) {
			c.add(Change{Rule: "selectable", What: "has no selectable field " + field.JSONPath + " any more"})
		}
	}
	if before.Schema != nil && after.Schema != nil && before.Schema.OpenAPIV3Schema != nil && after.Schema.OpenAPIV3Schema != nil {
		c.schema(before.Schema.OpenAPIV3Schema, after.Schema.OpenAPIV3Schema)
	}
}

func subresources(v *apiextensionsv1.CustomResourceDefinitionVersion) apiextensionsv1.CustomResourceSubresources {
	if v.Subresources == nil {
		return apiextensionsv1.CustomResourceSubresources{}
	}
	return *v.Subresources
}
