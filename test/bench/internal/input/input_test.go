package input

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// requirements is the directory of a module with the requirements of the input.
const requirements = "../../../../testdata/targets/v0.37"

func TestVersions(t *testing.T) {
	for kinds, want := range map[int]int{1: 1, 10: 1, 25: 1, 26: 2, 100: 4, 5000: 200} {
		all := versions(kinds)
		assert.Len(t, all, want, "%d kinds", kinds)
		total, seen := 0, map[string]bool{}
		for _, v := range all {
			for _, k := range v.Kinds {
				seen[v.Group+"/"+v.Name+"."+k.Name] = true
			}
			total += len(v.Kinds)
			assert.LessOrEqual(t, len(v.Kinds), kindsPerVersion)
		}
		assert.Equal(t, kinds, total)
		assert.Len(t, seen, kinds, "no kind comes twice")
	}
}

func TestKindsAreMixed(t *testing.T) {
	kinds := versions(kindsPerVersion)[0].Kinds
	assert.Equal(t, kind{Name: "BuildJob", HasStatus: true}, kinds[0], "the only type of a small API is a plain one")
	tags := map[string]int{}
	for _, k := range kinds {
		for _, tag := range k.Tags {
			tags[tag]++
		}
	}
	assert.Equal(t, 4, tags["genclient:nonNamespaced"])
	assert.Equal(t, 2, tags["genclient:readonly"])
	assert.Equal(t, 3, tags["genclient:method=GetScale,verb=get,subresource=scale,result=k8s.io/api/autoscaling/v1.Scale"])
}

// TestSynthetic checks that the synthetic API compiles: otherwise measurements are meaningless.
func TestSynthetic(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, NewModule(dir, requirements))
	goMod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	assert.NotContains(t, string(goMod), "replace")
	require.NoError(t, Synthetic(dir, 30))
	_, err = goCommand(dir, "vet", "./...")
	require.NoError(t, err)
	unformatted, err := goCommand(dir, "fmt", "./...")
	require.NoError(t, err)
	assert.Empty(t, unformatted)

	packages, err := Packages(dir, "./...", "genclient")
	require.NoError(t, err)
	assert.Equal(t, []string{"bench.example/apis/area000/v1", "bench.example/apis/area000/v1beta1"}, packages)
}

func TestPackages(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":      "module a.example\n",
		"client/a.go": "package client\n\n// +genclient\ntype A struct{}\n",
		"client/b.go": "package client\n\n// +genclient\ntype B struct{}\n",
		"none/a.go":   "package none\n\n// no +genclient here\ntype A struct{}\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, []byte(content), 0o666))
	}
	packages, err := Packages(dir, "./...", "genclient")
	require.NoError(t, err)
	assert.Equal(t, []string{"a.example/client"}, packages)

	_, err = Packages(dir, "./none", "genclient")
	assert.ErrorContains(t, err, "no +genclient in ./none")
	_, err = Packages(dir, "./missing", "genclient")
	assert.ErrorContains(t, err, "go list")
}

// TestFilesNamed finds and removes generated files in API packages.
func TestFilesNamed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/zz_generated.deepcopy.go", "a/zz_generated.register.go", "a/zz_generated.other.go", "b/types.go"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, nil, 0o666))
	}
	files := []string{"zz_generated.deepcopy.go", "zz_generated.register.go"}
	names, err := FilesNamed(dir, files)
	require.NoError(t, err)
	assert.Equal(t, []string{"a/zz_generated.deepcopy.go", "a/zz_generated.register.go"}, names)
	require.NoError(t, Clean(dir, files))
	names, err = FilesNamed(dir, files)
	require.NoError(t, err)
	assert.Empty(t, names)
	assert.FileExists(t, filepath.Join(dir, "a", "zz_generated.other.go"))
	assert.ErrorIs(t, Clean(filepath.Join(dir, "missing"), files), os.ErrNotExist)
}

func TestKubernetes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "api")
	require.NoError(t, Kubernetes(dir, requirements))
	packages, err := Packages(dir, "./...", "genclient")
	require.NoError(t, err)
	assert.Contains(t, packages, "k8s.io/api/core/v1")
	assert.FileExists(t, filepath.Join(dir, "core", "v1", "register.go"))
	assert.NoFileExists(t, filepath.Join(dir, "core", "v1", "zz_generated.deepcopy.go"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "core", "v1", "zz_generated.deepcopy.go"), nil, 0o666))
}

func TestShipped(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sample-apiserver")
	require.NoError(t, Shipped(dir, requirements, "k8s.io/sample-apiserver", "v0.37.2", "v0.37.2"))
	packages, err := Packages(dir, "./...", "k8s:conversion-gen")
	require.NoError(t, err)
	assert.Equal(t, []string{"k8s.io/sample-apiserver/pkg/apis/wardle/v1alpha1", "k8s.io/sample-apiserver/pkg/apis/wardle/v1beta1"}, packages)
}

func TestAddField(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Kubernetes(dir, requirements))
	for range 2 {
		require.NoError(t, AddField(dir))
	}
	name := filepath.Join(dir, "batch", "v1", "types.go")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	_, err = parser.ParseFile(token.NewFileSet(), name, text, 0)
	require.NoError(t, err)
	assert.Contains(t, string(text), "\tBench1 *int32 `json:\"bench1,omitempty\"`\n")
	assert.ErrorIs(t, AddField(t.TempDir()), os.ErrNotExist)
}

func TestClients(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Clients(dir, "example.com/clients", requirements))
	clientset, err := os.ReadFile(filepath.Join(dir, "kubernetes", "clientset.go"))
	require.NoError(t, err)
	assert.Contains(t, string(clientset), `"example.com/clients/kubernetes/typed/apps/v1"`)
	assert.Contains(t, string(clientset), `"k8s.io/client-go/rest"`)
	assert.NotContains(t, string(clientset), `"k8s.io/client-go/kubernetes/`)
	assert.FileExists(t, filepath.Join(dir, "kubernetes", "typed", "core", "v1", "pod_expansion.go"), "what people wrote belongs to it")
}
