package repository

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// repository is a git repository with two modules, a vendored package, and a package in the module cache.
const repository = `
-- repo/.git/HEAD --
-- repo/.hidden/x.go --
package hidden // +mark
-- repo/go.mod --
module example.com/fleet

require (
	example.com/Lib v1.2.0
	example.com/lib/sub v0.1.0
)
-- repo/hack/gen.sh --
echo
-- repo/api/v1/types.go --
// +mark
package v1
-- repo/api/v1/more.go --
// +mark
package v1
-- repo/api/v1beta1/types.go --
package v1beta1
-- repo/api/v1beta1/types_test.go --
// +mark
package v1beta1
-- repo/tests/only_test.go --
package tests
-- repo/vendor/example.com/vendored/v1/types.go --
// +mark
package v1
-- repo/client/go.mod --
module example.com/fleet/client
-- repo/client/clientset/clientset.go --
package clientset
-- cache/example.com/!lib@v1.2.0/api/types.go --
// +mark
package api
-- cache/example.com/lib/sub@v0.1.0/api/types.go --
package api
-- other/secret.sh --
echo
`

// at returns the repository and its parent directory.
func at(t *testing.T) (repo *Repository, dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, f := range txtar.Parse([]byte(repository)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, f.Data, 0o666))
	}
	t.Setenv("GOMODCACHE", filepath.Join(dir, "cache"))
	return At(filepath.Join(dir, "repo", "api")), dir
}

// below returns slash-separated names relative to a directory, separated by spaces.
func below(t *testing.T, dir string, names ...string) string {
	t.Helper()
	var all []string
	for _, name := range names {
		rel, err := filepath.Rel(dir, name)
		require.NoError(t, err)
		all = append(all, filepath.ToSlash(rel))
	}
	return strings.Join(all, " ")
}

func TestRoot(t *testing.T) {
	repo, dir := at(t)
	assert.Equal(t, "repo", below(t, dir, repo.Root))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "repo", ".git")))
	for from, want := range map[string]string{"repo/api/v1": "repo", "repo/client/clientset": "repo/client", "other": "other"} {
		assert.Equal(t, want, below(t, dir, At(filepath.Join(dir, from)).Root), from)
	}
}

func TestHome(t *testing.T) {
	repo, dir := at(t)
	repo.Copied(repo.Root, "/mktemp/x")
	repo.Copied("/mktemp/x", "/mktemp/y")
	repo.Copied("/loop/a", "/loop/b")
	repo.Copied("/loop/b", "/loop/a")
	for name, want := range map[string]string{
		"/mktemp/x":                     "repo",
		"/mktemp/x/api/v1":              "repo/api/v1",
		"/mktemp/y/api/v1":              "repo/api/v1",
		"/mktemp/yz":                    "",
		"/loop/a/c":                     "",
		"/go/src/example.com/fleet":     "repo",
		"/go/src/example.com/fleet/api": "repo/api",
		"/go/src/example.com/fleet/client/clientset": "repo/client/clientset",
		"/go/src/example.com/fleets":                 "",
	} {
		got := repo.Home(name)
		if want == "" {
			assert.Equal(t, name, got)
			continue
		}
		assert.Equal(t, want, below(t, dir, got), name)
	}
	inside := filepath.Join(repo.Root, "src", "example.com", "fleet")
	assert.Equal(t, inside, repo.Home(inside), "a path in the repository stands for itself")
}

func TestPlaces(t *testing.T) {
	repo, dir := at(t)
	for importPath, want := range map[string]string{
		"example.com/fleet":                  "repo",
		"example.com/fleet/api/v1":           "repo/api/v1",
		"example.com/fleet/client":           "repo/client",
		"example.com/fleet/client/clientset": "repo/client/clientset",
		"example.com/fleets":                 "",
		"example.com/vendored/v1":            "repo/vendor/example.com/vendored/v1",
		"example.com/Lib/api":                "cache/example.com/!lib@v1.2.0/api",
		"example.com/lib/sub/api":            "cache/example.com/lib/sub@v0.1.0/api",
		"example.com/lib/sub/none":           "",
		"example.com/elsewhere":              "",
	} {
		got := repo.Source(repo.Root, importPath)
		if want == "" {
			assert.Empty(t, got, importPath)
			continue
		}
		assert.Equal(t, want, below(t, dir, got), importPath)
	}
	for name, want := range map[string]string{
		"repo":                                "example.com/fleet",
		"repo/api/v1":                         "example.com/fleet/api/v1",
		"repo/client/clientset":               "example.com/fleet/client/clientset",
		"repo/vendor/example.com/vendored/v1": "example.com/vendored/v1",
		"other":                               "",
	} {
		assert.Equal(t, want, repo.ImportPath(filepath.Join(dir, name)), name)
	}
}

func TestFiles(t *testing.T) {
	repo, dir := at(t)
	mark := regexp.MustCompile(`\+mark`)
	for from, want := range map[string]struct{ packages, marked string }{
		"repo":                             {"api/v1 api/v1beta1 client/clientset", "api/v1 api/v1beta1"},
		"repo/api":                         {"v1 v1beta1", "v1 v1beta1"},
		"repo/tests":                       {"", ""},
		"repo/none":                        {"", ""},
		"repo/vendor/example.com/vendored": {"v1", "v1"},
		"cache/example.com/!lib@v1.2.0":    {"api", "api"},
		"other":                            {"", ""},
		".":                                {"", ""},
		"cache/example.com/lib/sub@v0.1.0": {"api", ""},
		"cache/example.com/lib":            {"sub@v0.1.0/api", ""},
	} {
		root := filepath.Join(dir, from)
		assert.Equal(t, want.packages, below(t, root, repo.Packages(root)...), from)
		assert.Equal(t, want.marked, below(t, root, repo.Marked(root, mark)...), from)
	}
	files := slices.Collect(repo.Files(repo.Root))
	scripts := slices.DeleteFunc(files, func(name string) bool { return filepath.Ext(name) != ".sh" })
	assert.Equal(t, "hack/gen.sh", below(t, repo.Root, scripts...))
}

func TestRead(t *testing.T) {
	repo, dir := at(t)
	require.NoError(t, os.WriteFile(filepath.Join(repo.Root, "large"), make([]byte, maxSize+1), 0o666))
	for name, want := range map[string]bool{
		"repo/hack/gen.sh":        true,
		"repo/large":              false,
		"repo/hack":               false,
		"repo/none":               false,
		"other/secret.sh":         false,
		"repo/../other/secret.sh": false,
		"cache/example.com/!lib@v1.2.0/api/types.go": false,
	} {
		_, ok := repo.Read(filepath.Join(dir, name))
		assert.Equal(t, want, ok, name)
	}
}
