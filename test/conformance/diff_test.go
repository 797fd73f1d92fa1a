package conformance

import (
	"go/scanner"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/generate"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// changed are numbers of lines of code that we remove from a file of code-generator, and add to it.
type changed struct{ removed, added int }

// intended are the files that differ on purpose, as patterns of paths, with the lines that change for each release from the oldest on.
var intended = []struct {
	files, why string
	lines      [6]changed
}{
	{
		"clientset/versioned/fake/clientset_generated.go",
		"The fake generates names, deletes collections, does not store objects of subresources as the object itself, and applies without a " +
			"schema. All functions for it follow the code that both have. v0.33 and v0.34 misspell a variable.",
		[6]changed{{8, 88}, {6, 86}, {4, 84}, {4, 84}, {4, 84}, {4, 84}},
	},
	{
		"applyconfiguration/internal/internal.go", "The message of a panic.",
		[6]changed{{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
	},
	{
		"informers/externalversions/factory.go",
		"A transform or a shard selector that cannot be set is reported.",
		[6]changed{{2, 7}, {2, 7}, {2, 7}, {1, 5}, {1, 5}, {2, 8}},
	},
	{
		"informers/externalversions/*/*/*.go",
		"There are no functions that list and watch without a context: informers do not call them if there are functions with one.",
		[6]changed{{12, 0}, {12, 0}, {12, 0}, {12, 0}, {12, 0}, {12, 0}},
	},
}

// intendedFor returns the lines of a file that may change in a release.
func intendedFor(t *testing.T, file string, r release) changed {
	t.Helper()
	if path.Base(file) == "interface.go" {
		return changed{}
	}
	for _, row := range intended {
		if matches, err := path.Match(row.files, file); matches || err != nil {
			require.NoError(t, err)
			return row.lines[slices.IndexFunc(append(model.Targets(), model.NewestTarget), func(target model.Target) bool {
				return target.String() == r.name
			})]
		}
	}
	return changed{}
}

// TestDiff compares the code that a maintainer reviews who switches to informer-gen-lite, without comments and blank lines, with that of
// code-generator: names of imports, order of declarations, and everything else are the same, except for intended differences.
func TestDiff(t *testing.T) {
	forReleases(t, func(t *testing.T, r release) {
		theirs, ours := diffOutput(t, r, "upstream"), diffOutput(t, r, "ours")
		r.generateBoth(t, generate.Input{Patterns: []string{"./apis/..."}, NoSchema: true}, theirs, ours)
		was, is := codeOf(t, theirs), codeOf(t, ours)
		assert.Equal(t, slices.Sorted(maps.Keys(was)), slices.Sorted(maps.Keys(is)), "files")
		for file, code := range was {
			assert.Equal(t, intendedFor(t, file, r), difference(code, is[file]), "%s, of %d lines", file, len(code))
		}
	})
}

// diffOutput is a module with API packages.
func diffOutput(t *testing.T, r release, side string) generate.Output {
	t.Helper()
	dir := r.scratchDir(t, "diff", side)
	require.NoError(t, scratch.NewModule(dir, clientsModule, r.dir))
	require.NoError(t, scratch.CopyModule(filepath.Join("testdata", "diff"), filepath.Join(dir, "apis")))
	return generate.Output{
		Dir: dir, Folder: "client", Package: path.Join(clientsModule, "client"),
		Clientset: "clientset/versioned", Listers: "listers", Informers: "informers/externalversions", ApplyConfigurations: applyConfigurations,
	}
}

// codeOf returns the lines of code of each generated file, without comments, and with single spaces.
func codeOf(t *testing.T, out generate.Output) map[string][]string {
	t.Helper()
	files, err := scratch.GoFiles(filepath.Join(out.Dir, out.Folder), ".")
	require.NoError(t, err)
	code := map[string][]string{}
	for name, content := range files {
		code[name] = linesOf([]byte(content))
	}
	return code
}

// linesOf returns the lines of a Go file without comments, with the tokens separated by spaces.
func linesOf(src []byte) []string {
	var lines []string
	last := 0
	positions := token.NewFileSet()
	file := positions.AddFile("", positions.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		if literal == "" {
			literal = tok.String()
		}
		if line := file.Line(pos); line != last {
			lines, last = append(lines, ""), line
		}
		lines[len(lines)-1] += " " + literal
	}
}

// difference returns how many lines are only in a, and only in b.
func difference(a, b []string) changed {
	common := make([]int, len(b)+1) // of what is before a line of a, and each prefix of b
	for _, line := range a {
		diagonal := 0
		for i := range b {
			above := common[i+1]
			if line == b[i] {
				common[i+1] = diagonal + 1
			} else {
				common[i+1] = max(above, common[i])
			}
			diagonal = above
		}
	}
	return changed{len(a) - common[len(b)], len(b) - common[len(b)]}
}
