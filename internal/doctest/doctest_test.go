// Package doctest_test compiles and runs the code blocks of README and docs, literally. A page that promises something that
// does not work fails here.
package doctest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

const root = "../.."

// pages are the pages whose code blocks are tested. The blocks of README are in readme_test.go.
func pages(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, name := range []string{"docs/demo.md", "docs/errors.md", "CONTRIBUTING.md", "VERSIONING.md", "SECURITY.md", "examples/README.md"} {
		names = append(names, filepath.Join(root, filepath.FromSlash(name)))
	}
	return names
}

// block is a fenced code block of a page.
type block struct {
	page, language string
	// number counts the blocks of a language on a page, from 1.
	number int
	code   string
	line   int
}

// name is the name of the block's file in testdata, without extension.
func (b block) name() string {
	page, _ := filepath.Rel(root, b.page)
	page = strings.TrimPrefix(strings.TrimSuffix(filepath.ToSlash(page), ".md"), "docs/")
	return fmt.Sprintf("%s-%s%d", strings.ReplaceAll(page, "/", "-"), b.language, b.number)
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

// blocks returns the code blocks of a page. It fails for blocks without a language.
func blocks(t *testing.T, page string) []block {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	var all []block
	numbers := map[string]int{}
	var current *block
	for i, line := range strings.Split(string(text), "\n") {
		fence, found := strings.CutPrefix(strings.TrimLeft(line, " "), "```")
		switch {
		case found && current == nil:
			require.NotEmpty(t, fence, "%s:%d: code block without a language", page, i+1)
			numbers[fence]++
			current = &block{page: page, language: fence, number: numbers[fence], line: i + 1}
		case found:
			all = append(all, *current)
			current = nil
		case current != nil:
			current.code += line + "\n"
		}
	}
	require.Nil(t, current, "%s: code block without end", page)
	return all
}

// TestBlocksAreKnown fails for a code block of a language that no test covers, and for files in testdata without a block.
func TestBlocksAreKnown(t *testing.T) {
	files := map[string]bool{}
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			assert.Contains(t, []string{"go", "sh", "console", "yaml", "text", "make", "json"}, b.language, b.String())
			files[b.name()] = true
		}
	}
	entries, err := os.ReadDir("testdata")
	require.NoError(t, err)
	for _, entry := range entries {
		assert.True(t, files[strings.TrimSuffix(entry.Name(), filepath.Ext(entry.Name()))], "testdata/%s: no such code block", entry.Name())
	}
}

// TestGoBlocks compiles each Go block in its wrapper, testdata/PAGE-goN.go, in place of the line "// BLOCK". A wrapper may name the
// directory of the module to compile it in, in its first line: "//module DIR"; by default it is the main module.
func TestGoBlocks(t *testing.T) {
	modules := map[string]map[string]string{} // overlays by directory
	count := 0
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			if b.language != "go" || strings.HasPrefix(b.code, "//go:generate ") { // directives: TestAddingTheToolRaisesNothing
				continue
			}
			count++
			wrapper, err := os.ReadFile(filepath.Join("testdata", b.name()+".go"))
			if !assert.NoError(t, err, "%s: this block needs a wrapper", b) {
				continue
			}
			text := strings.Replace(string(wrapper), "// BLOCK\n", "//line "+filepath.Base(b.page)+":"+fmt.Sprint(b.line+1)+"\n"+b.code, 1)
			require.NotEqual(t, string(wrapper), text, "testdata/%s.go: no line // BLOCK", b.name())
			module := "."
			if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "//module ") {
				module = strings.TrimPrefix(first, "//module ")
			}
			dir, err := filepath.Abs(filepath.Join(root, module))
			require.NoError(t, err)
			if modules[dir] == nil {
				modules[dir] = map[string]string{}
			}
			file := filepath.Join(t.TempDir(), b.name()+".go")
			require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
			modules[dir][filepath.Join(dir, "docblocks", b.name(), "block.go")] = file
		}
	}
	for dir, replace := range modules {
		overlay := filepath.Join(t.TempDir(), "overlay.json")
		data, err := json.Marshal(map[string]any{"Replace": replace})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(overlay, data, 0o666))
		var packages []string
		for file := range replace {
			packages = append(packages, "./docblocks/"+filepath.Base(filepath.Dir(file)))
		}
		slices.Sort(packages)
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"build", "-overlay", overlay}, packages...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "%s", out)
	}
}

// elsewhere names the tests and steps that run a block of commands which this package cannot run.
var elsewhere = map[string]string{
	"demo-sh1": "make demo",
}

// TestCommands runs each block of commands after the preparation in testdata/PAGE-LANGUAGEN.txtar: a tree of files, below a comment of
// shell lines to run first. Blocks of language sh must succeed. Blocks of language console have lines "$ command", each
// followed by exactly what it prints, except for times.
func TestCommands(t *testing.T) {
	bin := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(bin, "informer-gen-lite"), root+"/cmd/informer-gen-lite").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			if b.language != "sh" && b.language != "console" {
				continue
			}
			t.Run(b.name(), func(t *testing.T) {
				if where, known := elsewhere[b.name()]; known {
					assertRuns(t, where)
					return
				}
				archive, err := txtar.ParseFile(filepath.Join("testdata", b.name()+".txtar"))
				require.NoError(t, err, "%s: these commands need a preparation, or an entry in elsewhere", b)
				dir := t.TempDir()
				for _, file := range archive.Files {
					name := filepath.Join(dir, filepath.FromSlash(file.Name))
					require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
					require.NoError(t, os.WriteFile(name, file.Data, 0o666))
				}
				in := session{t, dir, bin}
				for line := range strings.Lines(string(archive.Comment)) {
					_, err := in.run(line)
					require.NoError(t, err, line)
				}
				if b.language == "sh" {
					out, err := in.run(b.code)
					require.NoError(t, err, out)
					return
				}
				assert.Equal(t, timeless(b.code), timeless(in.replay(b.code)), b.String())
			})
		}
	}
}

// session runs commands in a directory.
type session struct {
	t        *testing.T
	dir, bin string
}

// run runs a script as a user would, with the command on PATH.
func (s session) run(script string) (output string, err error) {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), "sh", "-ec", script)
	cmd.Dir = s.dir
	root, err := filepath.Abs(root)
	require.NoError(s.t, err)
	cmd.Env = append(os.Environ(), "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "REPOSITORY="+root)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// replay runs the commands of a block, and returns the block with their output.
func (s session) replay(code string) string {
	var result strings.Builder
	for line := range strings.Lines(code) {
		if command, found := strings.CutPrefix(line, "$ "); found {
			out, _ := s.run(command) // the exit code is shown by the output, if it matters
			result.WriteString(line + out)
		}
	}
	return result.String()
}

var times = regexp.MustCompile(`\([0-9.]+s\)|go1\.[0-9.]+`)

// timeless removes times and Go versions from output.
func timeless(text string) string { return times.ReplaceAllString(text, "…") }

// assertRuns checks that a test function, or a target of make that .ci/run calls, exists: "internal/cli TestX" or "make x".
func assertRuns(t *testing.T, where string) {
	t.Helper()
	dir, name, _ := strings.Cut(where, " ")
	if dir == "make" {
		script, err := os.ReadFile(filepath.Join(root, ".ci", "run"))
		require.NoError(t, err)
		assert.True(t, bytes.Contains(script, []byte("make "+name)), "%s: not a step of .ci/run", where)
		return
	}
	packages, err := parser.ParseDir(token.NewFileSet(), filepath.Join(root, dir), nil, 0) //nolint:staticcheck // build tags don't matter here
	require.NoError(t, err)
	found := false
	for _, p := range packages {
		ast.Inspect(p, func(n ast.Node) bool {
			f, ok := n.(*ast.FuncDecl)
			found = found || ok && f.Name.Name == name
			return true
		})
	}
	assert.True(t, found, "%s: no such test", where)
}
