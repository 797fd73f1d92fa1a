package conformance

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/generate"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

const (
	deepCopyFile = "zz_generated.deepcopy.go"
	apiModule    = "k8s.io/api"
	// renamedAPI is the import path of a copy of k8s.io/api with its original deep copies.
	renamedAPI = "upstream.example/api"
)

// deepCopied are the modules whose deep copies are replaced by ours, with the packages to compare and test: all that are
// libraries, except those whose tests cannot pass in any copy.
var deepCopied = []struct {
	module             string
	patterns, untested []string
}{
	{module: apiModule, patterns: []string{"./..."}},
	{module: "k8s.io/apimachinery", patterns: []string{"./..."}, untested: []string{
		"k8s.io/apimachinery/pkg/util/managedfields",          // reads a file of the repository of Kubernetes
		"k8s.io/apimachinery/pkg/util/managedfields/internal", // that too
		"k8s.io/apimachinery/pkg/util/naming",                 // expects its import path in that of its directory
	}},
	{module: "sigs.k8s.io/gateway-api", patterns: []string{
		"./apis/...", "./apisx/...", "./applyconfiguration/...", "./pkg/client/...", "./pkg/features/...",
	}},
	// The types of deepcopy-gen's own tests, which compare with copies made by reflection.
	{module: "k8s.io/code-generator", patterns: []string{"./cmd/deepcopy-gen/output_tests/..."}},
}

// TestDeepCopies deletes the deep copies in modules and generates ours, in one run for each module. For older releases it covers
// only k8s.io/api, because deepcopy-gen has not changed since.
func TestDeepCopies(t *testing.T) { forReleases(t, testDeepCopies) }

func testDeepCopies(t *testing.T, r release) {
	ours := buildOurs(t)
	for _, m := range deepCopied {
		if r != newest && m.module != apiModule {
			continue
		}
		t.Run(path.Base(m.module), func(t *testing.T) {
			shipped := r.copyOf(t, m.module, "shipped")
			clone := r.copyOf(t, m.module, "ours")
			replaceDeepCopies(t, ours, clone)
			run(t, clone, "go", append([]string{"build", "-trimpath"}, m.patterns...)...)
			t.Run("same exported API", func(t *testing.T) {
				assertSameAPI(t, comparison{m.module + " deep copies", shipped, clone, m.module}, m.patterns...)
			})
			t.Run("tests", func(t *testing.T) {
				packages := strings.Fields(run(t, clone, "go", append([]string{"list"}, m.patterns...)...))
				for _, name := range m.untested {
					require.Contains(t, packages, name)
					packages = slices.DeleteFunc(packages, func(p string) bool { return p == name })
				}
				waiting := testsThatWait(t, clone, packages...)
				packages = slices.DeleteFunc(packages, func(p string) bool { return slices.Contains(waiting, p) })
				out := run(t, clone, "go", append([]string{"test", "-trimpath", "-vet=off"}, packages...)...)
				t.Logf("the tests of %d packages pass", strings.Count(out, "ok  \t"))
			})
		})
	}
}

// copyOf copies a module into the scratch folder, without a workspace.
func (r release) copyOf(t *testing.T, module, name string) string {
	t.Helper()
	dir := r.scratchDir(t, "deepcopy", path.Base(module), name)
	r.copyModule(t, module, dir)
	for _, file := range []string{"go.work", "go.work.sum"} {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, file)))
	}
	return dir
}

// replaceDeepCopies regenerates the deep copies of a module. None of them exists before, and all of them exist after.
func replaceDeepCopies(t *testing.T, ours generate.Ours, dir string) {
	t.Helper()
	before := deepCopyFiles(t, dir)
	require.NotEmpty(t, before)
	for _, file := range before {
		require.NoError(t, os.Remove(filepath.Join(dir, filepath.FromSlash(file))))
	}
	run(t, dir, string(ours), "--only", "deepcopy", "./...")
	assert.Equal(t, before, deepCopyFiles(t, dir))
	t.Logf("%d files replaced", len(before))
}

func deepCopyFiles(t *testing.T, dir string) []string {
	t.Helper()
	all, err := scratch.GoFiles(dir, ".")
	require.NoError(t, err)
	var files []string
	for file := range all {
		if path.Base(file) == deepCopyFile {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files
}

// TestDeepCopiesBehave runs testdata/deepcopies in a module that has k8s.io/api twice: with our deep copies and, under another
// import path, with the original ones.
func TestDeepCopiesBehave(t *testing.T) {
	withOurs := newest.copyOf(t, apiModule, "ours")
	replaceDeepCopies(t, buildOurs(t), withOurs)
	renamed := newest.copyOf(t, apiModule, "renamed")
	rename(t, renamed)

	dir := newest.scratchDir(t, "deepcopy", "behavior")
	require.NoError(t, scratch.NewModule(dir, "conformance.example/deepcopy", newest.dir))
	run(t, dir, "go", "mod", "edit",
		"-require="+renamedAPI+"@v0.0.0", "-replace="+renamedAPI+"="+renamed, "-replace="+apiModule+"="+withOurs)
	test, err := os.ReadFile("testdata/deepcopies/deepcopies_test.go")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "deepcopies_test.go"), test, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "objects_test.go"), objectTable(t, renamed), 0o644))
	t.Log(run(t, dir, "go", "test", "-trimpath", "-mod=mod", "-timeout", "20m", "-v", "-run", "^Test", "."))
}

// rename changes the import path of the copy of k8s.io/api.
func rename(t *testing.T, dir string) {
	t.Helper()
	replaceInFile(t, filepath.Join(dir, "go.mod"), "module "+apiModule+"\n", "module "+renamedAPI+"\n")
	files, err := scratch.GoFiles(dir, ".")
	require.NoError(t, err)
	for name, content := range files {
		content = strings.ReplaceAll(content, `"`+apiModule+`/`, `"`+renamedAPI+`/`)
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(content), 0o644))
	}
}

var objectMethod = regexp.MustCompile(`(?m)^func \(in \*(\w+)\) DeepCopyObject\(\)`)

// objectTable returns a Go file with the objects of all packages, each by its two types.
func objectTable(t *testing.T, dir string) []byte {
	t.Helper()
	var imports, rows strings.Builder
	count := 0
	for i, file := range deepCopyFiles(t, dir) {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		require.NoError(t, err)
		objects := objectMethod.FindAllStringSubmatch(string(content), -1)
		if len(objects) == 0 {
			continue
		}
		fmt.Fprintf(&imports, "\tours%d %q\n\ttheirs%d %q\n", i, path.Join(apiModule, path.Dir(file)), i, path.Join(renamedAPI, path.Dir(file)))
		for _, object := range objects {
			fmt.Fprintf(&rows, "\t{%q, &ours%d.%s{}, &theirs%d.%s{}},\n", path.Join(path.Dir(file), object[1]), i, object[1], i, object[1])
			count++
		}
	}
	t.Logf("%d types", count)
	require.GreaterOrEqual(t, count, 200)
	return fmt.Appendf(nil, "package deepcopies\n\nimport (\n%s)\n\nvar objects = []object{\n%s}\n", imports.String(), rows.String())
}
