// Package doctest_test compiles and runs the code blocks of README and docs unchanged, so that pages cannot promise features that
// do not work.
package doctest_test

import (
	"encoding/json"
	"flag"
	"fmt"
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

	"github.com/informer-gen-lite/informer-gen-lite/internal/localproxy"
)

const root = "../.."

var update = flag.Bool("update", false, "write what the commands print into the pages")

// pages returns the pages whose code blocks are tested: all in docs and in the root, and READMEs for users. The blocks of README.md
// are in readme_test.go.
func pages(t *testing.T) []string {
	t.Helper()
	names := []string{"apiservertest/README.md", "examples/README.md", "examples/kubebuilder/README.md"}
	for i, name := range names {
		names[i] = filepath.Join(root, filepath.FromSlash(name))
	}
	for _, pattern := range []string{"docs/*.md", "*.md"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		require.NoError(t, err)
		require.NotEmpty(t, found)
		names = append(names, found...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == filepath.FromSlash(readme) })
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

// TestBlocksAreKnown fails for code blocks that no test covers, and for files in testdata without a block. Blocks of language text are
// not code.
func TestBlocksAreKnown(t *testing.T) {
	files := map[string]bool{}
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			assert.Contains(t, []string{"go", "sh", "console", "yaml", "text"}, b.language, b.String())
			files[b.name()] = true
		}
	}
	entries, err := os.ReadDir("testdata")
	require.NoError(t, err)
	for _, entry := range entries {
		assert.True(t, files[strings.TrimSuffix(entry.Name(), filepath.Ext(entry.Name()))], "testdata/%s: no such code block", entry.Name())
	}
}

// TestGoBlocks compiles each Go block in its wrapper, testdata/PAGE-goN.go, in place of the line "// BLOCK". A first line
// "//doctest:module DIR" selects the module to compile it in, by default that of the repository. The race detector is on, because
// dependencies were compiled with it for the other tests.
func TestGoBlocks(t *testing.T) {
	repository, err := filepath.Abs(root)
	require.NoError(t, err)
	dir := t.TempDir()
	replace := map[string]string{} // an overlay: packages that only this build sees
	packages := map[string][]string{}
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			if b.language != "go" {
				continue
			}
			wrapper, err := os.ReadFile(filepath.Join("testdata", b.name()+".go"))
			require.NoError(t, err, "%s: this block needs a wrapper", b)
			line := fmt.Sprintf("//line %s:%d\n", filepath.Base(b.page), b.line+1)
			text := placeholder.ReplaceAllLiteralString(string(wrapper), line+b.code)
			require.NotEqual(t, string(wrapper), text, "testdata/%s.go: no line // BLOCK", b.name())
			file := filepath.Join(dir, b.name()+".go")
			require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
			module := "."
			if found := moduleLine.FindStringSubmatch(text); found != nil {
				module = found[1]
			}
			replace[filepath.Join(repository, filepath.FromSlash(module), "docblocks", b.name(), "block.go")] = file
			packages[module] = append(packages[module], "./docblocks/"+b.name())
		}
	}
	require.NotEmpty(t, packages)
	data, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	overlay := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(overlay, data, 0o666))
	for module, names := range packages {
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"build", "-race", "-overlay", overlay}, names...)...)
		cmd.Dir = filepath.Join(repository, filepath.FromSlash(module))
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "%s: %s", module, out)
	}
}

var (
	placeholder = regexp.MustCompile(`(?m)^\t*// BLOCK\n`)
	moduleLine  = regexp.MustCompile(`\A//doctest:module (\S+)\n`)
)

// elsewhere has the steps of .ci/run that run a block of commands, for blocks that take long.
var elsewhere = map[string]string{
	"demo-sh1":                        "make demo",
	"e2e-console1":                    "make e2e",
	"examples-kubebuilder-README-sh1": "make kubebuilder",
}

// TestCommands runs each block of commands after the preparation in testdata/PAGE-LANGUAGEN.txtar: a tree of files, below a comment of
// shell lines to run first. Blocks of language sh must succeed. Blocks of language console have lines "$ command", each
// followed by exactly what it prints, except for times; -update writes that into the page. Blocks of language yaml are written to
// block.yaml before the shell lines, which use it.
func TestCommands(t *testing.T) {
	bin := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", filepath.Join(bin, "informer-gen-lite"), root+"/cmd/informer-gen-lite").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			if b.language == "go" || b.language == "text" {
				continue
			}
			t.Run(b.name(), func(t *testing.T) {
				if where, known := elsewhere[b.name()]; known {
					assertRuns(t, where)
					return
				}
				in := prepared(t, b, bin)
				switch b.language {
				case "sh":
					out, err := in.run(b.code)
					require.NoError(t, err, out)
				case "console":
					got := in.replay(b.code)
					if *update && timeless(b.code) != timeless(got) {
						b.replace(t, got)
						return
					}
					assert.Equal(t, timeless(b.code), timeless(got), b.String())
				}
			})
		}
	}
}

// replace replaces the code of a block in its page.
func (b block) replace(t *testing.T, code string) {
	t.Helper()
	text, err := os.ReadFile(b.page)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), b.code), b.String())
	require.NoError(t, os.WriteFile(b.page, []byte(strings.Replace(string(text), b.code, code, 1)), 0o666))
}

// session runs commands in a directory.
type session struct {
	t        *testing.T
	dir, bin string
	env      []string
}

// prepared returns a session in a new directory, after the preparation of a block. If the block gets modules from the network, the
// session has a proxy that serves this one.
func prepared(t *testing.T, b block, bin string) session {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", b.name()+".txtar"))
	require.NoError(t, err, "commands need a preparation, or an entry in elsewhere")
	s := session{t: t, dir: t.TempDir(), bin: bin}
	if strings.Contains(b.code, "@latest") {
		s.env = localproxy.Serve(t, root)
	}
	if b.language == "yaml" {
		s.write("block.yaml", b.code)
	}
	for _, file := range archive.Files {
		s.write(file.Name, string(file.Data))
	}
	for line := range strings.Lines(string(archive.Comment)) {
		out, err := s.run(line)
		require.NoError(t, err, "%s: %s", line, out)
	}
	return s
}

// write writes a file of the session's directory.
func (s session) write(name, text string) {
	s.t.Helper()
	name = filepath.Join(s.dir, filepath.FromSlash(name))
	require.NoError(s.t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(s.t, os.WriteFile(name, []byte(text), 0o666))
}

// run runs a script as a user would, with the command on PATH.
func (s session) run(script string) (output string, err error) {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), "sh", "-ec", script)
	cmd.Dir = s.dir
	root, err := filepath.Abs(root)
	require.NoError(s.t, err)
	cmd.Env = append(append(os.Environ(), s.env...), "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GOBIN="+s.bin, "REPOSITORY="+root)
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

// assertRuns checks that a target of make, such as "make demo", is a step of .ci/run.
func assertRuns(t *testing.T, target string) {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(root, ".ci", "run"))
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^step .*\b`+target+`\b`, string(script))
}
