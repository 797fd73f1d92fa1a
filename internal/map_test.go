package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deep are the folders all of whose packages are rooms. Of other folders at the top, the packages directly below are.
var deep = []string{"internal"}

// single are folders at the top that are one room, with all that is in them.
var single = []string{"apiservertest", "cachemutation", "crdfake", "examples", "testdata"}

// TestMap compares the table of folders in CONTRIBUTING.md with the tree: a newcomer finds every room on it, and nothing that is gone.
func TestMap(t *testing.T) {
	rows := mapRows(t)
	for _, room := range rooms(t) {
		assert.True(t, slices.ContainsFunc(rows, func(r mapRow) bool { return r.names(room) }), "%s is not in the table of CONTRIBUTING.md", room)
	}
	for _, row := range rows {
		for _, folder := range row.folders {
			found, err := filepath.Glob(filepath.Join("..", folder))
			require.NoError(t, err)
			assert.NotEmpty(t, found, "CONTRIBUTING.md has %s", folder)
		}
	}
}

// rooms returns the folders that belong on the map.
func rooms(t *testing.T) (all []string) {
	t.Helper()
	for dir := range packages(t, "..") {
		parts := strings.Split(filepath.ToSlash(dir), "/")[1:]
		switch {
		case len(parts) == 0: // the library itself
			continue
		case slices.Contains(deep, parts[0]):
		case slices.Contains(single, parts[0]):
			parts = parts[:1]
		default:
			parts = parts[:min(2, len(parts))]
		}
		all = append(all, strings.Join(parts, "/"))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// maxFields is the number of fields of controller.Controller: a group of fields belongs to the room that uses them together.
const maxFields = 12

func TestControllerHasFewFields(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), library+"/controller/controller.go", nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	fields := 0
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.TypeSpec); ok && spec.Name.Name == "Controller" {
			fields += spec.Type.(*ast.StructType).Fields.NumFields()
		}
		return true
	})
	assert.NotZero(t, fields)
	assert.LessOrEqual(t, fields, maxFields)
}

// mapRow is a row of the table: the folders in its first cell, and all words in code.
type mapRow struct{ folders, words []string }

var code = regexp.MustCompile("`([^`]+)`")

func mapRows(t *testing.T) (rows []mapRow) {
	t.Helper()
	text, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(text), "\n| folder | contents |\n|---|---|\n")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n\n")
	for line := range strings.Lines(table) {
		var row mapRow
		cells := strings.SplitN(line, "|", 3)
		for _, match := range code.FindAllStringSubmatch(cells[1], -1) {
			row.folders = append(row.folders, match[1])
		}
		for _, match := range code.FindAllStringSubmatch(line, -1) {
			row.words = append(row.words, match[1])
		}
		rows = append(rows, row)
	}
	return rows
}

// names reports whether a row has a room: the room itself, or one around it and, in its words, the rest of the path.
func (r mapRow) names(room string) bool {
	return slices.ContainsFunc(r.folders, func(folder string) bool {
		if match, err := filepath.Match(folder, room); err == nil && match {
			return true
		}
		rest, below := strings.CutPrefix(room, folder+"/")
		return below && slices.Contains(r.words, rest)
	})
}
