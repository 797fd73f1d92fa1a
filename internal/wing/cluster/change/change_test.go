package change

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// definition returns a definition with a schema of the field spec.
func definition(t *testing.T, spec string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name = "robots.fleet.example.com"
	field := schema{}
	require.NoError(t, yaml.UnmarshalStrict([]byte(spec), &field))
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{
		Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{
			OpenAPIV3Schema: &schema{Type: "object", Properties: map[string]schema{"spec": field}},
		},
	}}
	return crd
}

// changes returns the changes as text. Those to review end with a question mark.
func changes(before, after *apiextensionsv1.CustomResourceDefinition) []string {
	var got []string
	for _, c := range Compare([]*apiextensionsv1.CustomResourceDefinition{before}, []*apiextensionsv1.CustomResourceDefinition{after}) {
		text := c.Key() + ": " + c.String()
		if c.Review != "" {
			text += "?"
		}
		got = append(got, text)
	}
	return got
}

func TestSchemas(t *testing.T) {
	const at, of = "robots.fleet.example.com/v1 spec", " of robots.fleet.example.com/v1 "
	for name, test := range map[string]struct {
		before, after string
		want          []string
	}{
		"nothing":        {`{type: string, description: a}`, `{type: string, description: b}`, nil},
		"field":          {`{type: object}`, `{type: object, properties: {a: {type: string}}}`, nil},
		"removed":        {`{type: object, properties: {a: {type: string}}}`, `{type: object}`, []string{at + ".a removed: spec.a" + of + "was removed"}},
		"type":           {`{type: string}`, `{type: integer}`, []string{at + " type: spec" + of + "changed its type from string to integer"}},
		"int or string":  {`{type: integer}`, `{x-kubernetes-int-or-string: true}`, []string{at + " type: spec" + of + "changed its type from integer to integer or string"}},
		"map":            {`{type: object, additionalProperties: {type: string}}`, `{type: object}`, []string{at + " type: spec" + of + "changed its type from map to object"}},
		"elements":       {`{type: array, items: {type: object, additionalProperties: {type: string}}}`, `{type: array, items: {type: object, additionalProperties: {type: integer}}}`, []string{at + "[*][*] type: spec[*][*]" + of + "changed its type from string to integer"}},
		"required":       {`{type: object, properties: {a: {type: string}}}`, `{type: object, required: [a], properties: {a: {type: string}}}`, []string{at + ".a required: spec.a" + of + "became required"}},
		"new, required":  {`{type: object}`, `{type: object, required: [a], properties: {a: {type: string}}}`, []string{at + ".a required: spec.a" + of + "became required"}},
		"with a default": {`{type: object}`, `{type: object, required: [a], properties: {a: {type: string, default: x}}}`, nil},
		"optional":       {`{type: object, required: [a], properties: {a: {type: string}}}`, `{type: object, properties: {a: {type: string}}}`, nil},
		"enum":           {`{type: string, enum: [a, b, c]}`, `{type: string, enum: [d, b]}`, []string{at + ` enum: spec` + of + `no longer allows "a", "c"`}},
		"new enum":       {`{type: string}`, `{type: string, enum: [a, b]}`, []string{at + ` enum: spec` + of + `only allows "a", "b"`}},
		"larger enum":    {`{type: string, enum: [a]}`, `{type: string, enum: [a, b]}`, []string{at + ` enum: spec` + of + `also allows "b"?`}},
		"no enum":        {`{type: string, enum: [a]}`, `{type: string}`, nil},
		"default":        {`{type: object, default: {a: 1, b: 2}}`, `{type: object, default: {b: 2, a: 2}}`, []string{at + ` default: spec` + of + `changed its default from {"a":1,"b":2} to {"a":2,"b":2}`}},
		"new default":    {`{type: string}`, `{type: string, default: x}`, []string{at + ` default: spec` + of + `got the default "x"`}},
		"no default":     {`{type: string, default: x}`, `{type: string}`, []string{at + ` default: spec` + of + `lost its default "x"`}},
		"null":           {`{type: string, nullable: true}`, `{type: string}`, []string{at + " nullable: spec" + of + "may no longer be null"}},
		"maybe null":     {`{type: string}`, `{type: string, nullable: true}`, []string{at + " nullable: spec" + of + "may be null?"}},
		"pattern":        {`{type: string, pattern: a}`, `{type: string, pattern: b}`, []string{at + " pattern: spec" + of + "must match b"}},
		"no pattern":     {`{type: string, pattern: a}`, `{type: string}`, nil},
		"pruning":        {`{type: object, x-kubernetes-preserve-unknown-fields: true}`, `{type: object}`, []string{at + " pruning: spec" + of + "no longer keeps unknown fields"}},
		"tighter": {`{type: string, maxLength: 3}`, `{type: string, maxLength: 2, minLength: 1}`, []string{
			at + " maxLength: spec" + of + "changed its maxLength from 3 to 2", at + " minLength: spec" + of + "got the minLength 1",
		}},
		"looser":    {`{type: integer, maximum: 3, minimum: 1}`, `{type: integer, maximum: 4, minimum: 0}`, nil},
		"no limits": {`{type: integer, maximum: 3, minimum: 1}`, `{type: integer}`, nil},
		"zero":      {`{type: array}`, `{type: array, minItems: 0}`, nil},
		"exclusive": {`{type: integer, maximum: 3, minimum: 1}`, `{type: integer, maximum: 3, exclusiveMaximum: true, minimum: 1, exclusiveMinimum: true}`, []string{
			at + " exclusiveMaximum: spec" + of + "must be less than its maximum", at + " exclusiveMinimum: spec" + of + "must be greater than its minimum",
		}},
		"rule":   {`{type: integer, x-kubernetes-validations: [{rule: a}]}`, `{type: integer, x-kubernetes-validations: [{rule: b}]}`, []string{at + ` validation: spec` + of + `must satisfy "b"?`}},
		"format": {`{type: integer, format: int32}`, `{type: integer, format: int64}`, []string{at + " format: spec" + of + "has another format?"}},
		"atomic": {`{type: array, x-kubernetes-list-type: atomic}`, `{type: array}`, nil},
		"set":    {`{type: array}`, `{type: array, x-kubernetes-list-type: set}`, []string{at + " list-type: spec" + of + "has another list-type?"}},
		"any of": {`{}`, `{anyOf: [{type: string}]}`, []string{at + " anyOf: spec" + of + "has another anyOf?"}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, changes(definition(t, test.before), definition(t, test.after)))
		})
	}
}

func TestDefinitions(t *testing.T) {
	edited := func(edit func(spec *apiextensionsv1.CustomResourceDefinitionSpec)) *apiextensionsv1.CustomResourceDefinition {
		crd := definition(t, "{type: string}")
		crd.Spec.Scope = apiextensionsv1.NamespaceScoped
		crd.Spec.Versions[0].Subresources = &apiextensionsv1.CustomResourceSubresources{
			Status: &apiextensionsv1.CustomResourceSubresourceStatus{}, Scale: &apiextensionsv1.CustomResourceSubresourceScale{},
		}
		crd.Spec.Versions[0].SelectableFields = []apiextensionsv1.SelectableField{{JSONPath: ".spec"}}
		edit(&crd.Spec)
		return crd
	}
	same := edited(func(*apiextensionsv1.CustomResourceDefinitionSpec) {})
	older := edited(func(s *apiextensionsv1.CustomResourceDefinitionSpec) { s.Versions[0].Subresources = nil })
	for name, test := range map[string]struct {
		before, after *apiextensionsv1.CustomResourceDefinition
		want          []string
	}{
		"nothing": {same, same, nil},
		"scope": {same, edited(func(s *apiextensionsv1.CustomResourceDefinitionSpec) { s.Scope = apiextensionsv1.ClusterScoped }), []string{
			"robots.fleet.example.com scope: robots.fleet.example.com is Cluster, no longer Namespaced",
		}},
		"served": {same, edited(func(s *apiextensionsv1.CustomResourceDefinitionSpec) { s.Versions[0].Served = false }), []string{
			"robots.fleet.example.com/v1 served: robots.fleet.example.com/v1 is no longer served",
		}},
		"version": {same, edited(func(s *apiextensionsv1.CustomResourceDefinitionSpec) { s.Versions[0].Name = "v2" }), []string{
			"robots.fleet.example.com/v1 removed: robots.fleet.example.com/v1 is no version any more",
		}},
		"subresources": {same, older, []string{
			"robots.fleet.example.com/v1 status: robots.fleet.example.com/v1 lost its status subresource: clients cannot update the status",
			"robots.fleet.example.com/v1 scale: robots.fleet.example.com/v1 lost its scale subresource",
		}},
		"status": {older, same, []string{"robots.fleet.example.com/v1 status: robots.fleet.example.com/v1 got a status subresource: " +
			"updates of the object no longer change the status"}},
		"selectable": {same, edited(func(s *apiextensionsv1.CustomResourceDefinitionSpec) { s.Versions[0].SelectableFields = nil }), []string{
			"robots.fleet.example.com/v1 selectable: robots.fleet.example.com/v1 has no selectable field .spec any more",
		}},
		"unused version": {
			edited(func(s *apiextensionsv1.CustomResourceDefinitionSpec) {
				s.Versions[0].Served, s.Versions[0].Storage = false, false
			}),
			edited(func(s *apiextensionsv1.CustomResourceDefinitionSpec) { s.Versions = nil }), nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, changes(test.before, test.after))
		})
	}
	gone := Compare([]*apiextensionsv1.CustomResourceDefinition{same}, nil)
	require.Len(t, gone, 1)
	assert.Equal(t, "robots.fleet.example.com removed", gone[0].Key())
	assert.Equal(t, "robots.fleet.example.com is no resource any more", gone[0].String())
	assert.Empty(t, Compare(nil, []*apiextensionsv1.CustomResourceDefinition{same}))
}
