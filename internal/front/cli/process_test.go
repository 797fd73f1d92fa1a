package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

// bareTypes are types with only the markers that clients need.
const bareTypes = `// +groupName=fleet.example.com
// +k8s:deepcopy-gen=package
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Robot struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Status            RobotStatus ` + "`json:\"status,omitempty\"`" + `
}

type RobotStatus struct {
	Conditions []metav1.Condition ` + "`json:\"conditions,omitempty\"`" + `
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RobotList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []Robot ` + "`json:\"items\"`" + `
}
`

// bareModule creates a module with only types, and with these requirements in its go.mod.
func bareModule(t *testing.T, requirements string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n"+requirements)
	writeFile(t, filepath.Join(dir, "api", "v1", "types.go"), bareTypes)
	return dir
}

// tidyModule creates a module that is tidy for types that use a version of k8s.io/apimachinery.
func tidyModule(t *testing.T, apimachinery string) string {
	t.Helper()
	dir := bareModule(t, "\nrequire k8s.io/apimachinery "+apimachinery+"\n")
	shell(t, dir, "go mod tidy")
	return dir
}

// commandScript makes the test binary act as the command in a shell, with the same exit code.
const commandScript = `#!/bin/sh
out=$(` + commandChild + `=1 exec %q "$@")
echo "${out%%exit code *}"
case $out in *"exit code 0") ;; *) exit 1 ;; esac
`

// shell runs a line as a user would, in dir, with the command on PATH.
func shell(t *testing.T, dir, line string) {
	t.Helper()
	bin := t.TempDir()
	script := fmt.Sprintf(commandScript, os.Args[0])
	require.NoError(t, os.WriteFile(filepath.Join(bin, "informer-gen-lite"), []byte(script), 0o777))
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s", line, out)
}

// steps returns the commands that a command suggests: the indented lines.
func steps(stdout string) []string {
	var lines []string
	for line := range strings.Lines(stdout) {
		if step, indented := strings.CutPrefix(line, "\t"); indented {
			lines = append(lines, strings.TrimSpace(step))
		}
	}
	return lines
}

// requirements returns the versions that a go.mod requires, including those of tool directives.
func requirements(t *testing.T, dir string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	file, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	versions := map[string]string{}
	for _, r := range file.Require {
		versions[r.Mod.Path] = r.Mod.Version
	}
	return versions
}
