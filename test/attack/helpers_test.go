package attack

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The sizes of the tests. The defaults are for a quick check.
var (
	mutants   = flag.Int("mutants", 20, "mutants of API packages")
	of        = flag.String("of", "", "beginning of the names of the APIs to mutate")
	first     = flag.Int("first", 0, "number of the first mutant")
	kills     = flag.Int("kills", 12, "runs that are killed at a system call")
	manyTypes = flag.Int("types", 2000, "types in one package")
	packages  = flag.Int("packages", 30, "packages in one module")
	megabytes = flag.Int("megabytes", 1, "size of comments and schemas")
	seed      = flag.Uint64("seed", 2026, "seed of what is random")
)

// program is the path of the command, built once for all tests.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "attack")
	if err == nil {
		program = filepath.Join(dir, "informer-gen-lite")
		err = os.Chmod(dir, 0o755) // for the test with another user
	}
	if err == nil {
		build := exec.Command("go", "build", "-o", program, "./cmd/informer-gen-lite")
		build.Dir = "../.."
		build.Stderr = os.Stderr
		err = build.Run()
	}
	if err != nil {
		log.Fatal(err)
	}
	m.Run()
	_ = os.RemoveAll(dir)
}

// outcome is the result and the cost of a run. CPU time and memory include child processes; memory is that of the largest
// process.
type outcome struct {
	code      int
	out       string
	wall, cpu time.Duration
	megabytes int64
}

func (o outcome) String() string {
	return fmt.Sprintf("exit code %d, %.1f s wall, %.1f s processor, %d MB", o.code, o.wall.Seconds(), o.cpu.Seconds(), o.megabytes)
}

// runLimit ends runs that hang.
const runLimit = 15 * time.Minute

// command returns the command for dir.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	return cmd
}

// run runs the command in dir.
func run(t *testing.T, dir string, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runLimit)
	defer cancel()
	return measure(t, command(ctx, dir, args...))
}

// measure runs a command. It fails the test if the command panics or is killed by a signal.
func measure(t *testing.T, cmd *exec.Cmd) outcome {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	o := outcome{wall: time.Since(start), out: out.String()}
	require.NotNil(t, cmd.ProcessState, err)
	o.code = cmd.ProcessState.ExitCode()
	o.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		o.megabytes = usage.Maxrss >> 10
	}
	require.Contains(t, []int{0, 1, 2}, o.code, tail(o.out))
	for _, crash := range []string{"panic:", "fatal error:", "goroutine 1 ["} {
		require.NotContains(t, o.out, crash)
	}
	return o
}

// succeed is like run, but requires success.
func succeed(t *testing.T, dir string, args ...string) outcome {
	t.Helper()
	o := run(t, dir, args...)
	require.Equal(t, 0, o.code, tail(o.out))
	return o
}

// tail returns the end of a command's output, because messages can be as large as their input.
func tail(s string) string {
	if len(s) > 4000 {
		return "…" + s[len(s)-4000:]
	}
	return s
}

func write(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
}

// newModule creates a module with the given files and returns its directory.
func newModule(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	for name, content := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), content)
	}
	return dir
}

const packageHeader = "// +groupName=%s.example.com\npackage %s\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n"

const kindSource = `
// +genclient
type Robot struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata\"`" + `

	Spec RobotSpec ` + "`json:\"spec\"`" + `
}

type RobotSpec struct {
	Arms []string ` + "`json:\"arms,omitempty\"`" + `
}

type RobotList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata\"`" + `

	Items []Robot ` + "`json:\"items\"`" + `
}
`

// kind returns the source of a kind with a list and a spec.
func kind(name string) string { return strings.ReplaceAll(kindSource, "Robot", name) }

// api returns the source of version v1 of a group.
func api(group string, kinds ...string) string {
	src := fmt.Sprintf(packageHeader, group, "v1")
	for _, name := range kinds {
		src += kind(name)
	}
	return src
}

// tree returns everything below a directory by slash-separated path: the content of files, the target of links, and "/" for
// directories.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir():
			found[rel] = "/"
		case d.Type() == fs.ModeSymlink:
			found[rel], err = os.Readlink(name)
		default:
			var content []byte
			content, err = os.ReadFile(name)
			found[rel] = string(content)
		}
		return err
	}))
	return found
}

// sameTree fails the test with the names of files that differ.
func sameTree(t *testing.T, want, got map[string]string, message string) {
	t.Helper()
	for name, content := range want {
		if found, ok := got[name]; !ok {
			assert.Fail(t, message, "%s is missing", name)
		} else if found != content {
			assert.Fail(t, message, "%s differs: %d bytes instead of %d", name, len(found), len(content))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			assert.Fail(t, message, "%s is left", name)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}
