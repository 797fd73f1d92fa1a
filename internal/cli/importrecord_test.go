package cli

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
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
     ShipPort: Harbour,
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
    ShipPort: Harbour
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
			writeFile(t, filepath.Join(dir, config.FileName), test.before)
			runDone(t, dir, "import", "crds/ships.yaml")
			recorded := read(t, dir, config.FileName)
			assert.Equal(t, test.want, regexp.MustCompile(`"?[0-9a-f]{64}"?`).ReplaceAllString(recorded, "SUM"))
			runDone(t, dir, "import", "crds/ships.yaml")
			assert.Equal(t, recorded, read(t, dir, config.FileName))
		})
	}
}

// TestImportTemplate uncomments the default in a new configuration.
func TestImportTemplate(t *testing.T) {
	dir := importModule(t)
	writeFile(t, filepath.Join(dir, "crds", "other.yaml"), ships)
	runDone(t, dir, "init")
	text := read(t, dir, config.FileName)
	writeFile(t, filepath.Join(dir, config.FileName), strings.Replace(text, "\n#imports:", "\nimports:", 1))
	stdout, _ := runDone(t, dir, "generate")
	assert.Contains(t, stdout, "written  apis/sea/v1/types.go\n")
	runDone(t, dir, "verify")
}
