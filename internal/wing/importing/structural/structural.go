// Package structural reports what keeps the schema of a CustomResourceDefinition from being structural, which servers require:
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
//
// A schema is a tree of nodes, one for each property, element and value. Nodes have the structure of values, such as types and defaults.
// Conditions below allOf, anyOf, oneOf and not may restrict values further, but add nothing to the structure.
package structural

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"regexp"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

type schema = apiextensionsv1.JSONSchemaProps

// Problem is a violation of a rule.
type Problem struct {
	// Path has the keys and indexes of the schema that breaks the rule, and Key is the key in it; "" for the schema itself.
	Path []any
	Key  string
	// Text is the problem, Hint the way to solve it.
	Text, Hint string
}

// The keywords that the rules name more than once.
const (
	additional   = "additionalProperties"
	preserve     = "x-kubernetes-preserve-unknown-fields"
	intOrString  = "x-kubernetes-int-or-string"
	embedded     = "x-kubernetes-embedded-resource"
	typeKey      = "type"
	objectType   = "object"
	propertiesOf = "properties"
	itemsOf      = "items"
	metadata     = "metadata"
)

// Check returns the problems of a schema.
func Check(root *schema) []Problem {
	c := &checker{}
	c.node(root, nil)
	conditions(root, nil, func(condition *schema, at place) { c.complete(condition, root, at) })
	return c.problems
}

type checker struct{ problems []Problem }

func (c *checker) add(path []any, key, hint, format string, args ...any) {
	c.problems = append(c.problems, Problem{path, key, fmt.Sprintf(format, args...), hint})
}

// node checks a node and those below it. The root has an empty path.
func (c *checker) node(s *schema, path []any) {
	isRoot := len(path) == 0
	c.keywords(s, path)
	c.types(s, path, isRoot)
	isOpen := Preserves(s)
	if s.XIntOrString && isOpen {
		c.add(path, preserve, "remove one of them", "%s and %s exclude each other", intOrString, preserve)
	}
	if s.XIntOrString && s.XEmbeddedResource {
		c.add(path, embedded, "remove one of them", "%s and %s exclude each other", intOrString, embedded)
	}
	if s.XEmbeddedResource && len(s.Properties) == 0 && !isOpen {
		c.add(path, embedded, "write "+propertiesOf+", or "+preserve+": true", "an embedded resource has no properties")
	}
	if isRoot || s.XEmbeddedResource {
		c.resource(s, path, isRoot)
	}
	exempt := typed(s)
	conditions(s, path, func(condition *schema, at place) { c.condition(condition, at, exempt) })
	for child, steps := range Children(s) {
		c.node(child, slices.Concat(path, steps))
	}
}

// Preserves reports whether servers keep unknown fields.
func Preserves(s *schema) bool { return s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields }

// types checks that a node has a type, which the root and embedded resources cannot choose, and that arrays have elements.
func (c *checker) types(s *schema, path []any, isRoot bool) {
	switch {
	case s.XEmbeddedResource && s.Type != objectType:
		c.add(path, typeKey, "write type: object", "an embedded resource has %s", quote(s.Type))
	case isRoot && s.Type != "" && s.Type != objectType:
		c.add(path, typeKey, "write type: object", "the root has %s", quote(s.Type))
	case s.Type == "" && !s.XIntOrString && !Preserves(s):
		c.add(path, typeKey, "write one, or "+preserve+": true for any value", "no type")
	case s.Type == "array" && s.Items == nil:
		c.add(path, itemsOf, "write the schema of its elements", "an array without %s", itemsOf)
	}
}

func quote(typeName string) string {
	if typeName == "" {
		return "no type"
	}
	return fmt.Sprintf("type %q", typeName)
}

// resource checks the fields that all resources have.
func (c *checker) resource(s *schema, path []any, isRoot bool) {
	if s.AdditionalProperties != nil {
		c.add(path, additional, "write "+propertiesOf, "a resource has %s", additional)
	}
	for _, field := range []struct{ name, want string }{{"apiVersion", "string"}, {"kind", "string"}, {metadata, objectType}} {
		property, ok := s.Properties[field.name]
		at := slices.Concat(path, []any{propertiesOf, field.name})
		if ok && property.Type != field.want {
			c.add(at, typeKey, "write type: "+field.want, "%s has %s", field.name, quote(property.Type))
		}
		if ok && isRoot && field.name == metadata {
			c.metadata(&property, at)
		}
	}
}

// metadata checks that the metadata of a kind restricts names only.
func (c *checker) metadata(s *schema, path []any) {
	const hint = "remove it: only name and generateName can be restricted"
	var keywords map[string]any
	if text, err := json.Marshal(s); err == nil { // it was JSON in the source
		_ = json.Unmarshal(text, &keywords)
	}
	for _, name := range slices.Sorted(maps.Keys(keywords)) {
		if !slices.Contains([]string{typeKey, "default", propertiesOf}, name) {
			c.add(path, name, hint, "%s has %s", metadata, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if name != "name" && name != "generateName" {
			c.add(slices.Concat(path, []any{propertiesOf}), name, hint, "%s has the property %s", metadata, name)
		}
	}
}

// keyword is a keyword, and whether a schema has it.
type keyword struct {
	name string
	set  bool
}

// keywords checks keywords that servers do not support anywhere.
func (c *checker) keywords(s *schema, path []any) {
	for _, k := range []keyword{
		{"id", s.ID != ""},
		{"$schema", s.Schema != ""},
		{"$ref", s.Ref != nil},
		{"definitions", len(s.Definitions) > 0},
		{"dependencies", len(s.Dependencies) > 0},
		{"patternProperties", len(s.PatternProperties) > 0},
		{"additionalItems", s.AdditionalItems != nil},
	} {
		if k.set {
			c.add(path, k.name, "remove it", "servers do not support %s", k.name)
		}
	}
	if s.XPreserveUnknownFields != nil && !*s.XPreserveUnknownFields {
		c.add(path, preserve, "remove it: that is the default", "%s is false", preserve)
	}
	if s.Items != nil && s.Items.Schema == nil {
		c.add(path, itemsOf, "write one schema for all elements", "%s is a list", itemsOf)
	}
	if _, err := regexp.Compile(s.Pattern); err != nil {
		c.add(path, "pattern", "", "%v", err)
	}
}

// place is where a condition is.
type place struct {
	path []any
	// below is the keyword that the condition is below, the outermost one.
	below string
}

// conditions calls f for each condition of a schema.
func conditions(s *schema, path []any, f func(condition *schema, at place)) {
	all := func(key string, conditions []schema) {
		for i := range conditions {
			f(&conditions[i], place{slices.Concat(path, []any{key, i}), key})
		}
	}
	all("allOf", s.AllOf)
	all("anyOf", s.AnyOf)
	all("oneOf", s.OneOf)
	if s.Not != nil {
		f(s.Not, place{slices.Concat(path, []any{"not"}), "not"})
	}
}

// Children returns the schemas of properties in the order of their names, of elements and of values, with the steps of their paths.
func Children(s *schema) iter.Seq2[*schema, []any] {
	return func(yield func(*schema, []any) bool) {
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if property := s.Properties[name]; !yield(&property, []any{propertiesOf, name}) {
				return
			}
		}
		if s.Items != nil && s.Items.Schema != nil && !yield(s.Items.Schema, []any{itemsOf}) {
			return
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			yield(s.AdditionalProperties.Schema, []any{additional})
		}
	}
}

// typed returns the conditions of a node that may have types: the conditions that name the two types of an integer or string, in this
// order. The documentation has this exception for nodes with x-kubernetes-int-or-string, servers make it for all.
func typed(s *schema) (all []*schema) {
	lists := [][]schema{s.AnyOf}
	if len(s.AllOf) > 0 {
		lists = append(lists, s.AllOf[0].AnyOf)
	}
	for _, list := range lists {
		if reflect.DeepEqual(list, []schema{{Type: "integer"}, {Type: "string"}}) {
			all = append(all, &list[0], &list[1])
		}
	}
	return all
}

// condition checks that a condition adds nothing to the structure.
func (c *checker) condition(s *schema, at place, typed []*schema) {
	c.keywords(s, at.path)
	others := s.AdditionalProperties
	for _, k := range []keyword{
		{"title", s.Title != ""},
		{"description", s.Description != ""},
		{typeKey, s.Type != "" && !slices.Contains(typed, s)},
		{"default", s.Default != nil},
		{"nullable", s.Nullable},
		{additional, others != nil && (others.Allows || others.Schema != nil)},
		{preserve, Preserves(s)},
		{embedded, s.XEmbeddedResource},
		{intOrString, s.XIntOrString},
		{"x-kubernetes-list-type", s.XListType != nil},
		{"x-kubernetes-list-map-keys", len(s.XListMapKeys) > 0},
		{"x-kubernetes-map-type", s.XMapType != nil},
		{"x-kubernetes-validations", len(s.XValidations) > 0},
	} {
		if k.set {
			c.add(at.path, k.name, "write it outside of "+at.below, "%s cannot be below %s", k.name, at.below)
		}
	}
	if _, ok := s.Properties[metadata]; ok {
		c.add(slices.Concat(at.path, []any{propertiesOf}), metadata, "remove it", "%s cannot be below %s", metadata, at.below)
	}
	conditions(s, at.path, func(condition *schema, below place) {
		c.condition(condition, place{below.path, at.below}, typed)
	})
	for child, steps := range Children(s) {
		if steps[0] != additional { // which cannot be there at all
			c.condition(child, place{slices.Concat(at.path, steps), at.below}, typed)
		}
	}
}

// complete checks that the structure has the fields that a condition of the root names. Servers do not check conditions of other nodes.
func (c *checker) complete(s, outside *schema, at place) {
	missing := func(path []any) {
		c.add(path, "", "also write it, with its type, outside of "+at.below, "specified below %s only", at.below)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property, path := s.Properties[name], slices.Concat(at.path, []any{propertiesOf, name})
		if same, ok := outside.Properties[name]; ok {
			c.complete(&property, &same, place{path, at.below})
		} else {
			missing(path)
		}
	}
	if s.Items != nil && s.Items.Schema != nil {
		path := slices.Concat(at.path, []any{itemsOf})
		if outside.Items != nil && outside.Items.Schema != nil {
			c.complete(s.Items.Schema, outside.Items.Schema, place{path, at.below})
		} else {
			missing(path)
		}
	}
	conditions(s, at.path, func(condition *schema, below place) {
		c.complete(condition, outside, place{below.path, at.below})
	})
}
