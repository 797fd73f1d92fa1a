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
)

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
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v.Raw)
	}
	return strings.Join(texts, ", ")
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
