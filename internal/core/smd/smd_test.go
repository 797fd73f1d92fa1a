package smd_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/smd"
)

const types = `
-- a/types.go --
package a

import (
	"encoding/json"
	"net"
	"net/netip"
	"time"
)

type Leaf struct {
	N int ` + "`json:\"count\"`" + `
}

// +mapType=atomic
type Atomic struct {
	N int ` + "`json:\"count,omitempty\"`" + `
}

type Text string

// +default="red"
type Color string

const Blue = "blue"

type Base struct {
	B string ` + "`json:\"b,omitempty\"`" + `
}

type Number int

func (Number) OpenAPISchemaType() []string { return []string{"number"} }

func (Number) OpenAPISchemaFormat() string { return "" }

type Quantity struct{ N int }

func (Quantity) OpenAPISchemaType() []string { return []string{"string"} }

func (Quantity) OpenAPISchemaFormat() string { return "" }

type Custom struct{ N int }

func (*Custom) UnmarshalJSON(data []byte) error { return nil }

type Rate struct{ N int }

func (Rate) MarshalJSON() ([]byte, error) { return nil, nil }

// Stamp has the encoding of what it embeds.
type Stamp struct {
	*Rate ` + "`json:\",inline\"`" + `
	Text string ` + "`json:\"text\"`" + `
}

type Mode int

func (*Mode) MarshalText() ([]byte, error) { return nil, nil }

type Octet byte

type Tagless struct {
	Base
	*Leaf
	hidden
	Text
}

type hidden struct{ H int }
`

// schemaOf returns the schema of a struct with the fields.
func schemaOf(t *testing.T, text string) (map[string]any, []*gotype.Missing) {
	t.Helper()
	universe := gotypetest.Universe(t, types+text)
	root := universe.Package(gotypetest.Module + "/a").Types["Root"]
	out, missing := smd.Schema(universe, []*gotype.Decl{root})
	var schema struct{ Types []map[string]any }
	require.NoError(t, yaml.Unmarshal([]byte(out), &schema))
	byName := map[string]any{}
	for _, def := range schema.Types {
		name := strings.TrimPrefix(def["name"].(string), "com.example.m.a.")
		delete(def, "name")
		byName[name] = def
	}
	return byName, missing
}

// flow formats a value of a schema on one line.
func flow(t *testing.T, value any) string {
	t.Helper()
	var node yaml.Node
	require.NoError(t, node.Encode(value))
	node.Style = yaml.FlowStyle
	text, err := yaml.Marshal(&node)
	require.NoError(t, err)
	return strings.Join(strings.Fields(string(text)), " ")
}

const anything = `{list: {elementRelationship: atomic, elementType: {namedType: __untyped_atomic_}}, ` +
	`map: {elementRelationship: separable, elementType: {namedType: __untyped_deduced_}}, scalar: untyped}`

func TestFields(t *testing.T) {
	leaf := "com.example.m.a.Leaf"
	tests := map[string]string{
		`F int    @json:"f,omitempty"@`: "{name: f, type: {scalar: numeric}}",
		`F int    @json:"f"@`:           "{default: 0, name: f, type: {scalar: numeric}}",
		`F bool   @json:"f"@`:           "{default: false, name: f, type: {scalar: boolean}}",
		`F Text   @json:"f"@`:           `{default: "", name: f, type: {scalar: string}}`,
		`F *int   @json:"f"@`:           "{name: f, type: {scalar: numeric}}",
		`F int    @json:"f,string"@`:    "{name: f, type: {scalar: string}}",
		`F []byte @json:"f"@`:           "{name: f, type: {scalar: string}}",
		`F int`:                         "{default: 0, name: F, type: {scalar: numeric}}",
		`F any    @json:"f"@`:           "{name: f, type: " + anything + "}",
		`F time.Time @json:"f"@`:        "{name: f, type: {scalar: untyped}}",
		`F Number @json:"f,omitempty"@`: "{name: f, type: {scalar: numeric}}",
		`F Leaf   @json:"f"@`:           "{default: {}, name: f, type: {namedType: " + leaf + "}}",
		`F *Leaf  @json:"f,omitempty"@`: "{name: f, type: {namedType: " + leaf + "}}",
		`F Custom @json:"f"@`:           "{name: f, type: {namedType: com.example.m.a.Custom}}",
		`F json.RawMessage @json:"f"@`:  "{name: f, type: " + anything + "}",
		`F json.Number @json:"f"@`:      "{name: f, type: {scalar: numeric}}",
		`F Rate @json:"f"@`:             "{name: f, type: " + anything + "}",
		`F Stamp @json:"f"@`:            "{name: f, type: " + anything + "}",
		`F Mode @json:"f"@`:             "{name: f, type: {scalar: string}}",
		`F netip.Addr @json:"f"@`:       "{name: f, type: {scalar: string}}",
		`F net.IP @json:"f"@`:           "{name: f, type: {scalar: string}}",
		`F []Rate @json:"f"@`:           "{name: f, type: {list: {elementRelationship: atomic, elementType: " + anything + "}}}",
		`F map[Mode]int @json:"f"@`:     "{name: f, type: {map: {elementType: {scalar: numeric}}}}",
		`F []Octet @json:"f"@`:          "{name: f, type: {scalar: string}}",
		`F [2]byte @json:"f"@`: "{name: f, type: {list: {elementRelationship: atomic, elementType: {scalar: " +
			"numeric}}}}",
		`F int @json:"-,"@`:         "{default: 0, name: '-', type: {scalar: numeric}}",
		`F *bool @json:"f,string"@`: "{name: f, type: {scalar: string}}",
		`F Rate @json:"f,string"@`:  "{name: f, type: " + anything + "}",
		`F []int @json:"f,string"@`: "{name: f, type: {list: {elementRelationship: atomic, elementType: {scalar: numeric}}}}",
		`F []Leaf @json:"f"@`: "{name: f, type: {list: {elementRelationship: atomic, elementType: " +
			"{namedType: " + leaf + "}}}}",
		`F [2]int @json:"f"@`: "{name: f, type: {list: {elementRelationship: atomic, elementType: {scalar: " +
			"numeric}}}}",
		`F map[string]int @json:"f"@`: "{name: f, type: {map: {elementType: {scalar: numeric}}}}",
		`F struct{ N int @json:"count,omitempty"@ } @json:"f"@`: "{default: {}, name: f, type: {map: {fields: [{name: count, type: {scalar: " +
			"numeric}}]}}}",

		"// +listType=set\nF []string @json:\"f\"@": "{name: f, type: {list: {elementRelationship: associative, " +
			"elementType: {scalar: string}}}}",
		"// +listType=atomic\nF []string @json:\"f\"@": "{name: f, type: {list: {elementRelationship: atomic, " +
			"elementType: {scalar: string}}}}",
		"// +listType=map\n// +listMapKey=count\nF []Leaf @json:\"f\"@": "{name: f, type: {list: {elementRelationship: associative, " +
			"elementType: {namedType: " + leaf + "}, keys: [count]}}}",
		"// +k8s:listType=map\n// +k8s:listMapKey=count\nF []Leaf @json:\"f\"@": "{name: f, type: {list: {elementRelationship: associative, " +
			"elementType: {namedType: " + leaf + "}, keys: [count]}}}",
		"// +patchStrategy=merge\n// +patchMergeKey=count\nF []Leaf @json:\"f\"@": "{name: f, type: {list: {elementRelationship: associative, " +
			"elementType: {namedType: " + leaf + "}, keys: [count]}}}",
		"// +mapType=atomic\nF map[string]int @json:\"f\"@": "{name: f, type: {map: {elementRelationship: atomic, " +
			"elementType: {scalar: numeric}}}}",
		"// +mapType=granular\nF map[string]int @json:\"f\"@": "{name: f, type: {map: {elementRelationship: separable, " +
			"elementType: {scalar: numeric}}}}",
		"// +structType=atomic\nF Leaf @json:\"f\"@": "{default: {}, name: f, type: {elementRelationship: " +
			"atomic, namedType: " + leaf + "}}",

		"// +default=3\nF int @json:\"f,omitempty\"@":                          "{default: 3, name: f, type: {scalar: numeric}}",
		"// +default=\"x\"\nF Text @json:\"f,omitempty\"@":                     "{default: x, name: f, type: {scalar: string}}",
		"// +default=ref(Blue)\nF Text @json:\"f,omitempty\"@":                 "{default: blue, name: f, type: {scalar: string}}",
		"// +default=ref(example.com/m/a.Blue)\nF Text @json:\"f,omitempty\"@": "{default: blue, name: f, type: {scalar: string}}",
		"F Color @json:\"f,omitempty\"@":                                       "{default: red, name: f, type: {scalar: string}}",
		"F *Color @json:\"f,omitempty\"@":                                      "{default: red, name: f, type: {scalar: string}}",
	}
	names := slices.Sorted(maps.Keys(tests))
	source := ""
	for i, field := range names {
		source += fmt.Sprintf("type Case%d struct {\n%s\n}\n", i, strings.ReplaceAll(field, "@", "`"))
	}
	source += "type Root struct {\n"
	for i := range names {
		source += fmt.Sprintf("C%d Case%d `json:\"c%d\"`\n", i, i, i)
	}
	schema, missing := schemaOf(t, source+"}\n")
	require.Empty(t, missing)
	for i, field := range names {
		fields := schema[fmt.Sprintf("Case%d", i)].(map[string]any)["map"].(map[string]any)["fields"].([]any)
		require.Len(t, fields, 1, field)
		assert.Equal(t, tests[field], flow(t, fields[0]), field)
	}
}

func TestDefinitions(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"fields that are left out": {
			"type Root struct {\nA int `json:\"-\"`\nb int\nC int `json:\"c,omitempty\"`\n}\n",
			"{map: {fields: [{name: c, type: {scalar: numeric}}]}}"},
		"inlined": {
			"type Root struct {\nBase `json:\",inline\"`\n}\n", "{map: {fields: [{name: b, type: {scalar: string}}]}}"},
		"embedded without a tag": {
			"type Root struct {\nTagless\nN int `json:\"h,omitempty\"`\n}\n",
			`{map: {fields: [{default: 0, name: H, type: {scalar: numeric}}, {default: "", name: Text, type: {scalar: string}}, ` +
				"{name: b, type: {scalar: string}}, {default: 0, name: count, type: {scalar: numeric}}, " +
				"{name: h, type: {scalar: numeric}}]}}"},
		"hidden by each other": {
			"type Root struct {\nBase\nOther\n}\n\ntype Other struct {\nB, C string `json:\"b,omitempty\"`\n}\n",
			"{map: {elementType: " + anything + "}}"},
		"encodes itself": {"type Root struct {\nRate\nN int `json:\"n\"`\n}\n", anything},
		"embedded with a name": {
			"type Root struct {\nBase `json:\"base,omitempty\"`\n}\n", "{map: {fields: [{default: {}, name: base, type: {namedType: " +
				"com.example.m.a.Base}}]}}"},
		"no fields": {"type Root struct{}\n", "{map: {elementType: " + anything + "}}"},
		"atomic": {
			"// +structType=atomic\ntype Root struct {\nN int `json:\"count,omitempty\"`\n}\n",
			"{map: {elementRelationship: atomic, fields: [{name: count, type: {scalar: numeric}}]}}",
		},
		"itself": {
			"type Root struct {\nNext *Root `json:\"next,omitempty\"`\n}\n",
			"{map: {fields: [{name: next, type: {namedType: com.example.m.a.Root}}]}}",
		},
		"not a struct": {"type Root []string\n", anything},
		"inlined in itself": {
			"type Root struct {\nN int `json:\"count,omitempty\"`\n*Root `json:\",inline\"`\n*Other `json:\",inline\"`\n}\n\ntype Other struct {\n" +
				"*Root `json:\",inline\"`\n*Other `json:\",inline\"`\n}\n",
			"{map: {fields: [{name: count, type: {scalar: numeric}}]}}"},
		"union": {"// +union\ntype Root struct {\n// +unionDiscriminator\nKind string `json:\"kind,omitempty\"`\n" +
			"One *Leaf `json:\"one,omitempty\"`\nTwo *Leaf `json:\"two,omitempty\"`\n}\n",
			"{map: {fields: [{name: kind, type: {scalar: string}}, {name: one, type: {namedType: com.example.m.a.Leaf}}, {name: two, type: " +
				"{namedType: com.example.m.a.Leaf}}], " +
				"unions: [{discriminator: kind, fields: [{discriminatorValue: One, fieldName: one}, {discriminatorValue: Two, fieldName: two}]}]}}"},
		"says its type": {"type Root struct{ N int }\n\nfunc (Root) OpenAPISchemaType() []string { return []string{\"integer\"} }\n\n" +
			"func (Root) OpenAPISchemaFormat() string { return \"int32\" }\n",
			"{scalar: numeric}"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			schema, missing := schemaOf(t, test.text)
			require.Empty(t, missing)
			assert.Equal(t, test.want, flow(t, schema["Root"]))
			assert.Contains(t, schema, "__untyped_atomic_")
			assert.Contains(t, schema, "__untyped_deduced_")
		})
	}
}

func TestMissing(t *testing.T) {
	_, missing := schemaOf(t, "type Root struct {\nF NotThere `json:\"f\"`\n}\n")
	require.Len(t, missing, 1)
	assert.Equal(t, "type NotThere is not declared", missing[0].Reason)
}

func TestTypesWithoutSchema(t *testing.T) {
	const inItself = "type List contains itself, which its schema cannot express"
	for name, test := range map[string]struct{ field, more, want string }{
		"slice":          {"List", "type List []List", inItself},
		"slices":         {"[]List", "type List []*List", inItself},
		"map":            {"List", "type List map[string]List", inItself},
		"unnamed struct": {"List", "type List []struct{ A, B, C List }", inItself},
		"in a circle":    {"List", "type List []Other\n\ntype Other map[string]List", inItself},
		"generic struct": {"List[int]", "type List[T any] struct{ A, B *List[T] }", inItself},
		"levels":         {strings.Repeat("[]", 200) + "string", "", "the type is nested more than 200 levels deep"},
		"structs": {
			strings.Repeat("struct{ F ", 200) + "string" + strings.Repeat("}", 200),
			"",
			"the type is nested more than 200 levels deep",
		},
		"fewer levels": {strings.Repeat("[]", 199) + "string", "", ""},
		"named levels": {"[][]Leaf", "type List struct { Next " + strings.Repeat("[]", 199) + "Leaf }", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, missing := schemaOf(t, "type Root struct {\nF "+test.field+" `json:\"f\"`\nG "+test.field+" `json:\"g\"`\n}\n\n"+test.more+"\n")
			assert.Equal(t, test.want != "", len(missing) > 0)
			for _, m := range missing {
				assert.True(t, m.Pos.IsValid())
				assert.Equal(t, test.want, m.Reason)
			}
		})
	}
}

func TestName(t *testing.T) {
	universe := gotypetest.Universe(t, `
-- a/a.go --
package a

type Plain struct{}

type Named struct{}

func (Named) OpenAPIModelName() string { return "io.fleet.Named" }
-- b/doc.go --
// +k8s:openapi-model-package=io.fleet.b
package b

type Said struct{}

func (Said) OpenAPIModelName() string { return name() }
`)
	for path, want := range map[string]string{
		"a.Plain": "com.example.m.a.Plain", "a.Named": "io.fleet.Named", "b.Said": "io.fleet.b.Said",
	} {
		pkg, name, _ := strings.Cut(path, ".")
		assert.Equal(t, want, smd.Name(universe.Package(gotypetest.Module + "/" + pkg).Types[name]))
	}
}
