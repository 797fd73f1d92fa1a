// Package change finds changes of CustomResourceDefinitions that break stored objects or clients.
//
// The rules are based on sigs.k8s.io/crdify, with differences. More values of an enumeration and null are for review, a pattern may go,
// and required fields may have a default. Subresources, selectable fields and pruning have rules, too. Versions are not compared with
// each other, because conversions are code.
package change

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
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

type schema = apiextensionsv1.JSONSchemaProps

// schema compares the schemas of a field and of everything below it.
func (c *comparison) schema(before, after *schema) {
	if old, updated := typeOf(before), typeOf(after); old != updated {
		c.add(Change{Rule: "type", What: "changed its type from " + old + " to " + updated})
		return
	}
	c.values(before, after)
	c.limits(before, after)
	c.reviewed(before, after)
	for _, name := range after.Required {
		field, had := after.Properties[name], slices.Contains(before.Required, name)
		if !had && field.Default == nil { // a default is set before objects are validated
			c.add(Change{Place: Place{Path: []string{name}}, Rule: "required", What: "became required"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before.Properties)) {
		old := before.Properties[name]
		if field, ok := after.Properties[name]; ok {
			c.below(name, &old, &field)
		} else {
			c.add(Change{Place: Place{Path: []string{name}}, Rule: "removed", Before: true, What: "was removed"})
		}
	}
	if before.Items != nil && after.Items != nil {
		c.below(Element, before.Items.Schema, after.Items.Schema)
	}
	if before.AdditionalProperties != nil && after.AdditionalProperties != nil {
		c.below(Element, before.AdditionalProperties.Schema, after.AdditionalProperties.Schema)
	}
}

// below compares a field or the elements.
func (c *comparison) below(name string, before, after *schema) {
	if before == nil || after == nil {
		return
	}
	c.at.Path = append(c.at.Path, name)
	c.schema(before, after)
	c.at.Path = c.at.Path[:len(c.at.Path)-1]
}

// typeOf returns a type of the schema. Maps and structs are both objects.
func typeOf(s *schema) string {
	switch {
	case s.XIntOrString:
		return "integer or string"
	case s.Type == "object" && s.AdditionalProperties != nil:
		return "map"
	case s.Type == "":
		return "any"
	}
	return s.Type
}

// values compares what values a field may have, and which it gets.
func (c *comparison) values(before, after *schema) {
	removed, added := without(before.Enum, after.Enum), without(after.Enum, before.Enum)
	switch {
	case len(before.Enum) == 0 && len(after.Enum) > 0:
		c.add(Change{Rule: "enum", What: "only allows " + list(after.Enum)})
	case len(after.Enum) > 0 && len(removed) > 0:
		c.add(Change{Rule: "enum", What: "no longer allows " + list(removed)})
	case len(after.Enum) > 0 && len(added) > 0:
		c.add(Change{Rule: "enum", What: "also allows " + list(added), Review: "check that clients accept values that they do not know"})
	}
	switch old, updated := before.Default, after.Default; {
	case old == nil && updated != nil:
		c.add(Change{Rule: "default", What: "got the default " + string(updated.Raw)})
	case old != nil && updated == nil:
		c.add(Change{Rule: "default", What: "lost its default " + string(old.Raw)})
	case old != nil && !sameJSON(old.Raw, updated.Raw):
		c.add(Change{Rule: "default", What: "changed its default from " + string(old.Raw) + " to " + string(updated.Raw)})
	}
	switch {
	case before.Nullable && !after.Nullable:
		c.add(Change{Rule: "nullable", What: "may no longer be null"})
	case !before.Nullable && after.Nullable:
		c.add(Change{Rule: "nullable", What: "may be null", Review: "check that clients accept null"})
	}
	if after.Pattern != "" && before.Pattern != after.Pattern {
		c.add(Change{Rule: "pattern", What: "must match " + after.Pattern})
	}
	if isTrue(before.XPreserveUnknownFields) && !isTrue(after.XPreserveUnknownFields) {
		c.add(Change{Rule: "pruning", What: "no longer keeps unknown fields"})
	}
}

// limits compares minimums and maximums.
func (c *comparison) limits(before, after *schema) {
	for _, limit := range []struct {
		name        string
		old, latest *float64
		maximum     bool
	}{
		{"maximum", before.Maximum, after.Maximum, true},
		{"maxLength", number(before.MaxLength), number(after.MaxLength), true},
		{"maxItems", number(before.MaxItems), number(after.MaxItems), true},
		{"maxProperties", number(before.MaxProperties), number(after.MaxProperties), true},
		{"minimum", before.Minimum, after.Minimum, false},
		{"minLength", number(before.MinLength), number(after.MinLength), false},
		{"minItems", number(before.MinItems), number(after.MinItems), false},
		{"minProperties", number(before.MinProperties), number(after.MinProperties), false},
	} {
		switch {
		case limit.latest == nil, !limit.maximum && *limit.latest == 0 && limit.name != "minimum": // no size is below 0
		case limit.old == nil:
			c.add(Change{Rule: limit.name, What: fmt.Sprintf("got the %s %v", limit.name, *limit.latest)})
		case *limit.latest != *limit.old && (*limit.latest < *limit.old) == limit.maximum:
			c.add(Change{Rule: limit.name, What: fmt.Sprintf("changed its %s from %v to %v", limit.name, *limit.old, *limit.latest)})
		}
	}
	if after.Maximum != nil && after.ExclusiveMaximum && !before.ExclusiveMaximum {
		c.add(Change{Rule: "exclusiveMaximum", What: "must be less than its maximum"})
	}
	if after.Minimum != nil && after.ExclusiveMinimum && !before.ExclusiveMinimum {
		c.add(Change{Rule: "exclusiveMinimum", What: "must be greater than its minimum"})
	}
}

// reviewed compares the parts of a schema that have no rule.
func (c *comparison) reviewed(before, after *schema) {
	for _, rule := range after.XValidations {
		same := func(old apiextensionsv1.ValidationRule) bool { return old.Rule == rule.Rule }
		if !slices.ContainsFunc(before.XValidations, same) {
			c.add(Change{
				Rule: "validation", What: "must satisfy " + strconv.Quote(rule.Rule), Review: "check that all stored objects satisfy the rule",
			})
		}
	}
	const values, merging = "check that all stored values remain valid", "check how clients that use server-side apply merge it"
	for _, part := range []struct {
		name        string
		old, latest any
		review      string
	}{
		{"format", before.Format, after.Format, values},
		{"multipleOf", before.MultipleOf, after.MultipleOf, values},
		{"uniqueItems", before.UniqueItems, after.UniqueItems, values},
		{"allOf", before.AllOf, after.AllOf, values},
		{"anyOf", before.AnyOf, after.AnyOf, values},
		{"oneOf", before.OneOf, after.OneOf, values},
		{"not", before.Not, after.Not, values},
		{"embedded-resource", before.XEmbeddedResource, after.XEmbeddedResource, values},
		{"list-type", or(before.XListType, "atomic"), or(after.XListType, "atomic"), merging},
		{"list-map-keys", before.XListMapKeys, after.XListMapKeys, merging},
		{"map-type", or(before.XMapType, "granular"), or(after.XMapType, "granular"), merging},
	} {
		if !reflect.DeepEqual(part.old, part.latest) {
			c.add(Change{Rule: part.name, What: "has another " + part.name, Review: part.review})
		}
	}
}

// without returns the values that are not among others.
func without(values, others []apiextensionsv1.JSON) []apiextensionsv1.JSON {
	return slices.DeleteFunc(slices.Clone(values), func(v apiextensionsv1.JSON) bool {
		return slices.ContainsFunc(others, func(other apiextensionsv1.JSON) bool { return sameJSON(v.Raw, other.Raw) })
	})
}

func sameJSON(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return bytes.Equal(a, b)
	}
	return reflect.DeepEqual(x, y)
}

func list(values []apiextensionsv1.JSON) string {
	return strings.Join(lists.Map(values, func(v apiextensionsv1.JSON) string { return string(v.Raw) }), ", ")
}

func number(n *int64) *float64 {
	if n == nil {
		return nil
	}
	return new(float64(*n))
}

func or(s *string, byDefault string) string {
	if s == nil {
		return byDefault
	}
	return *s
}

func isTrue(b *bool) bool { return b != nil && *b }
