package cli

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata/cases")

const casesDir = "../../testdata/cases"

// A case is a txtar archive. Its comment may say "args: …", the command line. Files are laid out in a module of the
// case's name. What comes of the run is compared with the files stderr, stdout and files (the names of all that is
// generated), and those below want/, as far as they are there. A run with a stderr has to fail.
type testCase struct {
	name, file string
	archive    *txtar.Archive
	dir        string
}

func loadCases(t *testing.T) []*testCase {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(casesDir, "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	root := t.TempDir()
	var cases []*testCase
	for _, file := range names {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		c := &testCase{name: name, file: file, archive: archive, dir: filepath.Join(root, name)}
		c.layOut(t)
		cases = append(cases, c)
	}
	return cases
}

func (c *testCase) layOut(t *testing.T) {
	t.Helper()
	writeFile(t, filepath.Join(c.dir, "go.mod"), "module example.com/"+c.name+"\n\ngo 1.26.0\n")
	for _, f := range c.archive.Files {
		if !c.expectation(f.Name) {
			writeFile(t, filepath.Join(c.dir, filepath.FromSlash(f.Name)), string(f.Data))
		}
	}
}

func (c *testCase) expectation(name string) bool {
	return name == "stderr" || name == "stdout" || name == "files" || strings.HasPrefix(name, "want/")
}

func (c *testCase) fails() bool {
	return slices.ContainsFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == "stderr" })
}

func (c *testCase) args() []string {
	for line := range strings.Lines(string(c.archive.Comment)) {
		if args, ok := strings.CutPrefix(line, "args:"); ok {
			return strings.Fields(args)
		}
	}
	return nil
}

var seconds = regexp.MustCompile(`\(\d+\.\d+s\)`)

// actual returns what the run has left for an expectation to be compared with.
func (c *testCase) actual(t *testing.T, name string, stdout, stderr []byte) string {
	t.Helper()
	switch name {
	case "stderr":
		return string(stderr)
	case "stdout":
		return seconds.ReplaceAllString(string(stdout), "(TIME)")
	case "files":
		return strings.Join(c.generated(t), "\n") + "\n"
	}
	content, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(strings.TrimPrefix(name, "want/"))))
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file\n"
	}
	require.NoError(t, err)
	return string(content)
}

// generated returns the files that the run has written, as paths relative to the case's directory.
func (c *testCase) generated(t *testing.T) []string {
	t.Helper()
	var names []string
	require.NoError(t, filepath.WalkDir(c.dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(c.dir, name)
		rel = filepath.ToSlash(rel)
		input := rel == "go.mod" || slices.ContainsFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == rel })
		if err == nil && !d.IsDir() && !input {
			names = append(names, rel)
		}
		return err
	}))
	return names
}

func (c *testCase) run(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := app{dir: c.dir, cacheDir: filepath.Join(filepath.Dir(c.dir), "cache"), stdout: &stdout, stderr: &stderr}.run(t.Context(), c.args())
	if c.fails() {
		assert.NotEqual(t, exitDone, code)
		assert.Empty(t, c.generated(t), "a failed run must leave nothing behind")
	} else {
		require.Equal(t, exitDone, code, stderr.String())
		assert.Empty(t, stderr.String())
	}
	for i, f := range c.archive.Files {
		if !c.expectation(f.Name) {
			continue
		}
		got := c.actual(t, f.Name, stdout.Bytes(), stderr.Bytes())
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

// TestCases runs every case, and then type-checks all that was generated.
func TestCases(t *testing.T) {
	cases := loadCases(t)
	t.Run("run", func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.run(t)
			})
		}
	})
	t.Run("compile", func(t *testing.T) {
		checker := newTypeChecker()
		for _, c := range cases {
			if !c.fails() {
				addObjectMethods(t, c.dir)
				goMod, err := os.ReadFile(filepath.Join(c.dir, "go.mod"))
				require.NoError(t, err)
				checker.add(t, modfile.ModulePath(goMod), c.dir)
			}
		}
		checker.check(t)
	})
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
}
