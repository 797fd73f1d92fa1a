package module

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module/moduletest"
)

func TestOwner(t *testing.T) {
	root := moduletest.LayOut(t, `
-- m/go.mod --
module example.com/m
-- m/nested/go.mod --
go 1.26
`)
	dir := func(elements ...string) string { return filepath.Join(append([]string{root}, elements...)...) }
	owner, err := Owner(dir("m", "a", "b"))
	require.NoError(t, err)
	assert.Equal(t, Place{dir("m"), "example.com/m"}, owner)
	_, err = Owner(dir("m", "nested", "sub"))
	assert.EqualError(t, err, dir("m", "nested", "go.mod")+": no module path")
	_, err = Owner(root)
	assert.EqualError(t, err, "no go.mod in "+root+" or its parents: set --output-pkg")

	assert.Equal(t, dir("m"), Place{Dir: dir("m", "a", "b")}.Root())
	assert.Equal(t, dir("x"), Place{Dir: dir("x")}.Root(), "without a module")

	importPath, err := ImportPath(dir("m", "a"))
	require.NoError(t, err)
	assert.Equal(t, "example.com/m/a", importPath)
	_, err = ImportPath(dir("m", "a b"))
	assert.ErrorContains(t, err, "cannot be a Go package")
}

func TestWithin(t *testing.T) {
	for name, want := range map[string]bool{"/a": true, "/a/b": true, "/a/../a/b": true, "/ab": false, "/": false, "/b": false} {
		assert.Equal(t, want, Within("/a", name), name)
	}
	assert.True(t, AnyWithin([]string{"/x", "/b/c"}, []string{"/a", "/b"}))
	assert.False(t, AnyWithin([]string{"/x"}, []string{"/a", "/b"}))
}

func TestCommonDir(t *testing.T) {
	t.Parallel()
	assert.Empty(t, CommonDir(nil))
	assert.Equal(t, "/a/b", CommonDir([]string{"/a/b/c"}))
	assert.Equal(t, "/a", CommonDir([]string{"/a/b/c/d", "/a/b"}))
	assert.Equal(t, "/", CommonDir([]string{"/ab/c", "/a/c", "/ab/d"}))
}

func TestIgnored(t *testing.T) {
	for name, want := range map[string]bool{
		"a": false, "test": false, ".": false, "..": false, "node_modules": false, ".git": true, "_x": true, "testdata": true, "vendor": true,
	} {
		assert.Equal(t, want, Ignored(name), name)
	}
}

func TestHasGo(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "x.go"), 0o777))
	assert.False(t, HasGo(dir), "a directory")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "y_windows.go"), nil, 0o666))
	assert.True(t, HasGo(dir))
	assert.False(t, HasGo(filepath.Join(dir, "none")))
}

func TestLacksVendored(t *testing.T) {
	root := moduleWith(t, "module example.com/m\n", map[string]string{
		"vendor/modules.txt":                       "",
		"vendor/k8s.io/client-go/rest/client.go":   "package rest\n",
		"vendor/k8s.io/client-go/testing/doc.txt":  "no Go file\n",
		"vendor/k8s.io/client-go/kubernetes/x.txt": "",
	})
	file, err := ReadFile(root)
	require.NoError(t, err)
	imports := []string{"example.com/m/pkg", "context", "k8s.io/client-go/testing", "k8s.io/client-go/rest", "k8s.io/api/core/v1", "k8s.io/client-go/testing"}
	assert.Equal(t, []string{"k8s.io/api/core/v1", "k8s.io/client-go/testing"}, LacksVendored(file, imports))
}
