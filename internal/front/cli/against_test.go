package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

const robotsBefore = `// +groupName=fleet.example.com
// +k8s:deepcopy-gen=package
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Robot struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Spec RobotSpec ` + "`json:\"spec,omitempty\"`" + `
}

type RobotSpec struct {
	Arms []Arm ` + "`json:\"arms,omitempty\"`" + `
	// +kubebuilder:default=1
	Legs int32 ` + "`json:\"legs,omitempty\"`" + `
	Mode Mode ` + "`json:\"mode,omitempty\"`" + `
	Names map[string]Name ` + "`json:\"names,omitempty\"`" + `
	Base ` + "`json:\",inline\"`" + `
}

// +kubebuilder:validation:Enum=Fast;Slow
type Mode string

type Arm struct {
	Color string ` + "`json:\"color,omitempty\"`" + `
	Size string ` + "`json:\"size,omitempty\"`" + `
}

type Name struct {
	First string ` + "`json:\"first,omitempty\"`" + `
}

type Base struct {
	Old string ` + "`json:\"old,omitempty\"`" + `
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RobotList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items []Robot ` + "`json:\"items\"`" + `
}
`

// robotsAfter replaces parts of robotsBefore.
var robotsAfter = []string{
	"\tColor string `json:\"color,omitempty\"`\n", "", // removed
	"Size string", "Size int32", // another type
	"First string `json:\"first,omitempty\"`", "First string `json:\"first\"`", // required
	"Enum=Fast;Slow", "Enum=Fast", // a value less
	"default=1", "default=2",
	"Old string `json:\"old,omitempty\"`", "// +kubebuilder:validation:Format=uuid\n\tNew string `json:\"new,omitempty\"`",
}

// gitRepository returns a module with robotsBefore in a folder of a git repository with one revision, main.
func gitRepository(t *testing.T) (dir string) {
	t.Helper()
	top := t.TempDir()
	dir = filepath.Join(top, "api")
	writeModuleFor(t, model.DefaultTarget, dir, "example.com/m")
	writeFile(t, filepath.Join(dir, "v1", "types.go"), robotsBefore)
	writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), "only: [deepcopy, listers]\n")
	gitCommand(t, top, "init", "--quiet", "--initial-branch=main")
	commit(t, top)
	return dir
}

func commit(t *testing.T, top string) {
	t.Helper()
	gitCommand(t, top, "add", "--all")
	gitCommand(t, top, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--message=x")
}

func gitCommand(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// verifyAgainst generates, and compares with a revision.
func verifyAgainst(t *testing.T, dir, revision string) (code int, stderr string) {
	t.Helper()
	code, _, stderr = execute(t, dir, "generate")
	require.Equal(t, exitDone, code, stderr)
	code, _, stderr = execute(t, dir, "verify", "--against", revision)
	return code, stderr
}

func TestAgainst(t *testing.T) {
	t.Parallel()
	dir := gitRepository(t)
	code, stderr := verifyAgainst(t, dir, "main")
	assert.Equal(t, exitDone, code, stderr)
	assert.Empty(t, stderr)

	writeFile(t, filepath.Join(dir, "v1", "types.go"), strings.NewReplacer(robotsAfter...).Replace(robotsBefore))
	index, err := os.ReadFile(filepath.Join(dir, "../.git/index"))
	require.NoError(t, err)
	code, stderr = verifyAgainst(t, dir, "main")
	assert.Equal(t, exitProblem, code)
	after, err := os.ReadFile(filepath.Join(dir, "../.git/index"))
	require.NoError(t, err)
	assert.Equal(t, index, after)
	const hint = "\tif this is intended, add \"robots.fleet.example.com/v1 "
	assert.Equal(t, `v1/types.go:18:2: since main, spec.legs of robots.fleet.example.com/v1 changed its default from 1 to 2
`+hint+`spec.legs default: reason" to allowed-changes
v1/types.go:19:2: since main, spec.mode of robots.fleet.example.com/v1 no longer allows "Slow"
`+hint+`spec.mode enum: reason" to allowed-changes
v1/types.go:28:2: since main, spec.arms[*].size of robots.fleet.example.com/v1 changed its type from string to integer
`+hint+`spec.arms[*].size type: reason" to allowed-changes
v1/types.go:32:2: since main, spec.names[*].first of robots.fleet.example.com/v1 became required
`+hint+`spec.names[*].first required: reason" to allowed-changes
v1/types.go@main:28:2: since main, spec.arms[*].color of robots.fleet.example.com/v1 was removed
`+hint+`spec.arms[*].color removed: reason" to allowed-changes
v1/types.go@main:37:2: since main, spec.old of robots.fleet.example.com/v1 was removed
`+hint+`spec.old removed: reason" to allowed-changes
`, stderr)

	writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), `only: [deepcopy, listers]
allowed-changes:
  - "robots.fleet.example.com/v1 spec.legs default: robots have two legs, and none was created without"
  - "robots.fleet.example.com/v1 spec.mode enum: nobody is slow"
  - "robots.fleet.example.com/v1 spec.arms[*].size type: the field was added yesterday"
  - "robots.fleet.example.com/v1 spec.names[*].first required: all have one"
  - "robots.fleet.example.com/v1 spec.arms[*].color removed: arms are gray"
  - "robots.fleet.example.com/v1 spec.old removed: unused"
  - "robots.fleet.example.com/v1 spec.hands removed: unused"
`)
	code, stderr = verifyAgainst(t, dir, "main")
	assert.Equal(t, exitDone, code, stderr)
	assert.Equal(t, `.informer-gen.yaml:3:3: warning: allowed-changes: "robots.fleet.example.com/v1 spec.hands removed" has not changed since main: remove it
`, stderr)
}

// TestAgainstReview expects warnings for what people must decide, which --strict makes errors.
func TestAgainstReview(t *testing.T) {
	t.Parallel()
	dir := gitRepository(t)
	writeFile(t, filepath.Join(dir, "v1", "types.go"), strings.ReplaceAll(robotsBefore, "\tSize string", "\t// +kubebuilder:validation:Format=uuid\n\tSize string"))
	code, stderr := verifyAgainst(t, dir, "HEAD")
	assert.Equal(t, exitDone, code, stderr)
	assert.Equal(t, `v1/types.go:30:2: warning: since HEAD, spec.arms[*].size of robots.fleet.example.com/v1 has another format
	check that all stored values remain valid, and add "robots.fleet.example.com/v1 spec.arms[*].size format: reason" to allowed-changes
`, stderr)
	code, _, stderr = execute(t, dir, "verify", "--against=HEAD", "--strict")
	assert.Equal(t, exitProblem, code)
	assert.NotContains(t, stderr, "warning")
}

// TestAgainstVersions compares versions, kinds, and modules that do not exist on one side.
func TestAgainstVersions(t *testing.T) {
	t.Parallel()
	dir := gitRepository(t)
	writeFile(t, filepath.Join(dir, "v2", "types.go"), strings.NewReplacer("package v1", "package v2", "// +genclient\n",
		"// +genclient\n// +kubebuilder:storageversion\n").Replace(robotsBefore))
	code, stderr := verifyAgainst(t, dir, "main")
	assert.Equal(t, exitDone, code, stderr)
	commit(t, filepath.Dir(dir))

	writeFile(t, filepath.Join(dir, "v1", "types.go"), strings.ReplaceAll(robotsBefore, "// +genclient\n", "// +genclient\n// +kubebuilder:unservedversion\n"))
	code, stderr = verifyAgainst(t, dir, "main")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "v1/types.go:10:6: since main, robots.fleet.example.com/v1 is no longer served\n")

	require.NoError(t, os.RemoveAll(filepath.Join(dir, "v1")))
	code, stderr = verifyAgainst(t, dir, "main")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "v1/types.go@main:9:6: since main, robots.fleet.example.com/v1 is no version any more\n")
	code, stderr = verifyAgainst(t, dir, "main~1") // before v2
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "v1/types.go@main~1:9:6: since main~1, robots.fleet.example.com/v1 is no version any more\n")

	writeFile(t, filepath.Join(dir, "v2", "types.go"), strings.NewReplacer("package v1", "package v2", "Robot", "Android").Replace(robotsBefore))
	code, stderr = verifyAgainst(t, dir, "main")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "v1/types.go@main:9:6: since main, robots.fleet.example.com is no resource any more\n")

	other := filepath.Join(filepath.Dir(dir), "new")
	writeModuleFor(t, model.DefaultTarget, other, "example.com/new")
	writeFile(t, filepath.Join(other, "v1", "types.go"), robotsBefore)
	code, _, stderr = execute(t, other, "--only=deepcopy,listers")
	require.Equal(t, exitDone, code, stderr)
	code, _, stderr = execute(t, other, "verify", "--only=deepcopy,listers", "--against=main")
	assert.Equal(t, exitDone, code, stderr)
}

// TestAgainstProblems checks the errors, and that nothing is left.
func TestAgainstProblems(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	dir := gitRepository(t)
	code, _, stderr := execute(t, dir, "generate")
	require.Equal(t, exitDone, code, stderr)

	code, _, stderr = execute(t, dir, "verify", "--against=nope")
	assert.Equal(t, exitProblem, code)
	assert.Equal(t, "informer-gen-lite: --against: the repository has no revision \"nope\": if it exists elsewhere, run git fetch; in CI, "+
		"check out with the full history\n", stderr)
	code, _, stderr = execute(t, dir, "verify", "--against=")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, `no revision ""`)
	t.Setenv("GIT_DIR", ".git") // as in a hook
	code, _, stderr = execute(t, dir, "verify", "--against=main")
	assert.Equal(t, exitDone, code, stderr)
	code, _, stderr = execute(t, dir, "verify", "--against=--output=x")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, `no revision "--output=x"`)

	code, _, stderr = execute(t, dir, "verify", "--against=main", "--allowed-changes=x")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, stderr, `--allowed-changes: "x" is not of the form change: reason`)

	top := filepath.Dir(dir)
	writeFile(t, filepath.Join(dir, "v1", "types.go"), strings.ReplaceAll(robotsBefore, "Spec RobotSpec", "Spec RobotSpec [0"))
	commit(t, top)
	writeFile(t, filepath.Join(dir, "v1", "types.go"), robotsBefore)
	code, _, stderr = execute(t, dir, "verify", "--against=main")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "v1/types.go@main:12:", "a problem of the revision")

	require.NoError(t, os.RemoveAll(filepath.Join(top, ".git")))
	code, _, stderr = execute(t, dir, "verify", "--against=main")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "informer-gen-lite: --against needs a git repository, which "+dir+" is not in: ")
	goCommand, err := exec.LookPath("go")
	require.NoError(t, err)
	bin := t.TempDir()
	require.NoError(t, os.Symlink(goCommand, filepath.Join(bin, "go")))
	t.Setenv("PATH", bin)
	code, _, stderr = execute(t, dir, "verify", "--against=main")
	assert.Equal(t, exitProblem, code)
	assert.Equal(t, "informer-gen-lite: --against needs git, which is not installed\n", stderr)

	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	assert.Empty(t, left)
}
