package metrics

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestResults checks that every outcome of package controller has a result: others would count with an empty label.
func TestResults(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../controller/metrics.go", nil, 0)
	require.NoError(t, err)
	outcomes := 0
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "Outcome") {
			outcomes++
		}
		return true
	})
	assert.Len(t, results, outcomes)
}
