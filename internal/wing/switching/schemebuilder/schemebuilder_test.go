package schemebuilder

import (
	"errors"
	"flag"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// modulePath is the import path of the module in each archive. Files below other/ belong to a module that requires a release of it.
const modulePath = "example.com/fleet"

// extract writes the files of an archive, without expectations, and returns what to plan for.
func extract(t *testing.T, dir string, files []txtar.File) Config {
	t.Helper()
	c := Config{Follows: func(file string, _ *Package) bool { return !strings.HasPrefix(file, filepath.Join(dir, "other")) }}
	seen := map[string]bool{}
	for _, f := range files {
		if f.Name == "changes" || strings.HasPrefix(f.Name, "want/") {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, f.Data, 0o666))
		c.Files = append(c.Files, name)
		syntax, err := parser.ParseFile(token.NewFileSet(), "", f.Data, parser.PackageClauseOnly)
		require.NoError(t, err)
		if in := path.Dir(f.Name); !seen[in] && !strings.HasSuffix(syntax.Name.Name, "_test") {
			seen[in] = true
			c.Packages = append(c.Packages, &Package{Dir: filepath.Dir(name), Path: modulePath + "/" + in, Name: syntax.Name.Name})
		}
	}
	for _, p := range c.Packages {
		_, err := os.Stat(filepath.Join(p.Dir, "zz_generated.register.go"))
		p.Generated = err == nil
	}
	return c
}

// described returns what a plan changes, what it leaves, and the error.
func described(dir string, plan *Plan, err error) string {
	var lines []string
	if diags, ok := errors.AsType[diag.List](err); ok {
		for _, d := range diags.Sorted(dir) {
			lines = append(lines, d.String())
		}
	}
	for _, c := range plan.Changes {
		c.Pos.Filename = diag.Relative(dir, c.Pos.Filename)
		lines = append(lines, c.Pos.String()+": "+c.Text)
	}
	for _, p := range plan.Packages {
		line := p.Path + " without " + strings.Join(p.Registered, ", ")
		if p.Frees {
			line += ", without controller-runtime"
		}
		lines = append(lines, line)
	}
	for _, d := range plan.Left.Sorted(dir) {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestCases plans the edits for each archive, and compares them and the edited files with the archive.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			dir := t.TempDir()
			c := extract(t, dir, archive.Files)
			plan, err := New(c)
			require.NotNil(t, plan)
			got := []txtar.File{{Name: "changes", Data: []byte(described(dir, plan, err))}}
			for _, f := range slices.Sorted(slices.Values(c.Files)) {
				if content, ok := plan.Files[f]; ok && err == nil {
					got = append(got, txtar.File{Name: "want/" + diag.Relative(dir, f), Data: content})
					before, _ := os.ReadFile(f)
					if formatted, err := format.Source(before); err == nil && string(formatted) == string(before) {
						formatted, err := format.Source(content)
						require.NoError(t, err)
						assert.Equal(t, string(formatted), string(content))
					}
					require.NoError(t, os.WriteFile(f, content, 0o666))
				}
			}
			inputs := slices.DeleteFunc(slices.Clone(archive.Files), func(f txtar.File) bool {
				return f.Name == "changes" || strings.HasPrefix(f.Name, "want/")
			})
			result := txtar.Format(&txtar.Archive{Comment: archive.Comment, Files: append(inputs, got...)})
			if *update {
				require.NoError(t, os.WriteFile(name, result, 0o644))
			}
			assert.Equal(t, string(txtar.Format(archive)), string(result))

			for _, p := range c.Packages {
				p.Registered, p.Pos = nil, token.Position{}
			}
			again, err2 := New(c)
			assert.Equal(t, err != nil, err2 != nil)
			assert.Empty(t, again.Files, "a second run changes nothing")
		})
	}
}
