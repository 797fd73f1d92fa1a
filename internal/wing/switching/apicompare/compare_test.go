package apicompare

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

const root = "tree.example/clients"

const base = `
-- go.mod --
module tree.example/clients

go 1.26.0
-- a/a.go --
package a

type Lister interface {
	Get(name string) (Thing, error)
	List() []Thing
}

type Thing struct {
	Name string
	hidden int
}

func (t *Thing) Rename(name string) { t.Name = name }

func New(l Lister) Thing { return Thing{} }

const Group = "things.example.com"
-- generic/generic.go --
package generic

type Box[T any] struct{ Value T }
-- b/b.go --
package b

import "tree.example/clients/generic"

type IntBox = generic.Box[int]

type Boxes interface{ Open() generic.Box[int] }
`

func TestCompare(t *testing.T) {
	tests := map[string]struct {
		edit func(t *testing.T, files map[string]string)
		want []string
	}{
		"no change": {
			edit: func(*testing.T, map[string]string) {},
		},
		"what is not exported does not matter": {
			edit: replace("a/a.go", "hidden int", "secret string", "List() []Thing", "List() (all []Thing)"),
		},
		"method removed": {
			edit: replace("a/a.go", "func (t *Thing) Rename(name string) { t.Name = name }", ""),
			want: []string{"a: (*Thing).Rename: removed"},
		},
		"interface method removed": {
			edit: replace("a/a.go", "\tList() []Thing\n", ""),
			want: []string{"a: Lister.List: removed"},
		},
		"interface method added": {
			edit: replace("a/a.go", "\tList() []Thing\n", "\tList() []Thing\n\tWatch()\n"),
			want: []string{"a: Lister.Watch: added"},
		},
		"signature changed": {
			edit: replace("a/a.go", "func New(l Lister) Thing", "func New(l Lister, more ...int) Thing"),
			want: []string{"a: New: changed from func(Lister) Thing to func(Lister, ...int) Thing"},
		},
		"constant changed": {
			edit: replace("a/a.go", "things.example.com", "stuff.example.com"),
			want: []string{`a: Group: value changed from "things.example.com" to "stuff.example.com"`},
		},
		"function became a variable": {
			edit: replace("a/a.go", "func New(l Lister) Thing { return Thing{} }", "var New = func(Lister) (t Thing) { return }"),
			want: []string{"a: New: changed from func to var"},
		},
		"addition": {
			edit: replace("a/a.go", "const Group", "const Kind = \"Thing\"\nconst Group"),
			want: []string{"a: Kind: added"},
		},
		"type argument changed": {
			edit: replace("b/b.go", "Box[int]", "Box[string]"),
			want: []string{
				"b: Boxes: type arguments changed from [tree.example/clients/generic.Box[int]] to [tree.example/clients/generic.Box[string]]",
				"b: IntBox: type arguments changed from [tree.example/clients/generic.Box[int]] to [tree.example/clients/generic.Box[string]]",
			},
		},
		"package renamed": {
			edit: replace("b/b.go", "package b", "package c"),
			want: []string{"b: package name is c, want b"},
		},
		"package moved": {
			edit: func(_ *testing.T, files map[string]string) {
				files["c/b.go"] = files["b/b.go"]
				delete(files, "b/b.go")
			},
			want: []string{"b: package is missing", "c: package is added"},
		},
	}
	want := loadText(t, func(*testing.T, map[string]string) {})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, texts(findings(Compare(want, loadText(t, test.edit)))))
		})
	}
}

func TestStatus(t *testing.T) {
	want := loadText(t, func(*testing.T, map[string]string) {})
	got := loadText(t, func(t *testing.T, files map[string]string) {
		replace("a/a.go", "const Group", "const Kind = \"Thing\"\nconst Group")(t, files)
		replace("b/b.go", "Box[int]", "Box[string]")(t, files)
		files["c/c.go"] = "package c\n"
		files["d/d.go"] = "//go:build never\n\npackage d\n"
	})
	statuses := map[string]Status{}
	for _, result := range Compare(want, got) {
		statuses[result.Package] = result.Status()
	}
	assert.Equal(t, map[string]Status{"a": Additions, "b": Incompatible, "c": Additions, "generic": Equal}, statuses)
}

func TestCompareReportsCompileErrors(t *testing.T) {
	broken := loadText(t, replace("b/b.go", "generic.Box[int]", "generic.Bag[int]"))
	whole := loadText(t, func(*testing.T, map[string]string) {})
	for _, results := range [][]Result{Compare(whole, broken), Compare(broken, whole)} {
		found := findings(results)
		require.Len(t, found, 1, "the other packages are compared all the same")
		assert.Equal(t, "b", found[0].Package)
		assert.Contains(t, found[0].Message, "undefined: generic.Bag")
	}
}

func TestLoadOfNothing(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+root+"\n"), 0o644))
	_, err := Load(t.Context(), Config{Dir: dir, Root: root}, "./...")
	assert.ErrorContains(t, err, "no packages")
}

// loadText loads the packages of the constant base after an edit.
func loadText(t *testing.T, edit func(*testing.T, map[string]string)) API {
	t.Helper()
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(base)).Files {
		files[f.Name] = string(f.Data)
	}
	edit(t, files)
	dir := t.TempDir()
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
	}
	tree, err := Load(t.Context(), Config{Dir: dir, Root: root}, "./...")
	require.NoError(t, err)
	return tree
}

// replace edits one file. Each pair of strings is an existing text and its replacement.
func replace(name string, oldNew ...string) func(*testing.T, map[string]string) {
	return func(t *testing.T, files map[string]string) {
		t.Helper()
		for i := 0; i < len(oldNew); i += 2 {
			require.Contains(t, files[name], oldNew[i], "nothing to replace")
			files[name] = strings.ReplaceAll(files[name], oldNew[i], oldNew[i+1])
		}
	}
}

// findings returns the findings of all packages.
func findings(results []Result) []Finding {
	var all []Finding
	for _, result := range results {
		all = append(all, result.Findings...)
	}
	return all
}

func texts(findings []Finding) []string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, f.Package+": "+f.Text())
	}
	return lines
}

func TestLines(t *testing.T) {
	r := Result{Findings: []Finding{
		{Symbol: "A", Message: Added, Compatible: true}, {Symbol: "B", Message: Removed}, {Symbol: "C", Message: Added, Compatible: true},
	}}
	assert.Equal(t, []string{"B: removed", "A: added", "C: added"}, r.Lines(3))
	assert.Equal(t, []string{"B: removed", "and 2 more"}, r.Lines(2))
	assert.Empty(t, Result{}.Lines(2))
}
