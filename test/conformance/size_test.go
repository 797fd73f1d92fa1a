package conformance

import (
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/generate"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// maxGrowth is how much larger than upstream's our output may be, in files and in lines of code.
const maxGrowth = 1.15

// smallest is an API with one kind and nothing that could be left out.
const smallest = `// +groupName=fleet.example.com
// +k8s:deepcopy-gen=package
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Robot struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Spec              RobotSpec   ` + "`json:\"spec\"`" + `
	Status            RobotStatus ` + "`json:\"status,omitempty\"`" + `
}

type RobotSpec struct {
	Model string ` + "`json:\"model\"`" + `
}

type RobotStatus struct {
	Ready bool ` + "`json:\"ready\"`" + `
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RobotList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []Robot ` + "`json:\"items\"`" + `
}

func (in *Robot) DeepCopyObject() runtime.Object     { panic("not needed to compile") }
func (in *RobotList) DeepCopyObject() runtime.Object { panic("not needed to compile") }

var (
	SchemeGroupVersion = schema.GroupVersion{Group: "fleet.example.com", Version: "v1"}
	AddToScheme        = runtime.NewSchemeBuilder().AddToScheme
)

func Resource(resource string) schema.GroupResource { return SchemeGroupVersion.WithResource(resource).GroupResource() }
`

// TestSmallestOutput compares the output for the smallest API with upstream's. Older releases take long, so they are only compared
// when all are; TestModules has clients of some.
func TestSmallestOutput(t *testing.T) {
	forReleases(t, func(t *testing.T, r release) {
		if r != newest && !allReleases() {
			t.Skip("set " + allVariable + " to compare with all releases")
		}
		input := generate.Input{Patterns: []string{clientsModule + "/fleet/v1"}}
		outputs := map[string]generate.Output{}
		for _, side := range []string{"upstream", "ours"} {
			dir := r.scratchDir(t, "smallest", side)
			require.NoError(t, scratch.NewModule(dir, clientsModule, r.dir))
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "fleet", "v1"), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "fleet", "v1", "doc.go"), []byte(smallest), 0o644))
			outputs[side] = applied(generate.Output{
				Dir: dir, Folder: "generated", Package: path.Join(clientsModule, "generated"),
				Clientset: "clientset/versioned", Listers: "listers", Informers: "informers/externalversions",
			})
		}
		r.generateBoth(t, input, outputs["upstream"], outputs["ours"])
		compareSizes(t, filepath.Join(outputs["upstream"].Dir, "generated"), filepath.Join(outputs["ours"].Dir, "generated"))
		compareImports(t, outputs["upstream"].Dir, outputs["ours"].Dir, "./generated/...")
	})
}

// compareSizes compares the numbers of generated files and of their lines of code, in some folders or in all.
func compareSizes(t *testing.T, theirs, ours string, folders ...string) {
	t.Helper()
	if len(folders) == 0 {
		folders = []string{"."}
	}
	theirFiles, theirLines := sizes(t, theirs, folders)
	ourFiles, ourLines := sizes(t, ours, folders)
	t.Logf("files: %d of upstream, %d of ours; lines of code: %d and %d (%.3f times)",
		theirFiles, ourFiles, theirLines, ourLines, float64(ourLines)/float64(theirLines))
	assert.LessOrEqual(t, float64(ourFiles), maxGrowth*float64(theirFiles), "files")
	assert.LessOrEqual(t, float64(ourLines), maxGrowth*float64(theirLines), "lines of code")
}

// sizes returns the number of generated Go files and of their lines of code.
func sizes(t *testing.T, dir string, folders []string) (count, lines int) {
	t.Helper()
	files, err := scratch.GoFiles(dir, folders...)
	require.NoError(t, err)
	for name, content := range files {
		if generatedFile.MatchString(content) && !strings.HasSuffix(name, "_test.go") {
			count++
			lines += linesOfCode(content)
		}
	}
	require.NotZero(t, count)
	return count, lines
}

// linesOfCode counts the lines on which a token begins. Comments do not count, and the schema of apply configurations, a string of
// many lines, counts as one.
func linesOfCode(content string) int {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(content))
	var s scanner.Scanner
	s.Init(file, []byte(content), nil, 0)
	seen := map[int]bool{}
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return len(seen)
		}
		if tok != token.SEMICOLON || lit == ";" { // others are inserted at the ends of lines
			seen[file.Line(pos)] = true
		}
	}
}

// compareImports reports packages outside of the generated ones that only ours depends on.
func compareImports(t *testing.T, theirs, ours string, patterns ...string) {
	t.Helper()
	known := dependencies(t, theirs, patterns)
	var more []string
	for _, pkg := range slices.Sorted(maps.Keys(dependencies(t, ours, patterns))) {
		if !known[pkg] && !strings.HasPrefix(pkg, clientsModule+"/") {
			more = append(more, pkg)
		}
	}
	assert.Empty(t, more, "packages that upstream's output does not import")
}

// dependencies lists the packages that some packages depend on. Packages that API types import may be missing from go.sum.
func dependencies(t *testing.T, dir string, patterns []string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for pkg := range strings.FieldsSeq(run(t, dir, "go", append([]string{"list", "-e", "-deps"}, patterns...)...)) {
		all[pkg] = true
	}
	return all
}

func TestLinesOfCode(t *testing.T) {
	assert.Equal(t, 5, linesOfCode("// Doc.\npackage p\n\n/* A\ncomment. */\nconst c = `a\nb\nc`\n\nfunc f() { // g\n\tg()\n}\n"))
}
