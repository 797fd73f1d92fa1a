package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
)

// boats are ships of another group.
var boats = strings.NewReplacer("sea.example.com", "lake.example.com", "Ship", "Boat", "ship", "boat").Replace(ships)

// TestImportStale removes what no source has any more: a version, a group and an entry. Empty directories go, too.
func TestImportStale(t *testing.T) {
	dir := importModule(t)
	writeFile(t, filepath.Join(dir, "crds", "boats.yaml"), boats)
	writeFile(t, filepath.Join(dir, "mine.yaml"), strings.ReplaceAll(ships, "sea.", "pond."))
	runDone(t, dir, "import", "crds")
	runDone(t, dir, "import", "mine.yaml")
	writeFile(t, filepath.Join(dir, "types.yaml"), "packages: [./apis/...]\n")
	writeFile(t, filepath.Join(dir, "theirs.yaml"), strings.ReplaceAll(ships, "sea.", "bay."))
	runDone(t, dir, "import", "theirs.yaml", "--config", "types.yaml", "--into", "apis/others")
	runDone(t, dir, "generate")

	last := strings.LastIndex(ships, "    served: true")
	writeFile(t, filepath.Join(dir, "crds", "ships.yaml"), ships[:last]+strings.Replace(ships[last:], "true", "false", 1))
	require.NoError(t, os.Remove(filepath.Join(dir, "crds", "boats.yaml")))
	code, stdout, _ := execute(t, dir, "verify")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stdout, "stale    apis/sea/v1beta1/types.go\n")
	stdout, _ = runDone(t, dir, "generate")
	assert.Contains(t, stdout, `removed  apis/lake/v1/doc.go
removed  apis/lake/v1/types.go
removed  apis/lake/v1beta1/doc.go
removed  apis/lake/v1beta1/types.go
removed  apis/sea/v1beta1/doc.go
removed  apis/sea/v1beta1/types.go
`)
	assert.NoDirExists(t, filepath.Join(dir, "apis", "lake"))
	assert.NoDirExists(t, filepath.Join(dir, "apis", "sea", "v1beta1"))
	runDone(t, dir, "verify")

	text := read(t, dir, option.FileName)
	begin := strings.Index(text, "\n- from: mine.yaml")
	writeFile(t, filepath.Join(dir, option.FileName), text[:begin+1])
	stdout, _ = runDone(t, dir, "generate")
	assert.Contains(t, stdout, "removed  apis/pond/v1/types.go\n")
	assert.NoDirExists(t, filepath.Join(dir, "apis", "pond"))
	runDone(t, dir, "verify")

	writeFile(t, filepath.Join(dir, option.FileName), text[:strings.Index(text, "\nimports:")+1])
	stdout, _ = runDone(t, dir, "generate")
	assert.Contains(t, stdout, "removed  apis/sea/v1/doc.go\nremoved  apis/sea/v1/types.go\n")
	assert.FileExists(t, filepath.Join(dir, "apis", "others", "bay", "v1", "types.go"), "another configuration has its source")
}

// TestImportStaleKept keeps edited files of a version that is no longer wanted, and handwritten ones in its package.
func TestImportStaleKept(t *testing.T) {
	dir := importModule(t)
	runDone(t, dir, "import", "crds")
	types, methods := filepath.Join(dir, "apis/sea/v1/types.go"), filepath.Join(dir, "apis/sea/v1beta1/methods.go")
	writeFile(t, types, strings.Replace(read(t, types), "Crew ", "Sailors ", 1))
	writeFile(t, methods, "package v1beta1\n\nfunc (*Ship) Sink() {}\n")
	text := strings.Replace(read(t, dir, option.FileName), "sha256:", "versions: [v1beta1]\n  sha256:", 1)
	writeFile(t, filepath.Join(dir, option.FileName), text)
	const edited = `apis/sea/v1/types.go: warning: crds has no types for this file any more, but it was edited
	delete it or, to keep it as a handwritten file, the comment with its source
`
	stdout, stderr := runDone(t, dir, "import")
	assert.Equal(t, edited, stderr)
	assert.Contains(t, stdout, "removed  apis/sea/v1/doc.go\n")
	assert.NotContains(t, stdout, "removed  apis/sea/v1/types.go\n")

	writeFile(t, types, "package v1\n")
	writeFile(t, filepath.Join(dir, option.FileName), strings.Replace(text, "[v1beta1]", "[v1]", 1))
	require.NoError(t, os.Remove(types))
	_, stderr = runDone(t, dir, "import")
	assert.Equal(t, `apis/sea/v1beta1/methods.go: warning: crds has no types for this package any more
	move or delete this file
`, stderr)
	assert.FileExists(t, methods)
	assert.NoFileExists(t, filepath.Join(dir, "apis/sea/v1beta1/types.go"))
}

// TestImportMissing verifies before the first import, and after types were deleted.
func TestImportMissing(t *testing.T) {
	const want = ".informer-gen.yaml:1:11: the types of crds/ships.yaml are missing: apis/sea/v1\n\trun informer-gen-lite generate\n"
	dir := importModule(t)
	writeFile(t, filepath.Join(dir, option.FileName), "imports: [{from: crds/ships.yaml, into: apis, versions: [v1]}]\n")
	code, _, stderr := execute(t, dir, "verify")
	assert.Equal(t, exitProblem, code)
	assert.Equal(t, want, stderr)
	runDone(t, dir, "generate")
	runDone(t, dir, "verify")
	require.NoError(t, os.Remove(filepath.Join(dir, "apis/sea/v1/types.go")))
	code, _, stderr = execute(t, dir, "verify")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, ": the types of crds/ships.yaml are missing: apis/sea/v1\n")
}

// TestImportStrict fails for warnings about a source if the configuration or the command line wants that.
func TestImportStrict(t *testing.T) {
	dir := importModule(t)
	writeFile(t, filepath.Join(dir, "crds", "ships.yaml"), strings.Replace(ships, "spec: {type: object,", "spec: {type: object, not: {required: [a]},", 1))
	_, stderr := runDone(t, dir, "import", "crds/ships.yaml")
	require.Contains(t, stderr, "crds/ships.yaml:16:")
	require.Contains(t, stderr, ": warning: ")
	runDone(t, dir, "generate")
	_, stderr = runDone(t, dir, "verify")
	assert.Contains(t, stderr, ": warning: ")
	for _, command := range []string{"generate", "verify"} {
		code, _, stderr := execute(t, dir, command, "--strict")
		assert.Equal(t, exitProblem, code, command)
		assert.Contains(t, stderr, "crds/ships.yaml:16:")
		assert.NotContains(t, stderr, "warning")
	}
	writeFile(t, filepath.Join(dir, option.FileName), "strict: true\n"+read(t, dir, option.FileName))
	code, _, _ := execute(t, dir, "import")
	assert.Equal(t, exitProblem, code)
}
