// Package doctest finds the code blocks of README and docs and runs them unchanged, so that pages cannot promise features that do not
// work. Its tests run the quick ones; test/build runs those that compile much.
package doctest

import (
	"encoding/json"
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
)

// Readme is the page that TestReadme in test/build follows from top to bottom.
const Readme = "README.md"

// Repository is the root of the repository.
type Repository string

// Path returns the path of a file in the repository.
func (r Repository) Path(name string) string {
	return filepath.Join(string(r), filepath.FromSlash(name))
}

// Pages returns the pages whose code blocks are tested one by one: all in docs and in the root except for README.md, and READMEs for
// users.
func (r Repository) Pages(t *testing.T) []string {
	t.Helper()
	pages := []string{"apiservertest/README.md", "examples/README.md", "examples/kubebuilder/README.md"}
	for _, pattern := range []string{"docs/*.md", "*.md"} {
		found, err := filepath.Glob(r.Path(pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found)
		for _, name := range found {
			page, err := filepath.Rel(string(r), name)
			require.NoError(t, err)
			pages = append(pages, filepath.ToSlash(page))
		}
	}
	return slices.DeleteFunc(pages, func(page string) bool { return page == Readme })
}

// Block is a fenced code block of a page.
type Block struct {
	Page, Language string
	// Number counts the blocks of a language on a page, from 1.
	Number int
	Code   string
	Line   int
}

// Name is the name of the block's file in testdata, without extension.
func (b Block) Name() string {
	page := strings.TrimPrefix(strings.TrimSuffix(b.Page, ".md"), "docs/")
	return fmt.Sprintf("%s-%s%d", strings.ReplaceAll(page, "/", "-"), b.Language, b.Number)
}

func (b Block) String() string { return fmt.Sprintf("%s:%d", b.Page, b.Line) }

// Testdata returns the path of the block's file in testdata.
func (r Repository) Testdata(b Block, extension string) string {
	return r.Path("test/internal/doctest/testdata/" + b.Name() + extension)
}

// Blocks returns the code blocks of pages. It fails for blocks without a language.
func (r Repository) Blocks(t *testing.T, pages ...string) []Block {
	t.Helper()
	var all []Block
	for _, page := range pages {
		text, err := os.ReadFile(r.Path(page))
		require.NoError(t, err)
		numbers := map[string]int{}
		var current *Block
		for i, line := range strings.Split(string(text), "\n") {
			fence, found := strings.CutPrefix(strings.TrimLeft(line, " "), "```")
			switch {
			case found && current == nil:
				require.NotEmpty(t, fence, "%s:%d: code block without a language", page, i+1)
				numbers[fence]++
				current = &Block{Page: page, Language: fence, Number: numbers[fence], Line: i + 1}
			case found:
				all = append(all, *current)
				current = nil
			case current != nil:
				current.Code += line + "\n"
			}
		}
		require.Nil(t, current, "%s: code block without end", page)
	}
	return all
}

var (
	placeholder = regexp.MustCompile(`(?m)^\t*// BLOCK\n`)
	moduleLine  = regexp.MustCompile(`\A//doctest:module (\S+)\n`)
)

// written are Go blocks that TestGuide in test/e2e and TestImportGuide in test/build write into a module.
var written = []string{"controllers-go1", "controllers-go2", "import-go1"}

// CompileGo compiles the Go blocks of the modules that want selects. Each block has a wrapper, testdata/PAGE-goN.go, whose line
// "// BLOCK" it replaces. A first line "//doctest:module DIR" selects its module, by default "." for that of the repository.
func (r Repository) CompileGo(t *testing.T, want func(module string) bool) {
	t.Helper()
	root, err := filepath.Abs(string(r))
	require.NoError(t, err)
	dir := t.TempDir()
	replace := map[string]string{} // an overlay: packages that only this build sees
	packages := map[string][]string{}
	for _, b := range r.Blocks(t, r.Pages(t)...) {
		if b.Language != "go" || slices.Contains(written, b.Name()) {
			continue
		}
		wrapper, err := os.ReadFile(r.Testdata(b, ".go"))
		require.NoError(t, err, "%s: this block needs a wrapper", b)
		module := "."
		if found := moduleLine.FindSubmatch(wrapper); found != nil {
			module = string(found[1])
		}
		if !want(module) {
			continue
		}
		line := fmt.Sprintf("//line %s:%d\n", filepath.Base(b.Page), b.Line+1)
		text := placeholder.ReplaceAllLiteralString(string(wrapper), line+b.Code)
		require.NotEqual(t, string(wrapper), text, "testdata/%s.go: no line // BLOCK", b.Name())
		file := filepath.Join(dir, b.Name()+".go")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		replace[filepath.Join(root, filepath.FromSlash(module), "docblocks", b.Name(), "block.go")] = file
		packages[module] = append(packages[module], "./docblocks/"+b.Name())
	}
	require.NotEmpty(t, packages)
	data, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	overlay := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(overlay, data, 0o666))
	for module, names := range packages {
		moduleDir := filepath.Join(root, filepath.FromSlash(module))
		args := []string{"build", "-overlay", overlay, "-mod=mod", "-modfile", copyModFile(t, moduleDir)}
		cmd := exec.CommandContext(t.Context(), "go", append(args, names...)...)
		cmd.Dir = moduleDir
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "%s: %s", module, out)
	}
}

// copyModFile copies the go.mod and go.sum of a module, and returns the path of the go.mod. The go command may complete it: blocks may
// import packages that the module itself does not need.
func copyModFile(t *testing.T, moduleDir string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(moduleDir, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	return filepath.Join(dir, "go.mod")
}
