package cachemutation_test

import (
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/informer-gen-lite/informer-gen-lite/cachemutation"
)

// finding is a report for a line.
type finding struct {
	file    string
	line    int
	message string
}

func findingAt(files *token.FileSet, pos token.Pos, message string) finding {
	at := files.Position(pos)
	return finding{filepath.Base(at.Filename), at.Line, message}
}

// analyze runs the analyzer on packages, seen from the module in dir. Dependencies are not parsed, as with go vet.
func analyze(t *testing.T, dir string, patterns ...string) (findings []finding, loaded []*packages.Package) {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: dir}, patterns...)
	require.NoError(t, err)
	require.Zero(t, packages.PrintErrors(loaded))
	graph, err := checker.Analyze([]*analysis.Analyzer{cachemutation.Analyzer}, loaded, nil)
	require.NoError(t, err)
	for action := range graph.All() {
		require.NoError(t, action.Err)
		for _, diagnostic := range action.Diagnostics {
			findings = append(findings, findingAt(action.Package.Fset, diagnostic.Pos, diagnostic.Message))
		}
	}
	return findings, loaded
}

var quoted = regexp.MustCompile("`[^`]+`")

// TestCases compares the findings with the want comments of the cases.
func TestCases(t *testing.T) {
	findings, loaded := analyze(t, "testdata/cases", "./...")
	require.Len(t, loaded, 4)
	wanted := 0
	for _, want := range wants(loaded) {
		wanted++
		i := slices.IndexFunc(findings, func(f finding) bool {
			return f.file == want.file && f.line == want.line && strings.Contains(f.message, want.message)
		})
		if assert.GreaterOrEqual(t, i, 0, "not found: %v", want) {
			findings = slices.Delete(findings, i, i+1)
		}
	}
	assert.Greater(t, wanted, 110)
	assert.Empty(t, findings, "unexpected findings")
}

// wants returns the findings that packages want in comments.
func wants(loaded []*packages.Package) (wanted []finding) {
	for _, p := range loaded {
		for _, file := range p.Syntax {
			for _, group := range file.Comments {
				text, ok := strings.CutPrefix(group.List[0].Text, "// want ")
				if !ok {
					continue
				}
				for _, pattern := range quoted.FindAllString(text, -1) {
					wanted = append(wanted, findingAt(p.Fset, group.Pos(), strings.Trim(pattern, "`")))
				}
			}
		}
	}
	return wanted
}

const module = "github.com/informer-gen-lite/informer-gen-lite"

// TestNoFalseAlarms runs on this module, the library, the examples, and the examples of client-go, which change no cached objects.
func TestNoFalseAlarms(t *testing.T) {
	for dir, patterns := range map[string]map[string]int{ // to the least number of packages
		"..": {module: 40},
		// The examples require the library and client-go. Loaded from here, all have the same dependencies.
		"../examples": {module + "/examples": 25, module + "/runtime": 8, "k8s.io/client-go/examples": 5},
	} {
		t.Run(dir, func(t *testing.T) {
			var all []string
			for prefix := range patterns {
				all = append(all, prefix+"/...")
			}
			findings, loaded := analyze(t, dir, all...)
			for prefix, atLeast := range patterns {
				count := 0
				for _, p := range loaded {
					if strings.HasPrefix(p.PkgPath+"/", prefix+"/") {
						count++
					}
				}
				assert.GreaterOrEqual(t, count, atLeast, prefix)
			}
			assert.Empty(t, findings)
		})
	}
}
