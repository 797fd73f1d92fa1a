// Package build_test has the tests that compile for minutes: in modules with other dependencies than this repository, or with the
// program from a module proxy.
package build_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

const (
	root     = doctest.Repository("../..")
	toolPath = "github.com/informer-gen-lite/informer-gen-lite/cmd/informer-gen-lite"
)

// bin returns a new directory with the command, as built from the tree.
func bin(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", dir+string(os.PathSeparator), "./cmd/informer-gen-lite")
	cmd.Dir = string(root)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return dir
}

// types is a package with a kind, which has only the markers that clients need.
const types = `// +groupName=fleet.example.com
// +k8s:deepcopy-gen=package
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +informergen:controller
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

// moduleOfTypes returns a session in a module that has only types, and requirements in its go.mod.
func moduleOfTypes(t *testing.T, requirements string, env ...string) doctest.Session {
	t.Helper()
	s := doctest.Session{T: t, Root: root, Dir: filepath.Join(t.TempDir(), "m"), Bin: bin(t), Env: env}
	s.Write("go.mod", "module example.com/m\n\ngo 1.26.0\n"+requirements)
	s.Write("api/v1/types.go", types)
	return s
}

// must runs a script that has to succeed, and returns its output.
func must(s doctest.Session, script string) string {
	s.T.Helper()
	out, err := s.Run(script)
	require.NoError(s.T, err, "%s: %s", script, out)
	return out
}

// getMissing runs the command for missing modules that a run of the tool has printed.
func getMissing(s doctest.Session, printed string) {
	s.T.Helper()
	lines := steps(printed)
	require.Len(s.T, lines, 1, printed)
	require.Contains(s.T, lines[0], "go get ")
	must(s, lines[0])
}

// readFile returns a file of a session.
func readFile(s doctest.Session, name string) string {
	s.T.Helper()
	text, err := os.ReadFile(filepath.Join(s.Dir, filepath.FromSlash(name)))
	require.NoError(s.T, err)
	return string(text)
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
