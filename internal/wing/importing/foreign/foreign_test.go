package foreign_test

import (
	"flag"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/foreign"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/known"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestFiles imports the YAML and JSON files of each archive. The other files are the result: Go files, and what is printed in diagnostics.
func TestFiles(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			var sources []foreign.Source
			var in, out []txtar.File
			for _, f := range archive.Files {
				if slices.Contains([]string{".yaml", ".json"}, filepath.Ext(f.Name)) {
					in = append(in, f)
					sources = append(sources, foreign.Source{Name: f.Name, Text: f.Data})
				} else {
					out = append(out, f)
				}
			}
			got := result(t, sources, options(t, string(archive.Comment)))
			if *update {
				archive.Files = slices.Concat(in, got)
				require.NoError(t, os.WriteFile(name, txtar.Format(archive), 0o644))
				return
			}
			for _, want := range out {
				require.NotEmpty(t, got, "no file %s", want.Name)
				assert.Equal(t, want.Name, got[0].Name)
				assert.Equal(t, string(want.Data), string(got[0].Data))
				got = got[1:]
			}
			assert.Empty(t, got)
		})
	}
}

// repository returns the types of Kubernetes that this repository requires.
func repository(t *testing.T) *known.Types {
	t.Helper()
	dir, err := filepath.Abs(".")
	require.NoError(t, err)
	types, err := known.Load(t.Context(), dir)
	require.NoError(t, err)
	return types
}

// options reads options from lines of the form key: value.
func options(t *testing.T, comment string) foreign.Options {
	t.Helper()
	opts := foreign.Options{Source: "crds.yaml", Names: map[string]string{}, GroupGoNames: map[string]string{}}
	opts.NamesPos = token.Position{Filename: "config.yaml", Line: 3}
	for line := range strings.Lines(comment) {
		switch key, value, _ := strings.Cut(strings.TrimSpace(line), ": "); key {
		case "name":
			from, to, _ := strings.Cut(value, " ")
			opts.Names[from] = to
		case "group":
			from, to, _ := strings.Cut(value, " ")
			opts.GroupGoNames[from] = to
		case "versions":
			opts.Versions = strings.Fields(value)
		case "recognize":
			opts.Recognize = repository(t).Recognize
		}
	}
	return opts
}

// result returns the files of an import and its diagnostics.
func result(t *testing.T, sources []foreign.Source, opts foreign.Options) (files []txtar.File) {
	t.Helper()
	opts.Holder = func(string) string { return "" }
	var diags diag.List
	definitions, err := foreign.Read(sources, foreign.Groups{})
	if err == nil {
		made, warnings, failed := definitions.Files(opts)
		for _, f := range made {
			files = append(files, txtar.File{Name: f.Path, Data: f.Content})
		}
		diags, err = warnings, failed
	}
	if err != nil {
		files = nil
		require.ErrorAs(t, err, &diags)
	}
	if len(diags) > 0 {
		files = append(files, txtar.File{Name: "diagnostics", Data: []byte(diags.Sorted("").Error() + "\n")})
	}
	return files
}

// TestOrder reads documents in another order: names and files do not depend on it.
func TestOrder(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/groups.txtar")
	require.NoError(t, err)
	text := string(archive.Files[0].Data)
	first, second, ok := strings.Cut(text, "---\n")
	require.True(t, ok)
	opts := foreign.Options{Source: "crds.yaml"}
	assert.Equal(t, result(t, []foreign.Source{{Text: []byte(text)}}, opts),
		result(t, []foreign.Source{{Text: []byte(second)}, {Text: []byte(first)}}, opts))
}

// TestGrowth adds a kind and a property with the structure of another one: types keep their names, unless the new path is shorter.
func TestGrowth(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/growth.txtar")
	require.NoError(t, err)
	for property, keeps := range map[string]bool{"longer": true, "k": false} {
		before := string(archive.Files[0].Data)
		ship, _, ok := strings.Cut(before, "---\n")
		require.True(t, ok)
		after := strings.Replace(before, "# more", property+": {type: object, properties: {a: {type: string}}}", 1)
		small := result(t, []foreign.Source{{Text: []byte(ship)}}, foreign.Options{})
		large := result(t, []foreign.Source{{Text: []byte(after)}}, foreign.Options{})
		const field = "\tKeel *ShipKeel `json:\"keel,omitempty\"`\n"
		require.Contains(t, string(small[1].Data), field)
		assert.Equal(t, keeps, strings.Contains(string(large[1].Data), field), property)
	}
}

// TestLarge imports a definition of 5 MB with an object of 10,000 properties, and refuses one with too many levels. It would take a
// minute if the time were quadratic.
func TestLarge(t *testing.T) {
	const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.x.example.com}\n" +
		"spec:\n  group: x.example.com\n  names: {kind: A, plural: as}\n  scope: Cluster\n  versions:\n  - name: v1\n    served: true\n    schema:\n      openAPIV3Schema: "
	var wide strings.Builder
	wide.WriteString(head + "{type: object, properties: {spec: {type: object, properties: {")
	for i := range 50_000 {
		if i%200 == 0 {
			fmt.Fprintf(&wide, "object%d: {type: object, properties: {", i)
		}
		fmt.Fprintf(&wide, "field%d: {type: string, description: \"%s\"},\n        ", i, strings.Repeat("word ", 15))
		if i%200 == 199 {
			wide.WriteString("}},\n        ")
		}
	}
	wide.WriteString("flat: {type: object, properties: {")
	for i := range 10_000 {
		fmt.Fprintf(&wide, "flat%d: {type: string},\n        ", i)
	}
	wide.WriteString("}}}}}}\n")
	require.Greater(t, wide.Len(), 5<<20)
	files := result(t, []foreign.Source{{Name: "wide.yaml", Text: []byte(wide.String())}}, foreign.Options{Source: "wide.yaml"})
	require.Len(t, files, 2)
	assert.Contains(t, string(files[1].Data), "\tField49999 *string `json:\"field49999,omitempty\"`\n")

	deep := head + strings.Repeat("{type: object, properties: {a: ", 150) + "{type: string}" + strings.Repeat("}}", 150) + "\n"
	files = result(t, []foreign.Source{{Name: "deep.yaml", Text: []byte(deep)}}, foreign.Options{})
	require.Len(t, files, 1)
	assert.Contains(t, string(files[0].Data), "the schema has more than 100 levels")
}
