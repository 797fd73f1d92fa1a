package e2e

import (
	"bytes"
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

// mutation is a change of the examples, a line of testdata/mutations/table.txt.
type mutation struct {
	number            int
	file, after       string
	old, replacement  string
	changed           []string // what goes out of step
	documented, added []string // definitions of which only the documentation changes; new or removed definitions
	refused           bool
}

// all makes TestMutations try the whole table, which takes about 20 minutes, instead of every twelfth line.
var all = os.Getenv("MUTATIONS") == "all"

// TestMutations changes types, markers and configuration of the examples. verify must tell each change that a cluster must know about,
// and no other. After generate, an API server must store every field of every kind whose definition changed.
func TestMutations(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "informer-gen-lite")
	command(t, "../..", "go", "build", "-o", tool, "./cmd/informer-gen-lite")
	deployed := manifestsOf(t, "../../examples/config")
	for i, m := range readMutations(t) {
		if !all && i%12 != 0 {
			continue
		}
		t.Run(fmt.Sprintf("line %d", m.number), func(t *testing.T) {
			t.Parallel()
			try(t, m, tool, deployed)
		})
	}
}

func try(t *testing.T, m mutation, tool, deployed string) {
	t.Helper()
	dir := copyExamples(t)
	m.apply(t, dir)
	output, err := attempt(t, dir, tool, "verify")
	if m.refused {
		require.Error(t, err)
		assert.Regexp(t, `(?m)^\S+\.(go|yaml):\d+:\d+: `, output)
		assert.NotContains(t, output, "differs")
		return
	}
	assert.ElementsMatch(t, m.outOfStep(), outOfStep(output), "%s", output)

	output, err = attempt(t, dir, tool, "generate")
	require.NoError(t, err, "%s", output)
	output, err = attempt(t, dir, tool, "verify")
	require.NoError(t, err, "%s", output)
	output, err = attempt(t, dir, tool, "verify", "--strict", "--manifests", deployed)
	if seen := slices.DeleteFunc(slices.Clone(m.changed), func(name string) bool { return slices.Contains(m.added, name) }); len(seen) > 0 {
		assert.Error(t, err, "the manifests that are deployed have %s", seen)
	} else {
		assert.NoError(t, err, "%s", output)
	}
	storesEveryField(t, dir, append(slices.Clone(m.changed), m.added...))
}

// apply changes the copy of the examples.
func (m mutation) apply(t *testing.T, dir string) {
	t.Helper()
	name := filepath.Join(dir, filepath.FromSlash(m.file))
	content, err := os.ReadFile(name)
	require.NoError(t, err)
	before, found, ok := strings.Cut(string(content), m.after)
	require.True(t, ok, "%s lacks %s", m.file, m.after)
	require.Contains(t, m.after+found, m.old)
	write(t, name, before+strings.Replace(m.after+found, m.old, m.replacement, 1))
}

// outOfStep returns the names in a line of the table as they are in the files' names.
func (m mutation) outOfStep() []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(m.changed, m.documented, m.added))))
}

// manifestFile matches a file in config/crd or config/rbac that verify lists.
var manifestFile = regexp.MustCompile(`(?m)^(?:differs|missing|stale) +config/(?:crd|rbac)/(?:.*_)?(.*)\.yaml$`)

func outOfStep(output string) (names []string) {
	for _, match := range manifestFile.FindAllStringSubmatch(output, -1) {
		names = append(names, match[1])
	}
	return names
}

func readMutations(t *testing.T) (mutations []mutation) {
	t.Helper()
	text, err := os.ReadFile("testdata/mutations/table.txt")
	require.NoError(t, err)
	var where mutation
	unescape := strings.NewReplacer(`\n`, "\n", `\t`, "\t")
	for line := range strings.Lines(string(text)) {
		where.number++
		line = strings.TrimSuffix(line, "\n")
		if section, ok := strings.CutPrefix(line, "["); ok {
			where.file, where.after, _ = strings.Cut(strings.TrimSuffix(section, "]"), " ")
			continue
		}
		effect, change, ok := strings.Cut(line, " | ")
		if !ok {
			require.True(t, line == "" || line[0] == '#', line)
			continue
		}
		m := where
		old, replacement, ok := strings.Cut(change, " =>")
		require.True(t, ok, line)
		m.old, m.replacement = unescape.Replace(old), unescape.Replace(strings.TrimPrefix(replacement, " "))
		for name := range strings.SplitSeq(effect, ",") {
			switch bare := strings.TrimLeft(name, "~+-"); {
			case name == "error":
				m.refused = true
			case name == "none":
			case name[0] == '~':
				m.documented = append(m.documented, bare)
			case name != bare:
				m.added = append(m.added, bare)
			default:
				m.changed = append(m.changed, bare)
			}
		}
		mutations = append(mutations, m)
	}
	return mutations
}

// copyExamples copies the module of the examples, without the modules and tests in it, and returns its directory.
func copyExamples(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"apis", "cmd", "config", "generated", "internal", "pods", "workloads"} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, name), os.DirFS("../../examples/"+name)))
	}
	for _, name := range []string{"go.mod", "go.sum", "doc.go", ".informer-gen.yaml"} {
		content, err := os.ReadFile("../../examples/" + name)
		require.NoError(t, err)
		write(t, filepath.Join(dir, name), string(content))
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	args := []string{"mod", "edit"}
	for _, module := range []string{"", "/runtime", "/runtime/metrics"} {
		args = append(args, "-replace=github.com/informer-gen-lite/informer-gen-lite"+module+"="+root+module)
	}
	command(t, dir, "go", args...)
	return dir
}

// manifestsOf concatenates the manifests in a directory and returns the name of the file.
func manifestsOf(t *testing.T, dir string) string {
	t.Helper()
	var all bytes.Buffer
	for _, pattern := range []string{"crd/*.yaml", "rbac/*.yaml", "deploy/*.yaml"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, names)
		for _, name := range names {
			content, err := os.ReadFile(name)
			require.NoError(t, err)
			all.WriteString("---\n" + string(content))
		}
	}
	name := filepath.Join(t.TempDir(), "deployed.yaml")
	write(t, name, all.String())
	return name
}

// attempt runs a command that may fail, and returns what it prints.
func attempt(t *testing.T, dir, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	return string(output), err
}
