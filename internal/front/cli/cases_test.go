package cli

import (
	"bytes"
	"errors"
	"flag"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata/cases")

const casesDir = "../../../testdata/cases"

// A case is a txtar archive. Its comment may have the keys "args: …", the command line, "first: …", a command line that runs before that,
// and "needs: v0.37", the oldest client-go for the case. Unless the command line or a configuration mentions apply configurations, there are none, because they would
// double the size of every case. Files are written to a module named after the case. If the command line excludes deep copies,
// the types get them beforehand, as if from another generator. The results of the run are compared with the files stderr, stdout
// and files (the names of all generated files), the files below want/, and the declarations decl/<path>#<name>, if they exist. A
// run with a file stderr must fail and leave the tree unchanged. Any other run leaves nothing to do for a second run, and prints
// only the content of the file warnings to stderr.
type testCase struct {
	name, file string
	archive    *txtar.Archive
	dir        string
}

func loadCases(t *testing.T, pattern string) []*testCase {
	t.Helper()
	return loadCasesFor(t, model.DefaultTarget, pattern)
}

// loadCasesFor writes cases to modules that build with a release of client-go.
func loadCasesFor(t *testing.T, target model.Target, pattern string) []*testCase {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(casesDir, pattern+".txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	root := t.TempDir()
	var cases []*testCase
	for _, file := range names {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		c := &testCase{name: name, file: file, archive: archive, dir: filepath.Join(root, name)}
		c.layOut(t, target)
		cases = append(cases, c)
	}
	return cases
}

func (c *testCase) layOut(t *testing.T, target model.Target) {
	t.Helper()
	writeModuleFor(t, target, c.dir, "example.com/"+c.name)
	for _, f := range c.archive.Files {
		if !c.expectation(f.Name) {
			writeFile(t, filepath.Join(c.dir, filepath.FromSlash(f.Name)), string(f.Data))
		}
	}
	if c.lacksDeepCopies() {
		addObjectMethods(t, c.dir)
	}
}

// prepare runs the command line that comes first, if there is one.
func (c *testCase) prepare(t *testing.T) {
	t.Helper()
	if first := c.says("first"); first != nil {
		code, _, stderr := execute(t, c.dir, first...)
		require.Equal(t, exitDone, code, stderr)
	}
}

// lacksDeepCopies reports whether the command line excludes the generator of deep copies.
func (c *testCase) lacksDeepCopies() bool {
	for _, flag := range []struct {
		name string
		want bool
	}{{"only", false}, {"skip", true}} {
		for i, arg := range c.args() {
			value, given := strings.CutPrefix(arg, "--"+flag.name+"=")
			if arg == "--"+flag.name {
				value, given = c.args()[i+1], true
			}
			if given && slices.Contains(strings.Split(value, ","), "deepcopy") == flag.want {
				return true
			}
		}
	}
	return false
}

// writeModule creates a module in a directory with the libraries of Kubernetes.
func writeModule(t *testing.T, dir, modulePath string) {
	t.Helper()
	writeModuleFor(t, model.DefaultTarget, dir, modulePath)
}

// moduleOf returns the directory of a module that builds with a release of client-go.
func moduleOf(target model.Target) string {
	return "../../../testdata/targets/" + target.String()
}

// writeModuleFor is like writeModule, for a release of client-go.
func writeModuleFor(t *testing.T, target model.Target, dir, modulePath string) {
	t.Helper()
	ours, err := os.ReadFile(moduleOf(target) + "/go.mod")
	require.NoError(t, err)
	file, err := modfile.Parse("go.mod", ours, nil)
	require.NoError(t, err)
	require.NoError(t, file.AddModuleStmt(modulePath))
	text, err := file.Format()
	require.NoError(t, err)
	writeFile(t, filepath.Join(dir, "go.mod"), string(text))
	sums, err := os.ReadFile(moduleOf(target) + "/go.sum")
	require.NoError(t, err)
	writeFile(t, filepath.Join(dir, "go.sum"), string(sums))
}

func (c *testCase) expectation(name string) bool {
	return name == "stderr" || name == "warnings" || name == "stdout" || name == "files" || strings.HasPrefix(name, "want/") || strings.HasPrefix(name, "decl/")
}

func (c *testCase) fails() bool {
	return slices.ContainsFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == "stderr" })
}

// warns reports whether a successful run has warnings.
func (c *testCase) warns() bool {
	return slices.ContainsFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == "warnings" })
}

// says returns the words after a key in the comment of the case.
func (c *testCase) says(key string) []string {
	var words []string
	for line := range strings.Lines(string(c.archive.Comment)) {
		if given, ok := strings.CutPrefix(line, key+":"); ok {
			words = strings.Fields(given)
		}
	}
	return words
}

func (c *testCase) args() []string {
	args := c.says("args")
	configured := slices.ContainsFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == option.FileName })
	if configured || strings.Contains(strings.Join(args, " "), "applyconfiguration") {
		return args
	}
	return append(args, "--skip="+"applyconfiguration")
}

var seconds = regexp.MustCompile(`\(\d+\.\d+s\)`)

// actual returns the result of the run to compare with an expectation.
func (c *testCase) actual(t *testing.T, name string, stdout, stderr []byte) string {
	t.Helper()
	switch name {
	case "stderr", "warnings":
		return string(stderr)
	case "stdout":
		return seconds.ReplaceAllString(string(stdout), "(TIME)")
	case "files":
		return strings.Join(c.generated(t), "\n") + "\n"
	}
	if decl, ok := strings.CutPrefix(name, "decl/"); ok {
		file, ident, _ := strings.Cut(decl, "#")
		return declaration(t, filepath.Join(c.dir, filepath.FromSlash(file)), ident)
	}
	content, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(strings.TrimPrefix(name, "want/"))))
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file\n"
	}
	require.NoError(t, err)
	return string(content)
}

// generated returns the files written by the run, as paths relative to the case's directory.
func (c *testCase) generated(t *testing.T) []string {
	t.Helper()
	var names []string
	require.NoError(t, filepath.WalkDir(c.dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(c.dir, name)
		rel = filepath.ToSlash(rel)
		input := rel == "go.mod" || rel == "go.sum" || path.Base(rel) == objectMethods || slices.ContainsFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == rel })
		if err == nil && !d.IsDir() && !input {
			names = append(names, rel)
		}
		return err
	}))
	return names
}

// fileState is the state of a file after a run.
type fileState struct {
	content string
	written time.Time
}

// state returns all files of the case.
func (c *testCase) state(t *testing.T) map[string]fileState {
	t.Helper()
	files := map[string]fileState{}
	require.NoError(t, filepath.WalkDir(c.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		files[name] = fileState{string(content), info.ModTime()}
		return nil
	}))
	return files
}

// execute runs the command once.
func (c *testCase) execute(t *testing.T) (code int, stdout, stderr []byte) {
	t.Helper()
	var out, problems bytes.Buffer
	a := app{dir: c.dir, stdout: &out, stderr: &problems}
	code = a.run(t.Context(), c.args())
	return code, out.Bytes(), problems.Bytes()
}

func (c *testCase) run(t *testing.T) {
	c.prepare(t)
	before := c.state(t)
	code, stdout, stderr := c.execute(t)
	after := c.state(t)
	if c.fails() {
		assert.NotEqual(t, exitDone, code)
		assert.Equal(t, before, after, "a failed run must leave everything as it was")
	} else {
		require.Equal(t, exitDone, code, string(stderr))
		assert.Equal(t, c.warns(), len(stderr) > 0, string(stderr))
		code, _, warnings := c.execute(t)
		assert.Equal(t, exitDone, code)
		assert.Equal(t, string(stderr), string(warnings), "a second run has the same warnings")
		assert.Equal(t, after, c.state(t), "a second run must find nothing to do")
	}
	c.compare(t, stdout, stderr)
}

// compare compares the results of the run with the expectations.
func (c *testCase) compare(t *testing.T, stdout, stderr []byte) {
	t.Helper()
	for i, f := range c.archive.Files {
		if !c.expectation(f.Name) {
			continue
		}
		got := c.actual(t, f.Name, stdout, stderr)
		if *update {
			c.archive.Files[i].Data = []byte(got)
		} else {
			assert.Equal(t, string(f.Data), got, f.Name)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(c.file, txtar.Format(c.archive), 0o644))
	}
}

// TestCases runs every case. Then it type-checks all generated files, and compares them with the output of gofmt.
func TestCases(t *testing.T) {
	t.Parallel()
	cases := loadCases(t, "*")
	t.Run("run", func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.run(t)
			})
		}
	})
	t.Run("compile", func(t *testing.T) {
		checker := newTypeChecker(model.DefaultTarget)
		for _, c := range cases {
			if !c.fails() {
				c.addTo(t, checker)
			}
		}
		checker.check(t)
	})
}

// addTo adds the packages of a case to those that are type-checked.
func (c *testCase) addTo(t *testing.T, checker *typeChecker) {
	t.Helper()
	goMod, err := os.ReadFile(filepath.Join(c.dir, "go.mod"))
	require.NoError(t, err)
	checker.add(modfile.ModulePath(goMod), c.dir)
}

// TestNoGofmt runs a case with the go command as the only command on PATH. Generators that run gofmt would write different files.
func TestNoGofmt(t *testing.T) {
	goCommand, err := exec.LookPath("go")
	require.NoError(t, err)
	dir := t.TempDir()
	if err := os.Symlink(goCommand, filepath.Join(dir, filepath.Base(goCommand))); err != nil {
		t.Skipf("symbolic links are a privilege on some systems: %v", err)
	}
	t.Setenv("PATH", dir)
	_, err = exec.LookPath("gofmt")
	require.ErrorIs(t, err, exec.ErrNotFound)
	for _, c := range loadCases(t, "formatting") {
		c.run(t)
		for name, file := range c.state(t) {
			if strings.HasSuffix(name, ".go") && strings.Contains(file.content, render.GeneratedBy) {
				want, err := format.Source([]byte(file.content))
				require.NoError(t, err, name)
				assert.Equal(t, string(want), file.content, name)
			}
		}
	}
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
}
