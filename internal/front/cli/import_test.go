package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
)

// ships is a definition with one kind in two versions.
const ships = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ships.sea.example.com}
spec:
  group: sea.example.com
  scope: Namespaced
  names: {kind: Ship, plural: ships, singular: ship, listKind: ShipList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {crew: {type: integer, format: int32}, port: {type: object, properties: {name: {type: string}}}}}
  - name: v1beta1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object}}
`

// importModule writes a module with a definition.
func importModule(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "m")
	writeModule(t, dir, "example.com/m")
	writeFile(t, filepath.Join(dir, "crds", "ships.yaml"), ships)
	return dir
}

// runDone runs a command that must succeed.
func runDone(t *testing.T, dir string, args ...string) (stdout, stderr string) {
	t.Helper()
	code, stdout, stderr := execute(t, dir, args...)
	require.Equal(t, exitDone, code, stderr)
	return stdout, stderr
}

func read(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elements...))
	require.NoError(t, err)
	return string(text)
}

// TestImport imports a file, generates clients, and follows a change of the file.
func TestImport(t *testing.T) {
	dir := importModule(t)
	stdout, stderr := runDone(t, dir, "import", "crds/ships.yaml")
	assert.Empty(t, stderr)
	assert.Equal(t, `written  .informer-gen.yaml
written  apis/sea/v1/doc.go
written  apis/sea/v1/types.go
written  apis/sea/v1beta1/doc.go
written  apis/sea/v1beta1/types.go
5 files written, 0 unchanged, 0 removed

Next:

	informer-gen-lite generate
`, stdout)
	assert.Contains(t, read(t, dir, option.FileName), "\nimports:\n- from: crds/ships.yaml\n  into: apis\n  sha256: ")

	stdout, _ = runDone(t, dir, "generate", "--crd-output-dir", "config/crd")
	assert.Contains(t, stdout, "1 group, 2 versions, 2 kinds")
	assert.NoDirExists(t, filepath.Join(dir, "config"), "the definition belongs to another project")
	runDone(t, dir, "verify")
	stdout, _ = runDone(t, dir, "generate")
	assert.NotContains(t, stdout, "written  ")

	writeFile(t, filepath.Join(dir, "crds", "ships.yaml"), strings.Replace(ships, "crew:", "cargo: {type: string}, crew:", 1))
	code, stdout, _ := execute(t, dir, "verify")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stdout, "differs  .informer-gen.yaml\ndiffers  apis/sea/v1/types.go\n")
	assert.Contains(t, stdout, "\n+\tCargo *string `json:\"cargo,omitempty\"`\n")
	stdout, _ = runDone(t, dir, "generate")
	assert.Contains(t, stdout, "written  .informer-gen.yaml\nwritten  apis/sea/v1/types.go\n")
	assert.Contains(t, read(t, dir, "pkg/generated/applyconfiguration/sea/v1/shipspec.go"), "Cargo ")
	runDone(t, dir, "verify")
}

// TestImportKeepsAdditions has handwritten code in the package of imported types, and an edited imported file.
func TestImportKeepsAdditions(t *testing.T) {
	dir := importModule(t)
	runDone(t, dir, "import", "crds")
	const addition = "package v1\n\n// IsAfloat reports whether the ship has a crew.\nfunc (s *Ship) IsAfloat() bool { return s.Spec != nil }\n"
	writeFile(t, filepath.Join(dir, "apis/sea/v1/methods.go"), addition)
	types := filepath.Join(dir, "apis/sea/v1/types.go")
	imported := read(t, types)
	edited := strings.Replace(imported, "Crew ", "Sailors ", 1)
	writeFile(t, types, edited)

	for _, command := range []string{"import", "generate"} {
		code, _, stderr := execute(t, dir, command)
		assert.Equal(t, exitProblem, code)
		assert.Contains(t, stderr, "apis/sea/v1/types.go: this file was edited, or import did not write it\n\tmove additions to another file")
		assert.Equal(t, edited, read(t, types))
	}
	code, stdout, stderr := execute(t, dir, "verify")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stdout, "differs  apis/sea/v1/types.go\n")
	assert.Contains(t, stderr, "run informer-gen-lite import --force and informer-gen-lite generate\n")

	runDone(t, dir, "import", "--force")
	assert.Equal(t, imported, read(t, types))
	writeFile(t, types, strings.ReplaceAll(imported, "\n", "\r\n"))
	runDone(t, dir, "import")
	assert.Equal(t, imported, read(t, types), "git may change the ends of lines")
	assert.Equal(t, addition, read(t, dir, "apis/sea/v1/methods.go"))
}

// TestImportOtherSources imports from the standard input and from a file outside of the module, which are saved.
func TestImportOtherSources(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "crds.yaml")
	writeFile(t, outside, ships)
	for name, source := range map[string]string{"standard input": "-", "outside of the module": outside} {
		t.Run(name, func(t *testing.T) {
			dir := importModule(t)
			var stdout, stderr bytes.Buffer
			a := app{dir: dir, stdout: &stdout, stderr: &stderr, stdin: strings.NewReader(ships)}
			require.Equal(t, exitDone, a.run(t.Context(), []string{"import", source, "--into", "pkg/apis/sea", "--versions", "v1"}), stderr.String())
			assert.Contains(t, read(t, dir, option.FileName), `imports:
- from: pkg/apis/sea/sea.example.com.yaml
  into: pkg/apis/sea
  versions: [v1]
  sha256: `)
			assert.Contains(t, read(t, dir, "pkg/apis/sea/v1/types.go"), "// Source: pkg/apis/sea/sea.example.com.yaml\n")
			assert.NoDirExists(t, filepath.Join(dir, "pkg/apis/sea/v1beta1"))
			stdoutAgain, _ := runDone(t, dir, "import")
			assert.NotContains(t, stdoutAgain, "written  ")
		})
	}
}

// TestImportConfiguration has a handwritten configuration with comments and a name for a type.
func TestImportConfiguration(t *testing.T) {
	dir := importModule(t)
	writeFile(t, filepath.Join(dir, "LICENSE.txt"), "// Copyright example.com.\n")
	writeFile(t, filepath.Join(dir, option.FileName), `# Ours.
packages: [./api/...]
go-header-file: LICENSE.txt
imports:
  # Ships are not ours.
  - from: crds/ships.yaml
    into: apis # all of them
    names: {ShipPort: Harbor}
output-dir: clients
`)
	_, stderr := runDone(t, dir, "import")
	assert.Equal(t, `.informer-gen.yaml:6:5: warning: no pattern in packages matches the packages in apis
	add ./apis/... to packages
`, stderr)
	text := read(t, dir, option.FileName)
	assert.Regexp(t, `^# Ours.
packages: \[./api/...\]
go-header-file: LICENSE.txt
imports:
  # Ships are not ours.
  - from: crds/ships.yaml
    into: apis
    names:
      ShipPort: Harbor
    sha256: "?[0-9a-f]{64}"?
output-dir: clients
$`, text)
	types := read(t, dir, "apis/sea/v1/types.go")
	assert.True(t, strings.HasPrefix(types, "// Copyright example.com.\n\n// Code generated by informer-gen-lite import."), types)
	assert.Contains(t, types, "Port *Harbor ")
	runDone(t, dir, "import")
	assert.Equal(t, text, read(t, dir, option.FileName))

	writeFile(t, filepath.Join(dir, option.FileName), strings.Replace(text, "into: apis", "into: apis # all of them", 1))
	writeFile(t, filepath.Join(dir, "crds", "ships.yaml"), ships+"# more\n")
	runDone(t, dir, "import")
	changed := read(t, dir, option.FileName)
	_, checksum, found := strings.Cut(text, "sha256: ")
	require.True(t, found)
	assert.NotContains(t, changed, checksum)
	assert.Contains(t, changed, "into: apis # all of them\n", "only the checksum changes")
}

// TestImportOtherConfiguration records an import in the configuration of another module, and ignores all configurations.
func TestImportOtherConfiguration(t *testing.T) {
	dir := importModule(t)
	runDone(t, dir, "import", "crds")
	before := read(t, dir, option.FileName)
	other := filepath.Join(dir, "other")
	writeModule(t, other, "example.com/m/other")
	writeFile(t, filepath.Join(other, "crds", "ships.yaml"), ships)
	writeFile(t, filepath.Join(other, "types.yaml"), "packages: [./apis/...]\n")
	runDone(t, dir, "import", "other/crds", "--config", "other/types.yaml", "--into", "other/apis")
	assert.Contains(t, read(t, other, "types.yaml"), "\nimports:\n- from: crds\n  into: apis\n")
	assert.Contains(t, read(t, other, "apis/sea/v1/types.go"), "\n// Source: crds in types.yaml\n")
	assert.Equal(t, before, read(t, dir, option.FileName))

	runDone(t, dir, "generate", "--config", "other/types.yaml")
	stdout, _ := runDone(t, other, "verify", "--config", "types.yaml")
	assert.Contains(t, stdout, "up to date")

	changed := strings.Replace(ships, "crew:", "sailors:", 1)
	writeFile(t, filepath.Join(dir, "crds", "ships.yaml"), changed)
	runDone(t, dir, "generate", "--config=", "./apis/...")
	assert.NotContains(t, read(t, dir, "apis/sea/v1/types.go"), "Sailors")
}

// TestImportErrors changes nothing.
func TestImportErrors(t *testing.T) {
	for name, test := range map[string]struct {
		configuration string
		args          []string
		code          int
		want          string
	}{
		"nothing":         {"", nil, exitUsage, "nothing to import"},
		"all and some":    {"", []string{"crds", "--group", "g", "--all"}, exitUsage, "--group and --all exclude each other"},
		"no source":       {"", []string{"--note", "ours"}, exitUsage, "--note is about a source: name a file or directory, or -"},
		"no such group":   {"", []string{"crds", "--group", "lake.example.com"}, exitProblem, "crds/ships.yaml: no definition of group lake.example.com\n\tit has definitions of sea.example.com\n"},
		"bad groups":      {"imports: [{from: crds, into: apis, groups: a}]\n", nil, exitProblem, `groups: got "a", want a list of strings`},
		"bad note":        {"imports: [{from: crds, into: apis, note: [a]}]\n", nil, exitProblem, `note: got a list, want a string`},
		"gone group":      {"imports: [{from: crds, into: apis, groups: [a]}]\n", nil, exitProblem, "no definition of group a\n"},
		"no such file":    {"", []string{"crd"}, exitProblem, "no such file"},
		"empty file":      {"", []string{"mine/empty.yaml"}, exitProblem, "mine/empty.yaml: no CustomResourceDefinition\n"},
		"no kind":         {"", []string{"mine/nokind.yaml"}, exitProblem, "mine/nokind.yaml: no CustomResourceDefinition, only objects without a kind\n"},
		"nothing to read": {"", []string{"."}, exitProblem, "no YAML or JSON file in"},
		"outside":         {"", []string{"crds", "--into", "../apis"}, exitProblem, "is outside of the module"},
		"URL":             {"", []string{"https://example.com/crds.yaml"}, exitProblem, "https://example.com/crds.yaml is a URL, and sources are files\n\tdownload it first: curl -fsSL https://example.com/crds.yaml | informer-gen-lite import -\n"},
		"recorded URL":    {"imports: [{from: https://example.com/a, into: apis}]\n", nil, exitProblem, ".informer-gen.yaml:1:18: from: https://example.com/a is a URL"},
		"handwritten":     {"", []string{"crds", "--into", "mine/sea"}, exitProblem, "mine/sea/v1/types.go: this file was edited, or import did not write it"},
		"no list":         {"imports: {}\n", nil, exitProblem, ".informer-gen.yaml:1:10: imports: got a mapping, want a list of mappings"},
		"no from":         {"imports: [{into: apis}]\n", nil, exitProblem, ".informer-gen.yaml:1:11: imports: an entry needs from and into"},
		"unknown key":     {"imports: [{form: a, into: apis}]\n", nil, exitProblem, "unknown key form"},
		"bad name":        {"imports: [{from: a, into: apis, names: {A: b}}]\n", nil, exitProblem, `names: "b" is not an exported Go name`},
		"bad marker":      {"imports: [{from: a, into: apis, markers: {A: [b]}}]\n", nil, exitProblem, `markers: "b" is not a marker: it begins with + and is one line`},
		"bad markers":     {"imports: [{from: a, into: apis, markers: {A: b}}]\n", nil, exitProblem, "markers: got a mapping, want a mapping of types to lists"},
		"marked type": {"imports: [{from: crds, into: apis, markers: {Car: [+a]}}]\n", nil, exitProblem,
			".informer-gen.yaml:1:11: markers: no type is called Car"},
		"bad switch":     {"imports: [{from: a, into: apis, recognize: 1}]\n", nil, exitProblem, `recognize: got "1", want true or false`},
		"source is gone": {"imports: [{from: a, into: apis}]\n", nil, exitProblem, ".informer-gen.yaml:1:11: stat"},
		"braces":         {"{imports: [{from: crds, into: apis}]}\n", nil, exitProblem, ".informer-gen.yaml:1:1: cannot record the import: the top level is not a block of keys\n\twrite each key on a line of its own"},
		"another source": {"imports: \n- {from: crds/ships.yaml, into: apis}\n", []string{"crds"}, exitProblem,
			"apis/sea/v1/types.go: the types in this file are from crds/ships.yaml\n\tchoose another directory"},
		"twice": {"imports:\n- {from: crds, into: apis}\n- {from: crds/ships.yaml, into: apis}\n", nil, exitProblem,
			".informer-gen.yaml:3:3: another entry of imports has types for apis/sea/v1"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := importModule(t)
			writeFile(t, filepath.Join(dir, "mine/sea/v1/types.go"), "package v1\n")
			writeFile(t, filepath.Join(dir, "mine/empty.yaml"), "")
			writeFile(t, filepath.Join(dir, "mine/nokind.yaml"), "a: b\n")
			if test.configuration != "" {
				writeFile(t, filepath.Join(dir, option.FileName), test.configuration)
			}
			if name == "another source" {
				runDone(t, dir, "import")
			}
			before := filesBelow(t, dir)
			code, _, stderr := execute(t, dir, append([]string{"import"}, test.args...)...)
			assert.Equal(t, test.code, code)
			assert.Contains(t, stderr, test.want)
			assert.Equal(t, before, filesBelow(t, dir))
		})
	}
}
