package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
)

// TestImportRecords writes the checksum of a source to configurations in all styles. A second run changes nothing.
func TestImportRecords(t *testing.T) {
	for name, test := range map[string]struct{ before, want string }{
		"no entry":   {"# ours\n#packages: []\n", "# ours\n#packages: []\n\nimports:\n- from: crds/ships.yaml\n  into: apis\n  sha256: SUM\n"},
		"empty list": {"imports: []\nskip: [crd]\n", "skip: [crd]\n\nimports:\n- from: crds/ships.yaml\n  into: apis\n  sha256: SUM\n"},
		"brackets": {"#first\nimports: [{from: crds/ships.yaml, into: apis}] # why\n# last\n",
			"#first\nimports:\n- from: crds/ships.yaml\n  into: apis\n  sha256: SUM\n# last\n"},
		"brackets on several lines": {`skip: [crd]
# first
imports: [
  {from: more, # theirs
   into: pkg/apis},
  # ships
  {from: crds/ships.yaml,
   into: apis,
   names: {
     ShipPort: Harbor,
   },
  },
]

# last
runtime: false
`, `skip: [crd]
# first
imports:
- from: more # theirs
  into: pkg/apis
# ships
- from: crds/ships.yaml
  into: apis
  names:
    ShipPort: Harbor
  sha256: SUM

# last
runtime: false
`},
		"braces on several lines": {"imports:\n  - {from: crds/ships.yaml,\n     into: apis\n    }\n  # last\n",
			"imports:\n  - from: crds/ships.yaml\n    into: apis\n    sha256: SUM\n  # last\n"},
		"wide list": {"imports:\n -\n   # ships\n   from: crds/ships.yaml\n   into: apis\n -  from: more\n    into: pkg/apis\n",
			"imports:\n - from: crds/ships.yaml\n   into: apis\n   sha256: SUM\n -  from: more\n    into: pkg/apis\n"},
		"an old checksum": {"imports: [{sha256: a, from: more, into: pkg/apis}, {sha256: a, from: crds/ships.yaml, into: apis}]\n",
			"imports: [{sha256: a, from: more, into: pkg/apis}, {sha256: SUM, from: crds/ships.yaml, into: apis}]\n"},
		"lines of Windows": {"# ours\r\nimports:\r\n- from: crds/ships.yaml\r\n  into: apis\r\nruntime: false\r\n",
			"# ours\r\nimports:\r\n- from: crds/ships.yaml\r\n  into: apis\r\n  sha256: SUM\r\nruntime: false\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := importModule(t)
			writeFile(t, filepath.Join(dir, option.FileName), test.before)
			runDone(t, dir, "import", "crds/ships.yaml")
			recorded := read(t, dir, option.FileName)
			assert.Equal(t, test.want, regexp.MustCompile(`"?[0-9a-f]{64}"?`).ReplaceAllString(recorded, "SUM"))
			runDone(t, dir, "import", "crds/ships.yaml")
			assert.Equal(t, recorded, read(t, dir, option.FileName))
		})
	}
}

// TestImportTemplate uncomments the default in a new configuration.
func TestImportTemplate(t *testing.T) {
	dir := importModule(t)
	writeFile(t, filepath.Join(dir, "crds", "other.yaml"), ships)
	runDone(t, dir, "init")
	text := read(t, dir, option.FileName)
	writeFile(t, filepath.Join(dir, option.FileName), strings.Replace(text, "\n#imports:", "\nimports:", 1))
	stdout, _ := runDone(t, dir, "generate")
	assert.Contains(t, stdout, "written  apis/sea/v1/types.go\n")
	runDone(t, dir, "verify")
}

// TestImportBelow imports in a subdirectory. Types go to the directory next to the configuration or, again, to that of the entry.
func TestImportBelow(t *testing.T) {
	dir := importModule(t)
	below := filepath.Join(dir, "hack", "types")
	require.NoError(t, os.MkdirAll(below, 0o777))
	stdout, _ := runDone(t, below, "import", "../../crds/ships.yaml")
	assert.Contains(t, stdout, "written  ../../apis/sea/v1/types.go\n")
	stdout, _ = runDone(t, below, "generate")
	assert.Contains(t, stdout, " in ../../pkg/generated\n")
	runDone(t, below, "verify")

	writeFile(t, filepath.Join(dir, "crds", "boats.yaml"), boats)
	stdout, _ = runDone(t, below, "import", "../../crds/boats.yaml", "--into", "api")
	assert.Contains(t, stdout, "written  api/lake/v1/types.go\n")
	assert.Contains(t, read(t, dir, option.FileName), "\n- from: crds/boats.yaml\n  into: hack/types/api\n")
	stdout, _ = runDone(t, below, "import", "../../crds/boats.yaml")
	assert.Contains(t, stdout, "0 files written, 5 unchanged, 0 removed\n")
}

// TestImportCreates creates the configuration that the command line names.
func TestImportCreates(t *testing.T) {
	dir := importModule(t)
	stdout, _ := runDone(t, dir, "import", "crds/ships.yaml", "--config", "hack/types.yaml")
	assert.Contains(t, stdout, "written  hack/apis/sea/v1/types.go\n")
	assert.Contains(t, stdout, "written  hack/types.yaml\n")
	assert.Contains(t, stdout, "\n\tinformer-gen-lite generate --config hack/types.yaml\n")
	assert.Contains(t, read(t, dir, "hack/types.yaml"), "\nimports:\n- from: ../crds/ships.yaml\n  into: apis\n")
	assert.NoFileExists(t, filepath.Join(dir, option.FileName))
	runDone(t, dir, "generate", "--config", "hack/types.yaml")
	code, _, _ := execute(t, dir, "generate", "--config", "hack/other.yaml")
	assert.NotEqual(t, exitDone, code, "only import creates it")
}

// TestImportMarkers adds a controller to an imported kind, as scaffold says.
func TestImportMarkers(t *testing.T) {
	dir := importModule(t)
	runDone(t, dir, "import", "crds", "--versions", "v1")
	code, _, stderr := execute(t, dir, "scaffold", "Ship")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, `types.go:17:6: kind Ship has no controller
	add markers: {Ship: [+informergen:controller]} to its entry of imports in the configuration, and run informer-gen-lite generate
`)
	const added = "\n  markers: {Ship: [+informergen:controller], ShipPort: [+a, \"+b=c,d\"]}\n  sha256:"
	text := strings.Replace(read(t, dir, option.FileName), "\n  sha256:", added, 1)
	writeFile(t, filepath.Join(dir, option.FileName), text)
	runDone(t, dir, "generate")
	types := read(t, dir, "apis/sea/v1/types.go")
	assert.Contains(t, types, "\n// +informergen:controller\ntype Ship struct {")
	assert.Contains(t, types, "\n// +a\n// +b=c,d\ntype ShipPort struct {")
	runDone(t, dir, "verify")
	runDone(t, dir, "scaffold", "Ship")
	runDone(t, dir, "import", "crds", "--versions", "v1,v1beta1")
	assert.Contains(t, read(t, dir, option.FileName), `
  markers:
    Ship: ['+informergen:controller']
    ShipPort: [+a, '+b=c,d']
  sha256:`)
}
