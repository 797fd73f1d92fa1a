package conformance

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// helpers are files that one of our products and one of upstream's programs write into API packages, with code that must be the same.
type helpers struct {
	product, program, file string
	// marker begins the marker of packages that upstream's script passes to the program.
	marker string
	// inputs is the folder of code-generator with inputs of the program, or empty.
	inputs string
	// cases are our cases, of which the program gets the same input: these packages and those below.
	cases []struct{ name, packages string }
	// others are the files whose code is not the same.
	others []otherCode
	// shippedBy returns what a module ships.
	shippedBy func(helped) shippedHelpers
}

// otherCode is the file of a package that only one side writes, or of which these lines change, up to a release or always.
type otherCode struct {
	folder, until string
	lines         changed
	reason        string
}

var defaults = helpers{
	product: product.Defaults, program: "defaulter-gen", file: "zz_generated.defaults.go", marker: "+k8s:defaulter-gen=",
	inputs: "cmd/defaulter-gen/output_tests",
	cases:  []struct{ name, packages string }{{"defaults", "."}, {"defaults_requested", "."}, {"defaults_lost", "api/v1"}},
	others: []otherCode{
		{folder: "api/v2", reason: "only a type has the marker; since v0.36, that is not enough for defaulter-gen"},
		{folder: "internal/apis/v6", reason: "the marker is in another file than doc.go"},
		{folder: "internal/apis/v4", until: "v0.36", reason: "the marker is false; until v0.37, that was a name of fields for defaulter-gen"},
	},
	shippedBy: func(m helped) shippedHelpers { return m.defaults },
}

var conversions = helpers{
	product: product.Conversion, program: "conversion-gen", file: "zz_generated.conversion.go", marker: "+k8s:conversion-gen=",
	cases: []struct{ name, packages string }{{"conversion", "."}, {"conversion_warnings", "."}},
	others: []otherCode{{
		folder: "apis/fleet/conversions", until: "v0.34", lines: changed{4, 28},
		reason: "before v0.35, conversion-gen's code for slices and maps of pointers does not compile",
	}},
	shippedBy: func(m helped) shippedHelpers { return m.conversions },
}

// TestDefaults compares the code of defaults with the output of defaulter-gen: for its own inputs, and for our cases.
func TestDefaults(t *testing.T) { forReleases(t, defaults.test) }

// TestConversions compares the code of conversions with the output of conversion-gen for our cases.
func TestConversions(t *testing.T) { forReleases(t, conversions.test) }

func (h *helpers) test(t *testing.T, r release) {
	bin, err := scratch.Build(r.dir, r.name, "k8s.io/code-generator/cmd/"+h.program)
	require.NoError(t, err)
	ours := string(buildOurs(t))
	upstream := func(t *testing.T, dir, below string) {
		t.Helper()
		run(t, dir, filepath.Join(bin, h.program), append([]string{"--output-file", h.file}, h.marked(t, dir, below)...)...)
	}
	if h.inputs != "" {
		t.Run("inputs", func(t *testing.T) {
			theirDir, ourDir := r.scratchDir(t, h.product, "theirs"), r.scratchDir(t, h.product, "ours")
			for _, dir := range []string{theirDir, ourDir} {
				r.copyModule(t, "k8s.io/code-generator", dir)
				h.remove(t, dir, ".")
			}
			upstream(t, theirDir, h.inputs)
			run(t, ourDir, ours, "--only", h.product, "./"+h.inputs+"/...")
			h.assertSame(t, r, h.in(t, theirDir, "."), h.in(t, ourDir, "."))
			run(t, ourDir, "go", "test", "-trimpath", "-vet=off", "./"+h.inputs+"/...")
		})
	}
	for _, c := range h.cases {
		t.Run(c.name, func(t *testing.T) {
			theirDir, ourDir := caseDir(t, r, c.name, h.product+"-theirs"), caseDir(t, r, c.name, h.product+"-ours")
			upstream(t, theirDir, c.packages)
			run(t, ourDir, ours, "--only", product.DeepCopy+","+h.product, "./"+path.Join(c.packages, "..."))
			h.assertSame(t, r, h.in(t, theirDir, "."), h.in(t, ourDir, "."))
			run(t, ourDir, "go", "vet", "-trimpath", "./...")
		})
	}
}

// marked returns the packages below a folder with a marker, which are the input of the program in code-generator's script.
func (h *helpers) marked(t *testing.T, dir, below string) []string {
	t.Helper()
	files, err := scratch.GoFiles(dir, below)
	require.NoError(t, err)
	packages := map[string]bool{}
	for name, content := range files {
		if strings.Contains(content, "// "+h.marker) {
			packages["./"+path.Dir(name)] = true
		}
	}
	return slices.Sorted(maps.Keys(packages))
}

// caseFile returns the file of a case.
func caseFile(name string) string {
	return filepath.Join(ourModule, "testdata", "cases", name+".txtar")
}

// caseDir creates a module with the input of a case for one purpose, and returns its directory.
func caseDir(t *testing.T, r release, name, purpose string) string {
	t.Helper()
	dir := r.scratchDir(t, purpose, name)
	require.NoError(t, scratch.NewModule(dir, "example.com/"+name, r.dir))
	archive, err := txtar.ParseFile(caseFile(name))
	require.NoError(t, err)
	for _, file := range archive.Files {
		if path.Ext(file.Name) == ".go" && !strings.HasPrefix(file.Name, "want/") {
			to := filepath.Join(dir, filepath.FromSlash(file.Name))
			require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
			require.NoError(t, os.WriteFile(to, file.Data, 0o644))
		}
	}
	return dir
}

// assertSame compares the code of files, except for what differs for a known reason.
func (h *helpers) assertSame(t *testing.T, r release, theirs, ours map[string]string) {
	t.Helper()
	known := map[string]changed{}
	for _, other := range h.others {
		file := path.Join(other.folder, h.file)
		switch {
		case other.until != "" && r.name > other.until:
		case theirs[file] != "" && ours[file] != "":
			if other.lines != (changed{}) {
				known[file] = other.lines
			}
		default:
			delete(theirs, file)
			delete(ours, file)
		}
	}
	measured, different := r.compareCode(t, theirs, ours)
	assert.Equal(t, known, different)
	assert.NotZero(t, measured.files)
	t.Log(&measured)
}

// in returns the generated files below some folders of a directory.
func (h *helpers) in(t *testing.T, dir string, folders ...string) map[string]string {
	t.Helper()
	files, err := scratch.GoFiles(dir, folders...)
	require.NoError(t, err)
	maps.DeleteFunc(files, func(name, _ string) bool { return path.Base(name) != h.file })
	return files
}

// remove removes the generated files below some folders of a directory, and returns them.
func (h *helpers) remove(t *testing.T, dir string, folders ...string) map[string]string {
	t.Helper()
	files := h.in(t, dir, folders...)
	require.NotEmpty(t, files)
	for name := range files {
		require.NoError(t, os.Remove(filepath.Join(dir, filepath.FromSlash(name))))
	}
	return files
}
