package doctest_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

const root = doctest.Repository("../../..")

var update = flag.Bool("update", false, "write what the commands print, and the options, into the pages")

// TestBlocksAreKnown fails for code blocks that no test covers, and for files in testdata without a block. Blocks of language text are
// not code; TestPictures parses those of language mermaid.
func TestBlocksAreKnown(t *testing.T) {
	files := map[string]bool{}
	for _, b := range root.Blocks(t, root.Pages(t)...) {
		assert.Contains(t, []string{"go", "sh", "console", "yaml", "text", "mermaid"}, b.Language, b.String())
		files[b.Name()] = true
	}
	entries, err := os.ReadDir("testdata")
	require.NoError(t, err)
	for _, entry := range entries {
		assert.True(t, files[strings.TrimSuffix(entry.Name(), filepath.Ext(entry.Name()))], "testdata/%s: no such code block", entry.Name())
	}
}

// TestGoBlocks compiles the Go blocks for users of the tool's module, and those about the examples. TestGoBlocks in test/build compiles
// the others.
func TestGoBlocks(t *testing.T) {
	root.CompileGo(t, func(module string) bool { return module == "." || module == "examples" })
}

// elsewhere has the steps of .ci/run that run a block of commands, for blocks that take long.
var elsewhere = map[string]string{
	"controllers-sh1":                 "make e2e",
	"controllers-sh2":                 "make e2e",
	"controllers-sh3":                 "make e2e",
	"controllers-sh4":                 "make e2e",
	"demo-sh1":                        "make demo",
	"e2e-console1":                    "make e2e",
	"examples-kubebuilder-README-sh1": "make kubebuilder",
	// These compile the command from a proxy.
	"ci-console1": "make build-tests",
	"ci-sh1":      "make build-tests",
	"ci-sh2":      "make build-tests",
	"ci-yaml1":    "make build-tests",
}

// TestCommands runs each block of commands after its preparation. With -update, it writes what they print into the page.
func TestCommands(t *testing.T) {
	bin := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "go", "-C", root.Path(""), "build", "-buildvcs=false", "-o", filepath.Join(bin, "informer-gen-lite"), "./cmd/informer-gen-lite").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, b := range root.Blocks(t, root.Pages(t)...) {
		if slices.Contains([]string{"go", "text", "mermaid"}, b.Language) {
			continue
		}
		t.Run(b.Name(), func(t *testing.T) {
			t.Parallel()
			if where, known := elsewhere[b.Name()]; known {
				assertRuns(t, where)
				return
			}
			assert.NotContains(t, b.Code, "@latest", "such blocks belong in elsewhere")
			got := root.Prepared(t, b, bin).Replay(b)
			if *update && doctest.Timeless(b.Code) != doctest.Timeless(got) {
				replace(t, b, got)
				return
			}
			assert.Equal(t, doctest.Timeless(b.Code), doctest.Timeless(got), b.String())
		})
	}
}

// replace replaces the code of a block in its page.
func replace(t *testing.T, b doctest.Block, code string) {
	t.Helper()
	updating.Lock()
	defer updating.Unlock()
	name := root.Path(b.Page)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), b.Code), b.String())
	require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(text), b.Code, code, 1)), 0o666))
}

// updating is held while a page is rewritten.
var updating sync.Mutex

// assertRuns checks that a target of make, such as "make demo", is a step of .ci/run.
func assertRuns(t *testing.T, target string) {
	t.Helper()
	script, err := os.ReadFile(root.Path(".ci/run"))
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^\s*step .*\b`+target+`\b`, string(script))
}
