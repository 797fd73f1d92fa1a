package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMigrateCheckManifests switches from controller-gen: the definitions that it wrote are compared by meaning.
func TestMigrateCheckManifests(t *testing.T) {
	t.Parallel()
	const directory = "config/crd/bases"
	dir := filepath.Join(t.TempDir(), "m")
	writeModule(t, dir, "example.com/m")
	types := strings.Replace(bareTypes, "// +genclient\n", "// +kubebuilder:object:root=true\n", 1)
	writeFile(t, filepath.Join(dir, "api", "v1", "types.go"), types)
	writeFile(t, filepath.Join(dir, "Makefile"), "manifests:\n\tcontroller-gen object crd:maxDescLen=0 paths=./... output:crd:dir="+directory+"\n")
	code, stdout, stderr := execute(t, dir, "migrate", "--manifests")
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, "packages:\n  - ./api/v1\noutput-dir: api\ncrd-output-dir: config/crd/bases\ncrd-options:\n  - maxDescLen=0\n"+
		"only:\n  - deepcopy\n  - crd\n", stdout)

	writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), stdout)
	code, _, stderr = execute(t, dir)
	require.Equal(t, exitDone, code, stderr)
	require.NoError(t, os.Remove(filepath.Join(dir, "api", "zz_generated.sum")))
	const robots = directory + "/fleet.example.com_robots.yaml"
	const document = robots + ": CustomResourceDefinition robots.fleet.example.com\n"
	code, stdout, stderr = execute(t, dir, "migrate", "--check")
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stdout, "equal           "+document)

	replaceIn(t, filepath.Join(dir, robots), "kind: Robot\n", "kind: Robo\n")
	code, stdout, stderr = execute(t, dir, "migrate", "--check")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stdout, "different       "+document+"\t@@ ")
	assert.Contains(t, stdout, "\t-    kind: Robo\n\t+    kind: Robot\n")
	assert.Contains(t, stderr, "1 manifest would change")
}
