package cli

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMigrateUsage(t *testing.T) {
	code, _, stderr := run(t, t.TempDir(), "migrate")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "no call that generates clients")

	code, _, stderr = run(t, t.TempDir(), "migrate", "nope.sh")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "nope.sh")

	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "gen.sh"), "client-gen\n")
	code, _, stderr = run(t, dir, "migrate", "gen.sh")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "no go.mod in "+dir)
}

// TestMigrateTwoScripts translates two scripts that generate one output together.
func TestMigrateTwoScripts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n")
	writeFile(t, filepath.Join(dir, "a.sh"), "client-gen --input-base= --input example.com/m/api/v1 -p example.com/m/gen/clientset -n versioned\n")
	writeFile(t, filepath.Join(dir, "b.sh"), "lister-gen ./api/v1 -p example.com/m/gen/listers\n")
	code, stdout, stderr := run(t, dir, "migrate", "a.sh", "b.sh")
	assert.Equal(t, exitDone, code)
	assert.Empty(t, stderr)
	assert.Equal(t, "packages:\n  - ./api/v1\noutput-dir: gen\nonly:\n  - clientset\n  - listers\n", stdout)
}

// TestMigrateReportsOnStderr prints the configuration on stdout and what it lacks on stderr.
func TestMigrateReportsOnStderr(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n")
	writeFile(t, filepath.Join(dir, "hack", "gen.sh"), "client-gen --input-base= --input example.com/m/api/v1 -p example.com/m/gen/clientset -n versioned --build-tag x\n")
	code, stdout, stderr := run(t, dir, "migrate", "hack/gen.sh")
	assert.Equal(t, exitDone, code)
	assert.Equal(t, "hack/gen.sh:1:1: warning: --build-tag of client-gen is not translated: use build-tags if the API files need it\n", stderr)
	assert.Equal(t, "packages:\n  - ./api/v1\noutput-dir: gen\nonly:\n  - clientset\n", stdout)
}
