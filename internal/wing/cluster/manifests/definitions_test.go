package manifests

import (
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/change"
)

// definition returns a definition with a schema and with more parts of its version and specification, in flow style.
func definition(schema, version, spec string) string {
	return document("apiextensions.k8s.io/v1", "CustomResourceDefinition", "name: robots.example.com",
		"spec: {group: example.com, scope: Namespaced, "+spec+", versions: [{name: v1, served: true, storage: true, "+version+
			"schema: {openAPIV3Schema: "+schema+"}}]}")
}

func TestCheckDefinitions(t *testing.T) {
	t.Parallel()
	const names = "names: {kind: Robot, plural: robots}"
	object := func(properties string) string { return "{type: object, properties: {" + properties + "}}" }
	whole := func(schema string) string { return definition(schema, "", names) }
	const schema = "spec.versions[v1].schema.openAPIV3Schema"
	for name, test := range map[string]struct {
		want, got string
		problems  string
		place     string
	}{
		"same":          {whole("{type: object}"), whole("{type: object, description: x}"), "", ""},
		"names":         {whole("{type: object}"), definition("{type: object}", "", "names: {kind: Robot, plural: robots, singular: robot, listKind: RobotList}"), "", ""},
		"short name":    {definition("{}", "", "names: {kind: Robot, plural: robots, shortNames: [ro, rb]}"), definition("{}", "", "names: {kind: Robot, plural: robots, shortNames: [rb]}"), "spec.names.shortNames[ro] is missing", ""},
		"short names":   {whole("{}"), definition("{}", "", "names: {kind: Robot, plural: robots, shortNames: [rb]}"), "warning: spec.names.shortNames is not in the types", ""},
		"list kind":     {whole("{}"), definition("{}", "", "names: {kind: Robot, plural: robots, listKind: Robots}"), `spec.names.listKind is "Robots", want "RobotList"`, ""},
		"columns":       {definition("{}", "additionalPrinterColumns: [{name: A, type: string, jsonPath: .a}], ", names), definition("{}", "additionalPrinterColumns: [{name: B, type: string, jsonPath: .b}, {name: A, type: string, jsonPath: .a, description: x}], ", names), "warning: spec.versions[v1].additionalPrinterColumns[B] is not in the types", "/v1 "},
		"subresource":   {whole("{}"), definition("{}", "subresources: {status: {}}, ", names), `spec.versions[v1].subresources is {"status":{}}, which the types do not have`, "/v1 "},
		"no version":    {strings.Replace(whole("{}"), "versions: [", "versions: [{name: v2, served: true, storage: false}, ", 1), whole("{}"), "spec.versions[v2] is missing", "/v2 "},
		"description":   {whole(object("description: {type: string}")), whole(object("")), schema + ".properties.description is missing", "/v1 description"},
		"no fields":     {whole("{type: object}"), whole(object("a: {type: string}")), "warning: " + schema + ".properties.a is not in the types", ""},
		"field":         {whole(object("description: {type: string}, a: {type: string}")), whole(object("a: {type: string}")), schema + ".properties.description is missing", "/v1 description"},
		"of properties": {whole(object("properties: {type: object, properties: {a: {type: string}}}")), whole(object("properties: {type: object, properties: {a: {type: integer}}}")), schema + `.properties.properties.properties.a.type is "integer", want "string"`, "/v1 properties a"},
		"element":       {whole(object("a: {type: array, items: {type: object, required: [b]}}")), whole(object("a: {type: array, items: {type: object, required: [c]}}")), schema + ".properties.a.items.required[b] is missing\n" + schema + `.properties.a.items.required[c] is "c", which the types do not have`, "/v1 a [*] b\n/v1 a [*] c"},
		"values":        {whole(object("a: {additionalProperties: {type: string}}")), whole(object("a: {additionalProperties: {type: integer}}")), schema + `.properties.a.additionalProperties.type is "integer", want "string"`, "/v1 a [*]"},
		"default":       {whole(object("a: {default: [{description: a}, b]}")), whole(object("a: {default: [b, {description: a}]}")), schema + `.properties.a.default is ["b",{"description":"a"}], want [{"description":"a"},"b"]`, "/v1 a"},
		"enum":          {whole(object("a: {enum: [a, 1, null]}")), whole(object("a: {enum: [null, 1, a]}")), "", ""},
		"rules":         {whole("{x-kubernetes-validations: [{rule: a}, {rule: b}]}"), whole("{x-kubernetes-validations: [{rule: b}, {rule: a, message: x}]}"), schema + `.x-kubernetes-validations[a].message is "x", which the types do not have`, "/v1 "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wanted := &apiextensionsv1.CustomResourceDefinition{}
			require.NoError(t, yaml.Unmarshal([]byte(strings.TrimSuffix(test.want, "---\n")), wanted))
			var places []string
			diags, absent := parse(t, test.got).CheckDefinitions([]*apiextensionsv1.CustomResourceDefinition{wanted}, func(p change.Place) token.Position {
				if p.Version != "" {
					places = append(places, "/"+p.Version+" "+strings.Join(p.Path, " "))
				}
				return token.Position{}
			})
			assert.Empty(t, absent)
			var problems []string
			for _, d := range diags {
				assert.True(t, d.Pos.IsValid())
				d.Pos, d.Hint = token.Position{}, ""
				problems = append(problems, strings.Replace(d.String(), "document 1, CustomResourceDefinition/robots.example.com: ", "", 1))
			}
			assert.Equal(t, test.problems, strings.Join(problems, "\n"))
			if !strings.HasPrefix(test.problems, "warning") {
				assert.Equal(t, test.place, strings.Join(places, "\n"))
			}
		})
	}
}

// TestOtherDefinitions has definitions of other groups, and none of a kind.
func TestOtherDefinitions(t *testing.T) {
	t.Parallel()
	wanted := &apiextensionsv1.CustomResourceDefinition{}
	wanted.Name, wanted.Spec.Group, wanted.Spec.Names.Kind = "robots.fleet.example.com", "fleet.example.com", "Robot"
	other := definition("{}", "", "names: {kind: Robot, plural: robots}")
	stream := parse(t, other+document("apiextensions.k8s.io/v1", "CustomResourceDefinition", "name: x", "spec: []"))
	diags, absent := stream.CheckDefinitions([]*apiextensionsv1.CustomResourceDefinition{wanted}, nil)
	require.Len(t, diags, 1)
	assert.ErrorContains(t, diags, "s.yaml:6:1: document 2, CustomResourceDefinition/x: cannot unmarshal")
	assert.Equal(t, []string{wanted.Name}, absent)
	assert.False(t, parse(t, rbac("Role", "name: r")).HasDefinitions())
}
