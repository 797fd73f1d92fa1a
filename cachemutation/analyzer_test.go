package cachemutation_test

import (
	"go/token"
	"os/exec"
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

// analyze runs the analyzer on packages. Dependencies are not parsed, as with go vet.
func analyze(t *testing.T, patterns ...string) (findings []finding, loaded []*packages.Package) {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: ".."}, patterns...)
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

const casesDir = "./cachemutation/testdata/cases"

var quoted = regexp.MustCompile("`[^`]+`")

// TestCases compares the findings with the want comments of the cases.
func TestCases(t *testing.T) {
	findings, loaded := analyze(t, casesDir)
	require.Len(t, loaded, 1)
	wanted := 0
	for _, file := range loaded[0].Syntax {
		for _, group := range file.Comments {
			text, ok := strings.CutPrefix(group.List[0].Text, "// want ")
			if !ok {
				continue
			}
			for _, pattern := range quoted.FindAllString(text, -1) {
				wanted++
				want := findingAt(loaded[0].Fset, group.Pos(), strings.Trim(pattern, "`"))
				i := slices.IndexFunc(findings, func(f finding) bool {
					return f.file == want.file && f.line == want.line && strings.Contains(f.message, want.message)
				})
				if assert.GreaterOrEqual(t, i, 0, "not found: %v", want) {
					findings = slices.Delete(findings, i, i+1)
				}
			}
		}
	}
	assert.Greater(t, wanted, 30)
	assert.Empty(t, findings, "unexpected findings")
}

// TestNoFalseAlarms runs on this module and on the examples of client-go, which change no cached objects.
func TestNoFalseAlarms(t *testing.T) {
	findings, loaded := analyze(t, "./...", "k8s.io/client-go/examples/...")
	assert.Greater(t, len(loaded), 50)
	assert.True(t, slices.ContainsFunc(loaded, func(p *packages.Package) bool { return strings.HasSuffix(p.PkgPath, "/examples/workqueue") }))
	assert.Empty(t, findings)
}

// TestCommand runs the command on its own, and from go vet on a package with few dependencies.
func TestCommand(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "cachemutation.exe")
	command := func(name string, args ...string) (string, error) {
		c := exec.Command(name, args...)
		c.Dir = ".."
		output, err := c.CombinedOutput()
		return string(output), err
	}
	output, err := command("go", "build", "-o", tool, "./cmd/cachemutation")
	require.NoError(t, err, output)
	output, err = command(tool, casesDir)
	require.Error(t, err)
	assert.Contains(t, output, "changes.go:29:4: this assignment changes an object in an informer's cache")
	output, err = command("go", "vet", "-vettool="+tool, "./internal/goname")
	require.NoError(t, err, output)
}
