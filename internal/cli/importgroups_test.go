package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
)

// asList returns definitions as kubectl prints several: as items of a list, with what a cluster adds.
func asList(definitions ...string) string {
	list := "apiVersion: v1\nitems:\n"
	for _, definition := range definitions {
		definition = strings.Replace(definition, "metadata: {", "metadata: {creationTimestamp: \"2026-01-02T03:04:05Z\", generation: 1, "+
			"resourceVersion: \"42\", uid: 0c3d, managedFields: [{manager: operator, operation: Apply}], ", 1)
		definition += "status: {acceptedNames: {kind: Any, plural: any}, conditions: [], storedVersions: [v1]}\n"
		list += "- " + strings.ReplaceAll(strings.TrimRight(definition, "\n"), "\n", "\n  ") + "\n"
	}
	return list + "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
}

// importStdin imports a text from the standard input.
func importStdin(t *testing.T, dir, text string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	a := app{dir: dir, stdout: &out, stderr: &problems, stdin: strings.NewReader(text)}
	code = a.run(t.Context(), append([]string{"import", "-"}, args...))
	return code, out.String(), problems.String()
}

// rafts is another kind of the group of ships.
var rafts = strings.NewReplacer("ships", "rafts", "ship", "raft", "Ship", "Raft").Replace(ships)

// TestImportFromKubectl imports what kubectl prints. The saved source does not depend on the order of kinds, or on what servers add.
func TestImportFromKubectl(t *testing.T) {
	dir := importModule(t)
	const saved = "apis/sea/sea.example.com.yaml"
	code, _, stderr := importStdin(t, dir, asList(ships, rafts), "--versions", "v1", "--note", "kubectl --context prod get crd …: a 'b' \"c\"")
	require.Equal(t, exitDone, code, stderr)
	recorded := read(t, dir, config.FileName)
	assert.Contains(t, recorded, "- from: "+saved+"\n  into: apis\n  note: 'kubectl --context prod get crd …: a ''b'' \"c\"'\n  versions: [v1]\n  sha256: ")
	text := read(t, dir, saved)
	for _, added := range []string{"managedFields", "resourceVersion", "acceptedNames", "status"} {
		assert.NotContains(t, text, added)
	}

	code, stdout, stderr := importStdin(t, dir, "---\n"+rafts+"---\n"+ships)
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stdout, "0 files written, 4 unchanged, 0 removed\n")
	assert.Equal(t, recorded, read(t, dir, config.FileName), "the note stays")
	assert.Equal(t, text, read(t, dir, saved))

	code, _, stderr = importStdin(t, dir, ships, "--note", "")
	require.Equal(t, exitDone, code, stderr)
	assert.NotContains(t, read(t, dir, config.FileName), "note")
	assert.NotContains(t, read(t, dir, saved), "rafts")
}

// TestImportGroups has definitions of two groups in one source.
func TestImportGroups(t *testing.T) {
	const several = "standard input: definitions of 2 groups: lake.example.com, sea.example.com\n" +
		"\tselect some with --group GROUP, or take all with --all\n"
	broken := strings.Replace(boats, "type: object", "type: {}", 1)
	for name, test := range map[string]struct {
		text, fails string
		args, want  []string
	}{
		"not chosen":        {asList(ships, boats), several, nil, nil},
		"one":               {asList(ships, boats), "", []string{"--group", "sea.example.com"}, []string{"sea"}},
		"both":              {asList(ships, boats), "", []string{"--group", "sea.example.com,lake.example.com"}, []string{"lake", "sea"}},
		"all":               {asList(ships, boats), "", []string{"--all"}, []string{"lake", "sea"}},
		"all of one":        {asList(ships), "", []string{"--all"}, []string{"sea"}},
		"another":           {asList(ships, boats), "no definition of group bay.example.com\n\tit has definitions of lake.example.com, sea.example.com\n", []string{"--group", "bay.example.com"}, nil},
		"nothing":           {asList(), "standard input: no CustomResourceDefinition\n", []string{"--group", "sea.example.com"}, nil},
		"mistake elsewhere": {asList(ships, strings.Replace(boats, "kind: Boat", "kind: boat", 1)), "", []string{"--group", "sea.example.com"}, []string{"sea"}},
		"mistake":           {asList(ships, broken), "cannot unmarshal", []string{"--all"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := importModule(t)
			before := filesBelow(t, dir)
			code, _, stderr := importStdin(t, dir, test.text, test.args...)
			if test.fails != "" {
				assert.Equal(t, exitProblem, code)
				assert.Contains(t, stderr, test.fails)
				assert.Equal(t, before, filesBelow(t, dir))
				return
			}
			require.Equal(t, exitDone, code, stderr)
			directories, err := filepath.Glob(filepath.Join(dir, "apis", "*"))
			require.NoError(t, err)
			for i, directory := range directories {
				directories[i] = filepath.Base(directory)
			}
			assert.Equal(t, test.want, directories)
			assert.NotContains(t, read(t, dir, config.FileName), "groups:", "each saved source has one group")
			stdout, _ := runDone(t, dir, "import")
			assert.Contains(t, stdout, "0 files written")
			runDone(t, dir, "generate")
			runDone(t, dir, "verify")
		})
	}
}

// TestImportGroupsOfFile limits a file in the module to a group, which the entry records, and takes all groups again.
func TestImportGroupsOfFile(t *testing.T) {
	dir := importModule(t)
	writeFile(t, filepath.Join(dir, "crds", "boats.yaml"), boats)
	runDone(t, dir, "import", "crds", "--group", "lake.example.com", "--note", "ours")
	assert.Contains(t, read(t, dir, config.FileName), "- from: crds\n  into: apis\n  note: ours\n  groups: [lake.example.com]\n  sha256: ")
	for range 2 {
		assert.DirExists(t, filepath.Join(dir, "apis", "lake"))
		assert.NoDirExists(t, filepath.Join(dir, "apis", "sea"))
		runDone(t, dir, "generate")
		runDone(t, dir, "verify")
		runDone(t, dir, "import", "crds")
	}
	runDone(t, dir, "import", "crds", "--all")
	assert.DirExists(t, filepath.Join(dir, "apis", "sea"))
	assert.NotContains(t, read(t, dir, config.FileName), "groups:")
	assert.Contains(t, read(t, dir, config.FileName), "note: ours\n")
	stdout, _ := runDone(t, dir, "import", "crds", "--group", "sea.example.com")
	assert.Contains(t, stdout, "removed  apis/lake/v1/types.go\n")
}

// TestImportGroupsAlike has groups with the same first label, which have directories of their own, also when the import is repeated.
func TestImportGroupsAlike(t *testing.T) {
	dir := importModule(t)
	code, _, stderr := importStdin(t, dir, asList(ships, strings.ReplaceAll(boats, "lake.example.com", "sea.example.org")), "--all")
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, read(t, dir, config.FileName), "- from: apis/sea.example.com/sea.example.com.yaml\n  into: apis/sea.example.com\n")
	assert.FileExists(t, filepath.Join(dir, "apis/sea.example.org/v1/types.go"))
	stdout, _ := runDone(t, dir, "import")
	assert.Contains(t, stdout, "0 files written")
	runDone(t, dir, "generate", "--group-go-names", "sea.example.org:OtherSea")
	assert.FileExists(t, filepath.Join(dir, "pkg/generated/listers/sea.example.org/v1/boat.go"))
}

// TestImportOfCluster reads the key that earlier states wrote for sources from a cluster as a note.
func TestImportOfCluster(t *testing.T) {
	for keys, want := range map[string]string{
		"cluster: sea.example.com":                        "note: sea.example.com\n",
		"cluster: sea.example.com, note: ours":            "note: ours\n",
		"note: " + strings.Repeat("long ", 50) + ".":      "note: " + strings.Repeat("long ", 50) + ".\n",
		"note: ours, cluster: sea.example.com":            "note: ours\n",
		"cluster: sea.example.com, sha256: abc":           "cluster: sea.example.com, ",
		"note: \"two\\nlines\", cluster: sea.example.com": "note: |-\n    two\n    lines\n",
	} {
		dir := importModule(t)
		writeFile(t, filepath.Join(dir, config.FileName), "imports:\n- {from: crds, into: apis, "+keys+"}\n")
		runDone(t, dir, "import")
		assert.Contains(t, read(t, dir, config.FileName), want, keys)
		stdout, _ := runDone(t, dir, "import")
		assert.Contains(t, stdout, "0 files written")
	}
}
