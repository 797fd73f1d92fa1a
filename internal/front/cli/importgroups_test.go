package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
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
	recorded := read(t, dir, option.FileName)
	assert.Contains(t, recorded, "- from: "+saved+"\n  into: apis\n  note: 'kubectl --context prod get crd …: a ''b'' \"c\"'\n  versions: [v1]\n  sha256: ")
	text := read(t, dir, saved)
	for _, added := range []string{"managedFields", "resourceVersion", "acceptedNames", "status"} {
		assert.NotContains(t, text, added)
	}

	code, stdout, stderr := importStdin(t, dir, "---\n"+rafts+"---\n"+ships)
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stdout, "0 files written, 4 unchanged, 0 removed\n")
	assert.Equal(t, recorded, read(t, dir, option.FileName), "the note stays")
	assert.Equal(t, text, read(t, dir, saved))

	code, _, stderr = importStdin(t, dir, ships, "--note", "")
	require.Equal(t, exitDone, code, stderr)
	assert.NotContains(t, read(t, dir, option.FileName), "note")
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
		"mistake elsewhere": {asList(ships, strings.Replace(boats, "kind: Boat", "kind: bo_at", 1)), "", []string{"--group", "sea.example.com"}, []string{"sea"}},
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
			assert.Equal(t, test.want, importedGroups(t, dir))
			assert.NotContains(t, read(t, dir, option.FileName), "groups:", "each saved source has one group")
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
	assert.Contains(t, read(t, dir, option.FileName), "- from: crds\n  into: apis\n  note: ours\n  groups: [lake.example.com]\n  sha256: ")
	for range 2 {
		assert.DirExists(t, filepath.Join(dir, "apis", "lake"))
		assert.NoDirExists(t, filepath.Join(dir, "apis", "sea"))
		runDone(t, dir, "generate")
		runDone(t, dir, "verify")
		runDone(t, dir, "import", "crds")
	}
	runDone(t, dir, "import", "crds", "--all")
	assert.DirExists(t, filepath.Join(dir, "apis", "sea"))
	assert.NotContains(t, read(t, dir, option.FileName), "groups:")
	assert.Contains(t, read(t, dir, option.FileName), "note: ours\n")
	stdout, _ := runDone(t, dir, "import", "crds", "--group", "sea.example.com")
	assert.Contains(t, stdout, "removed  apis/lake/v1/types.go\n")
}

// TestImportGroupsAlike has groups with the same first label, from each kind of source. A group that comes later gets all of its name, and
// nothing moves in another run.
func TestImportGroupsAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("make build-tests runs it: it imports and generates twenty times")
	}
	other := strings.ReplaceAll(boats, "lake.example.com", "sea.example.org")
	for name, test := range map[string]struct {
		runs []string // the standard input of a command, or the name of a file, which has its text after a colon
		want []string
	}{
		"standard input":  {[]string{asList(ships, other)}, []string{"sea.example.com", "sea.example.org"}},
		"one and another": {[]string{ships, other, ships}, []string{"sea", "sea.example.org"}},
		"reverse":         {[]string{other, ships, asList(ships, other)}, []string{"sea", "sea.example.com"}},
		"both and one":    {[]string{asList(ships, other), other}, []string{"sea.example.com", "sea.example.org"}},
		"file":            {[]string{"crds:" + ships, "more.yaml:" + other}, []string{"sea", "sea.example.org"}},
		"file of both":    {[]string{"more.yaml:" + asList(ships, other)}, []string{"sea.example.com", "sea.example.org"}},
		"growing file":    {[]string{"more.yaml:" + ships, "more.yaml:" + asList(ships, other)}, []string{"sea", "sea.example.org"}},
		"shrinking file":  {[]string{"more.yaml:" + asList(ships, other), "more.yaml:" + other}, []string{"sea.example.org"}},
		"elsewhere":       {[]string{"../more.yaml:" + other, "../more.yaml:" + ships}, []string{"sea", "sea.example.com"}},
		"file, then text": {[]string{"more.yaml:" + other, ships}, []string{"sea", "sea.example.com"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := importModule(t)
			for _, source := range test.runs {
				if file, text, ok := strings.Cut(source, ":apiVersion: "); ok && !strings.Contains(file, "\n") {
					if filepath.Ext(file) != "" {
						writeFile(t, filepath.Join(dir, file), "apiVersion: "+text)
					}
					runDone(t, dir, "import", file)
				} else {
					code, _, stderr := importStdin(t, dir, source, "--all")
					require.Equal(t, exitDone, code, stderr)
				}
			}
			assert.Equal(t, test.want, importedGroups(t, dir))
			for range 2 {
				stdout, _ := runDone(t, dir, "import")
				assert.Contains(t, stdout, "0 files written")
				runDone(t, dir, "generate")
				runDone(t, dir, "verify")
			}
			for _, group := range test.want {
				assert.DirExists(t, filepath.Join(dir, "pkg/generated/listers", group, "v1"))
			}
		})
	}
}

// TestImportSpecialGroups has groups whose first label would be a directory that the go command does not let other packages import.
func TestImportSpecialGroups(t *testing.T) {
	for _, label := range []string{"internal", "vendor", "testdata"} {
		text := strings.ReplaceAll(ships, "sea.example.com", label+".example.com")
		for name, source := range map[string][]string{"file": {"crds"}, "standard input": {"-"}, "elsewhere": {"../ships.yaml"}} {
			t.Run(label+" from "+name, func(t *testing.T) {
				dir := importModule(t)
				writeFile(t, filepath.Join(dir, "crds/ships.yaml"), text)
				writeFile(t, filepath.Join(dir, "../ships.yaml"), text)
				for range 2 {
					var out, problems bytes.Buffer
					a := app{dir: dir, stdout: &out, stderr: &problems, stdin: strings.NewReader(text)}
					require.Equal(t, exitDone, a.run(t.Context(), append([]string{"import"}, source...)), problems.String())
				}
				assert.Equal(t, []string{label + ".example.com"}, importedGroups(t, dir))
				runDone(t, dir, "generate")
				runDone(t, dir, "verify")
				assert.DirExists(t, filepath.Join(dir, "pkg/generated/clientset/versioned/typed", label+".example.com", "v1"))
				stdout, _ := runDone(t, dir, "import")
				assert.Contains(t, stdout, "0 files written")
			})
		}
	}
}

// importedGroups returns the names of the directories below apis.
func importedGroups(t *testing.T, dir string) []string {
	t.Helper()
	directories, err := filepath.Glob(filepath.Join(dir, "apis", "*"))
	require.NoError(t, err)
	for i, directory := range directories {
		directories[i] = filepath.Base(directory)
	}
	return directories
}

// TestImportOmit leaves out a definition that cannot be imported, which the error names. Other definitions get types.
func TestImportOmit(t *testing.T) {
	small := strings.Replace(boats, "kind: Boat", "kind: bo_at", 1)
	const hint = "\tto leave it out, use import --omit boats.lake.example.com (omit: [boats.lake.example.com] in its entry of imports)\n"
	dir := importModule(t)
	writeFile(t, filepath.Join(dir, "crds", "boats.yaml"), small)
	code, _, stderr := execute(t, dir, "import", "crds")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, hint)
	runDone(t, dir, "import", "crds", "--omit", "boats.lake.example.com")
	assert.Contains(t, read(t, dir, option.FileName), "  omit: [boats.lake.example.com]\n")
	for range 2 { // the entry keeps it
		stdout, _ := runDone(t, dir, "import", "crds")
		assert.Contains(t, stdout, "0 files written")
		assert.Equal(t, []string{"sea"}, importedGroups(t, dir))
		runDone(t, dir, "generate")
		runDone(t, dir, "verify")
	}
	code, _, stderr = execute(t, dir, "import", "crds", "--omit", "boat.lake.example.com")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "omit: no definition is called boat.lake.example.com\n")

	dir = importModule(t)
	code, _, stderr = importStdin(t, dir, asList(ships, small), "--all")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, hint)
	code, _, stderr = importStdin(t, dir, asList(ships, small), "--omit", "boats.lake.example.com")
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, []string{"sea"}, importedGroups(t, dir))
	assert.NotContains(t, read(t, dir, "apis/sea/sea.example.com.yaml"), "boat")
}

// TestImportNote keeps notes of each form, and reads the key that earlier commits wrote for sources from a cluster as a note.
func TestImportNote(t *testing.T) {
	for keys, want := range map[string]string{
		"note: " + strings.Repeat("long ", 50) + ".": "note: " + strings.Repeat("long ", 50) + ".\n",
		"note: \"two\\nlines\"":                      "note: |-\n    two\n    lines\n",
		"cluster: sea.example.com":                   "note: sea.example.com\n",
		"cluster: sea.example.com, note: ours":       "note: ours\n",
		"note: ours, cluster: sea.example.com":       "note: ours\n",
	} {
		dir := importModule(t)
		writeFile(t, filepath.Join(dir, option.FileName), "imports:\n- {from: crds, into: apis, "+keys+"}\n")
		runDone(t, dir, "import")
		assert.Contains(t, read(t, dir, option.FileName), want, keys)
		stdout, _ := runDone(t, dir, "import")
		assert.Contains(t, stdout, "0 files written")
	}
}
