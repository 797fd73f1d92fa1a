package objects

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

type props = apiextensionsv1.JSONSchemaProps

// resolve returns a schema with all of allOf, one branch of anyOf, and one of oneOf. It leaves out properties that the other branches
// of oneOf, or a negation, would complain about. Validation finds what it misses.
func (m *Maker) resolve(s *props) *props {
	if len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) == 0 && s.Not == nil {
		return s
	}
	merged := *s
	merged.AllOf, merged.AnyOf, merged.OneOf, merged.Not = nil, nil, nil, nil
	result := &merged
	for i := range s.AllOf {
		result = merge(result, m.resolve(&s.AllOf[i]))
	}
	if len(s.AnyOf) > 0 {
		result = merge(result, m.resolve(&s.AnyOf[m.rand.IntN(len(s.AnyOf))]))
	}
	if len(s.OneOf) > 0 {
		chosen := m.rand.IntN(len(s.OneOf))
		result = merge(result, m.resolve(&s.OneOf[chosen]))
		for i, other := range s.OneOf {
			if i != chosen {
				result = without(result, other.Required)
			}
		}
	}
	if s.Not != nil {
		result = without(result, s.Not.Required)
		for _, other := range s.Not.AnyOf {
			result = without(result, other.Required)
		}
	}
	return result
}

// without returns a schema without some of its optional properties.
func without(s *props, names []string) *props {
	result := *s
	result.Properties = maps.Clone(s.Properties)
	for _, name := range names {
		if !slices.Contains(s.Required, name) {
			delete(result.Properties, name)
		}
	}
	return &result
}

// merge returns a schema with the constraints of both.
func merge(a, b *props) *props {
	result := *a
	if b.Type != "" {
		result.Type = b.Type
	}
	if b.Pattern != "" {
		result.Pattern = b.Pattern
	}
	if b.Format != "" {
		result.Format = b.Format
	}
	if len(b.Enum) > 0 {
		result.Enum = b.Enum
	}
	result.Required = slices.Concat(a.Required, b.Required)
	result.Properties = maps.Clone(a.Properties)
	for name, property := range b.Properties {
		if own, ok := result.Properties[name]; ok {
			property = *merge(&own, &property)
		} else if result.Properties == nil {
			result.Properties = map[string]props{}
		}
		result.Properties[name] = property
	}
	if a.Items != nil && b.Items != nil && a.Items.Schema != nil && b.Items.Schema != nil {
		result.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: merge(a.Items.Schema, b.Items.Schema)}
	}
	result.Minimum, result.Maximum = tighter(a.Minimum, b.Minimum, true), tighter(a.Maximum, b.Maximum, false)
	result.MinLength, result.MaxLength = tighter(a.MinLength, b.MinLength, true), tighter(a.MaxLength, b.MaxLength, false)
	result.MinItems, result.MaxItems = tighter(a.MinItems, b.MinItems, true), tighter(a.MaxItems, b.MaxItems, false)
	result.MinProperties = tighter(a.MinProperties, b.MinProperties, true)
	result.MaxProperties = tighter(a.MaxProperties, b.MaxProperties, false)
	result.AllOf, result.AnyOf = slices.Concat(a.AllOf, b.AllOf), slices.Concat(a.AnyOf, b.AnyOf)
	result.OneOf = slices.Concat(a.OneOf, b.OneOf)
	return &result
}

// tighter returns the larger of two lower limits, or the smaller of two upper limits.
func tighter[T int64 | float64](a, b *T, lower bool) *T {
	if a == nil || b != nil && (*b > *a) == lower {
		return b
	}
	return a
}
