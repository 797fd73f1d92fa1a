package conformance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// schemaDifferences are the types whose schema may differ from the shipped one, with the reason, for each input of the API
// comparison.
var schemaDifferences = map[string]map[string]string{}

// assertSameSchema compares the schemas in two folders of apply configurations type by type: the fields, how they merge, and
// their defaults.
func assertSameSchema(t *testing.T, input, theirs, ours string) {
	t.Helper()
	wanted, have := readSchema(t, theirs), readSchema(t, ours)
	for name := range schemaDifferences[input] {
		assert.False(t, reflect.DeepEqual(wanted[name], have[name]), "%s is the same by now: no need for an exception", name)
	}
	for name, definition := range wanted {
		if schemaDifferences[input][name] == "" {
			assert.Equal(t, definition, have[name], name)
		}
	}
	for name := range have {
		assert.Contains(t, wanted, name)
	}
	if len(schemaDifferences[input]) == 0 && schemaText(t, theirs) != schemaText(t, ours) {
		assert.Fail(t, "the same schema has another text, which a diff would show", input)
	}
	t.Logf("%d types compared", len(wanted))
}

// schemaText returns the text of the schema in a folder of apply configurations.
func schemaText(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(dir, "internal", "internal.go")
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	text := ""
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if value, err := strconv.Unquote(literal.Value); err == nil && len(value) > len(text) {
				text = value
			}
		}
		return true
	})
	require.NotEmpty(t, text, "no schema in %s", name)
	return text
}

// readSchema returns the types of the schema in a folder of apply configurations, by name.
func readSchema(t *testing.T, dir string) map[string]schema.TypeDef {
	t.Helper()
	var read schema.Schema
	require.NoError(t, yaml.Unmarshal([]byte(schemaText(t, dir)), &read))
	types := map[string]schema.TypeDef{}
	for _, definition := range read.Types {
		types[definition.Name] = definition
	}
	require.NotEmpty(t, types, dir)
	return types
}

// TestChangedSchemaIsReported checks that the comparison detects a field that merges differently.
func TestChangedSchemaIsReported(t *testing.T) {
	const pod = "io.k8s.api.core.v1.PodSpec"
	folder := filepath.Join(newest.moduleDir(t, clientGo), applyTree)
	shipped, changed := readSchema(t, folder), readSchema(t, folder)
	assert.Equal(t, shipped[pod], changed[pod])
	for i, field := range changed[pod].Fields {
		if field.Name == "containers" {
			changed[pod].Fields[i].Type.Inlined.List.ElementRelationship = schema.Atomic
		}
	}
	assert.NotEqual(t, shipped[pod], changed[pod])
}
