package cli

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
)

// commandChild is the environment variable that makes the test binary act as the command.
const commandChild = "CLI_TEST_COMMAND_CHILD"

func TestMain(m *testing.M) {
	if _, child := os.LookupEnv(commandChild); child {
		fmt.Fprintf(os.Stdout, "exit code %d\n", Main(os.Args[1:], os.Stdout, os.Stderr))
		return
	}
	m.Run()
}

// startable returns the command as a separate process in dir.
func startable(dir string, args ...string) (cmd *exec.Cmd, output *bytes.Buffer) {
	cmd = exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), commandChild+"=1")
	output = new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = output, output
	return cmd, output
}

// fleetModule creates a module with the given kinds, and returns its directory.
func fleetModule(t *testing.T, kinds ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	fleetTypes(t, dir, kinds...)
	return dir
}

func fleetTypes(t *testing.T, dir string, kinds ...string) {
	t.Helper()
	src := "// +groupName=fleet.example.com\npackage v1\n"
	for _, kind := range kinds {
		src += strings.ReplaceAll(strings.TrimPrefix(oneKind, "package v1\n"), "Robot", kind)
	}
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), src)
}

// filesBelow returns the files below a directory by path.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		found[filepath.ToSlash(rel)] = string(content)
		return err
	}))
	return found
}

// TestKilledCommand kills whole runs of the command. Tests of package output kill only the writing, but more often.
func TestKilledCommand(t *testing.T) {
	small, large := []string{"Robot"}, []string{"Robot", "Arm", "Leg", "Wheel"}
	dir := fleetModule(t, small...)
	generated := filepath.Join(dir, "pkg", "generated")
	var versions []map[string]string
	took := time.Hour // the fastest run
	for _, kinds := range [][]string{small, large, small, large} {
		fleetTypes(t, dir, kinds...)
		start := time.Now()
		cmd, output := startable(dir)
		require.NoError(t, cmd.Run(), output)
		took = min(took, time.Since(start))
		require.Contains(t, output.String(), "exit code 0\n")
		versions = append(versions, filesBelow(t, generated))
	}
	random := rand.New(rand.NewPCG(20, 26)) // a fixed seed makes the moments reproducible
	for i := range 12 {
		fleetTypes(t, dir, [][]string{small, large}[i%2]...)
		cmd, output := startable(dir)
		require.NoError(t, cmd.Start())
		time.Sleep(took/2 + time.Duration(random.Int64N(int64(took))))
		_ = cmd.Process.Kill() // unless it has ended
		_ = cmd.Wait()
		for name, content := range filesBelow(t, generated) {
			if strings.HasSuffix(name, ".go") {
				require.True(t, content == versions[0][name] || content == versions[1][name], "%s is half a file", name)
			}
		}
		require.NotContains(t, output.String(), "exit code 1", "what a killed run has left is no obstacle")
	}
	code, _, stderr := execute(t, dir)
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, versions[1], filesBelow(t, generated))
}

func TestTwoRunsAtOnce(t *testing.T) {
	dir := fleetModule(t, "Robot", "Arm")
	generated := filepath.Join(dir, "pkg", "generated")
	var want []map[string]string
	for _, args := range [][]string{{"--prefers-protobuf"}, nil} {
		code, _, stderr := execute(t, dir, args...)
		require.Equal(t, exitDone, code, stderr)
		want = append(want, filesBelow(t, generated))
	}
	require.NotEqual(t, want[0], want[1])
	for range 3 {
		one, outputOne := startable(dir)
		two, outputTwo := startable(dir, "--prefers-protobuf")
		require.NoError(t, one.Start())
		require.NoError(t, two.Start())
		require.NoError(t, one.Wait())
		require.NoError(t, two.Wait())
		require.Contains(t, outputOne.String(), "exit code 0\n")
		require.Contains(t, outputTwo.String(), "exit code 0\n")
		got := filesBelow(t, generated)
		require.True(t, maps.Equal(got, want[0]) || maps.Equal(got, want[1]), "the tree is that of one of them")
	}
}

func TestSecondRunWaits(t *testing.T) {
	dir := fleetModule(t, "Robot")
	unlock, err := output.Lock(t.Context(), []string{dir}, nil)
	require.NoError(t, err)

	code, _, verifyErr := execute(t, dir, "verify")
	assert.Equal(t, exitProblem, code)
	assert.NotContains(t, verifyErr, "waiting", "who does not write need not wait")

	waits := make(chan string, 1)
	done := make(chan int)
	go func() {
		done <- app{dir: dir, stdout: io.Discard, stderr: firstWrite(waits)}.run(t.Context(), nil)
	}()
	assert.Equal(t, "waiting for another run that is writing to "+dir+"\n", <-waits)
	assert.NoDirExists(t, filepath.Join(dir, "pkg"))
	unlock()
	assert.Equal(t, exitDone, <-done)
	assert.DirExists(t, filepath.Join(dir, "pkg"))
}

// firstWrite is a writer that passes on the first write.
type firstWrite chan string

func (w firstWrite) Write(p []byte) (int, error) {
	select {
	case w <- string(p):
	default:
	}
	return len(p), nil
}

func TestOutputThroughALink(t *testing.T) {
	dir, outside := fleetModule(t, "Robot"), t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "pkg")))
	for _, args := range [][]string{nil, {"verify"}, {"--output-pkg", "example.com/m/pkg/generated"}} {
		code, _, stderr := execute(t, dir, args...)
		assert.Equal(t, exitProblem, code)
		assert.Contains(t, stderr, "pkg/generated: a symbolic link redirects the output outside of "+dir+", to "+outside)
		assert.Empty(t, filesBelow(t, outside))
	}

	t.Run("without a module the output directory is the bound", func(t *testing.T) {
		output := t.TempDir()
		require.NoError(t, os.Symlink(outside, filepath.Join(output, "listers")))
		args := []string{"--output-dir", output, "--output-pkg", "example.com/gen"}
		code, _, stderr := execute(t, dir, args...)
		assert.Equal(t, exitProblem, code)
		assert.Contains(t, stderr, "listers: a symbolic link redirects the output outside of "+output)
		assert.Empty(t, filesBelow(t, outside))

		require.NoError(t, os.Remove(filepath.Join(output, "listers")))
		code, _, stderr = execute(t, dir, args...)
		assert.Equal(t, exitDone, code, stderr)
	})
}

func TestAdoptAndForce(t *testing.T) {
	dir := fleetModule(t, "Robot")
	theirs := func(name string) string { return "// Code generated by " + name + ". DO NOT EDIT.\n\npackage p\n" }
	generated := filepath.Join(dir, "pkg", "generated")
	writeFile(t, filepath.Join(generated, "clientset", "versioned", "old", "v1", "robot.go"), theirs("client-gen"))
	applied := filepath.Join(generated, "clientset", "versioned", "apply", "robot.go")
	writeFile(t, applied, theirs("applyconfiguration-gen"))
	args := []string{"--only", "clientset", "--applyconfiguration-package", "example.com/m/pkg/generated/clientset/versioned/apply"}

	code, stdout, stderr := execute(t, dir, args...)
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stdout, " 0 removed")
	code, stdout, _ = execute(t, dir, append([]string{"verify", "--adopt"}, args...)...)
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stdout, "stale    pkg/generated/clientset/versioned/old/v1/robot.go\n")
	code, stdout, stderr = execute(t, dir, append(args, "--adopt")...)
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stdout, "0 files written, 14 unchanged, 1 removed")
	assert.NoDirExists(t, filepath.Join(generated, "clientset", "versioned", "old"))
	assert.FileExists(t, applied, "what the clients need stays")

	edited := filepath.Join(generated, "clientset", "versioned", "clientset.go")
	content, err := os.ReadFile(edited)
	require.NoError(t, err)
	writeFile(t, edited, string(content)+"\n// by hand\n")
	code, stdout, _ = execute(t, dir, append([]string{"verify"}, args...)...)
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stdout, "\n-// by hand\n", "verify shows what was edited")
	code, _, stderr = execute(t, dir, args...)
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "pkg/generated/clientset/versioned/clientset.go: this generated file was edited\n")
	code, _, stderr = execute(t, dir, append(args, "--force")...)
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, string(content), filesBelow(t, generated)["clientset/versioned/clientset.go"])
}

// TestAdoptAtTheRoot switches a repository that generates into its root, among many other files.
func TestAdoptAtTheRoot(t *testing.T) {
	dir := fleetModule(t, "Robot")
	client := "// Code generated by client-gen. DO NOT EDIT.\n\npackage versioned\n"
	ours := "// Code generated by informer-gen-lite. DO NOT EDIT.\n\npackage p\n"
	for name, content := range map[string]string{
		"main.go":               "package main\n\nfunc main() {}\n",
		"controllers/robot.go":  "package controllers\n\nconst mark = `\n" + ours + "`\n",
		"controllers/legacy.go": "/*\nThis was once\n" + client + "*/\npackage controllers\n",
		"controllers/mock.go":   "// Code generated by mockgen. DO NOT EDIT.\n\npackage controllers\n",
		"vendor/modules.txt":    "",
		"vendor/example.com/other/clientset/versioned/clientset.go":    client,
		"third_party/clients/clientset/versioned/clientset.go":         client,
		"third_party/clients/listers/v1/robot.go":                      "// Code generated by lister-gen. DO NOT EDIT.\n\npackage v1\n",
		"staging/src/example.com/client/go.mod":                        "module example.com/client\n",
		"staging/src/example.com/client/clientset/versioned/client.go": client,
		"clientset/versioned/tools/go.mod":                             "module example.com/tools\n",
		"clientset/versioned/tools/client.go":                          client,
		"clientset/versioned/tools/below/ours.go":                      ours,
		"clientset/versioned/testdata/client.go":                       client,
		"listers/other/zz_generated.sum":                               "",
		"listers/other/listers/v1/robot.go":                            ours,
		"fleet/v1/zz_generated.deepcopy.go":                            "// Code generated by deepcopy-gen. DO NOT EDIT.\n\npackage v1\n",
	} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), content)
	}
	want := filesBelow(t, dir)
	stale := []string{"clientset/versioned/typed/old/v1/old.go", "clientset/versioned/fake/old.go", "listers/old/v1/old.go"}
	for _, name := range stale {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), client)
	}
	args := []string{"--output-dir", ".", "--adopt", "--skip", "deepcopy", "./fleet/..."}
	code, _, stderr := execute(t, dir, args...)
	require.Equal(t, exitDone, code, stderr)
	got := filesBelow(t, dir)
	assert.Subset(t, got, want, "what belongs to others stays")
	for _, name := range stale {
		assert.NotContains(t, got, name)
	}
	assert.Contains(t, got, "clientset/versioned/clientset.go")

	before := filesBelow(t, dir)
	code, _, stderr = execute(t, dir, append(args, "--clientset-dir", ".")...)
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, " --adopt: a generator that writes to the module root would adopt all clients in the module: use a separate directory\n")
	assert.Equal(t, before, filesBelow(t, dir))
}

var lineEnd = regexp.MustCompile(`\r?\n`)

// TestWindowsFiles generates from sources with Windows line endings, as written by editors and git, and over output that git has
// checked out on Windows.
func TestWindowsFiles(t *testing.T) {
	dir := fleetModule(t, "Robot")
	generated := filepath.Join(dir, "pkg", "generated")
	types := filepath.Join(dir, "fleet", "v1", "types.go")
	header := filepath.Join(dir, "header.txt")
	writeFile(t, types, "// +groupName=fleet.example.com\npackage v1\n\n/*\n+genclient\n*/\n\n// Robot does the work.\n// +genclient:onlyVerbs=get,update\ntype Robot struct { TypeMeta; ObjectMeta `json:\"metadata\"` }\n\nfunc (in *Robot) DeepCopyObject() runtime.Object { return in }\n")
	writeFile(t, header, "/*\nCopyright\n*/\n")
	code, _, stderr := execute(t, dir, "--go-header-file", "header.txt")
	require.Equal(t, exitDone, code, stderr)
	want := filesBelow(t, generated)

	for _, name := range []string{types, header} {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		writeFile(t, name, "\uFEFF"+lineEnd.ReplaceAllString(string(content), "\r\n"))
	}
	require.NoError(t, os.RemoveAll(generated))
	code, _, stderr = execute(t, dir, "--go-header-file", "header.txt")
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, want, filesBelow(t, generated))

	for name, content := range want {
		writeFile(t, filepath.Join(generated, filepath.FromSlash(name)), lineEnd.ReplaceAllString(content, "\r\n"))
	}
	checkedOut := filesBelow(t, generated)
	code, stdout, _ := execute(t, dir, "verify", "--go-header-file", "header.txt")
	assert.Equal(t, exitDone, code, stdout)
	code, stdout, stderr = execute(t, dir, "--go-header-file", "header.txt")
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stdout, "0 files written")
	assert.Equal(t, checkedOut, filesBelow(t, generated), "a checkout with CRLF line ends is not rewritten")
}

// TestOutputsInOneDirectory runs a configuration with two outputs whose files are listed in one manifest.
func TestOutputsInOneDirectory(t *testing.T) {
	dir := fleetModule(t, "Robot")
	writeFile(t, filepath.Join(dir, "apps", "v1", "types.go"), "// +groupName=apps.example.com\n"+oneKind)
	var stdout, stderr bytes.Buffer
	a := app{dir: dir, stdout: &stdout, stderr: &stderr, report: &reporter{format: "text"}}
	for _, more := range [][]string{nil, {"--prefers-protobuf"}, nil} {
		var outputs []run.Options
		for _, group := range []string{"fleet", "apps"} {
			var given option.Values
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			given.Register(flags, nil)
			require.NoError(t, flags.Parse(append(more, "--only", "clientset", "--clientset-dir", group+"/clientset")))
			all, err := pipeline.AllOptions([]config.Output{{Values: given, Dir: dir, Packages: []string{"./" + group + "/..."}}}, complete)
			require.NoError(t, err)
			outputs = append(outputs, all...)
		}
		_, err := a.generate(t.Context(), outputs)
		require.NoError(t, err, "nothing looks edited")
	}
	assert.Empty(t, stderr.String(), "a run does not wait for itself")
	manifest := filesBelow(t, filepath.Join(dir, "pkg", "generated"))["zz_generated.sum"]
	assert.Contains(t, manifest, "  fleet/clientset/clientset.go\n")
	assert.Contains(t, manifest, "  apps/clientset/clientset.go\n")
	assert.Equal(t, strings.Count(manifest, "\n")-2, len(filesBelow(t, filepath.Join(dir, "pkg", "generated")))-1)
}
