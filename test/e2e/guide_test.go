package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestGuide follows the first controller of docs/controllers.md literally, from an empty directory, except that the tool, the run-time
// library and apiservertest come from this repository. The last step needs kubectl.
func TestGuide(t *testing.T) {
	g := newGuide(t)
	g.run(t, g.quoted(t, "go mod init example.com/shop"))
	write(t, filepath.Join(g.dir, g.quoted(t, "apis/fleet/v1/types.go")), g.next(t, "go"))
	var printed []string
	for line := range strings.Lines(g.run(t, g.next(t, "sh"))) {
		if step, ok := strings.CutPrefix(line, "\t"); ok {
			printed = append(printed, strings.TrimSpace(step))
		}
	}
	for _, step := range printed[:3] {
		g.run(t, step)
	}

	reconciler := filepath.Join(g.dir, g.quoted(t, "internal/controller/robot/reconciler.go"))
	g.replace(t, reconciler, regexp.MustCompile(`(?s)// desiredDeployments returns .*\z`), "")
	write(t, filepath.Join(g.dir, g.quoted(t, "internal/controller/robot/desired.go")), g.next(t, "go"))
	unchanged := g.quoted(t, "go test ./internal/controller/robot")
	out, err := attempt(t, g.dir, "sh", "-c", unchanged)
	require.Error(t, err)
	require.Contains(t, out, "apply deployments default/sample")
	var before, after []string
	for line := range strings.Lines(g.next(t, "text")) {
		if line[0] == '-' {
			before = append(before, line[1:])
		} else {
			after = append(after, line[1:])
		}
	}
	test := filepath.Join(filepath.Dir(reconciler), "reconciler_test.go")
	g.replace(t, test, regexp.MustCompile(regexp.QuoteMeta(strings.Join(before, ""))), strings.Join(after, ""))
	g.run(t, unchanged)

	require.Equal(t, printed[3]+"\n", g.sh[0])
	tests, _, _ := strings.Cut(strings.TrimPrefix(printed[3], "(cd "), " ")
	g.useLocal(t, tests)
	g.run(t, g.next(t, "sh"))

	t.Run("cluster", func(t *testing.T) { g.runInCluster(t, printed[4:]) })
}

// guide follows a section of the page.
type guide struct {
	scaffold

	section string
	// What follows has the blocks that are left, by language.
	goCode, sh, text []string
}

func newGuide(t *testing.T) *guide {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "docs/controllers.md"))
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(page), "\n## A first controller")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n## ")
	g := &guide{section: section}
	g.root, g.dir, g.tool = root, t.TempDir(), filepath.Join(t.TempDir(), "informer-gen-lite")
	for _, block := range regexp.MustCompile("(?s)\n```(\\w+)\n(.*?\n)```\n").FindAllStringSubmatch(section, -1) {
		blocks := g.blocks(block[1])
		*blocks = append(*blocks, block[2])
	}
	require.Equal(t, []int{2, 4, 1}, []int{len(g.goCode), len(g.sh), len(g.text)}, "blocks of each language")
	command(t, root, "go", "build", "-o", g.tool, "./cmd/informer-gen-lite")
	t.Setenv("PATH", filepath.Dir(g.tool)+":"+os.Getenv("PATH"))
	return g
}

func (g *guide) blocks(language string) *[]string {
	switch language {
	case "go":
		return &g.goCode
	case "sh":
		return &g.sh
	}
	return &g.text
}

// next returns the next block of a language.
func (g *guide) next(t *testing.T, language string) string {
	t.Helper()
	blocks := g.blocks(language)
	require.NotEmpty(t, *blocks)
	block := (*blocks)[0]
	*blocks = (*blocks)[1:]
	return block
}

// quoted returns words that the guide has as code.
func (g *guide) quoted(t *testing.T, words string) string {
	t.Helper()
	require.Contains(t, g.section, "`"+words+"`")
	return words
}

func (g *guide) run(t *testing.T, script string) string {
	t.Helper()
	return command(t, g.dir, "sh", "-ec", script)
}

// replace replaces the only match in a file.
func (g *guide) replace(t *testing.T, name string, old *regexp.Regexp, by string) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Len(t, old.FindAll(text, -1), 1, "%s in %s", old, name)
	write(t, name, old.ReplaceAllLiteralString(string(text), by))
}

// runInCluster runs the steps for a cluster, which scaffold prints, too.
func (g *guide) runInCluster(t *testing.T, printed []string) {
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("there is no kubectl on the PATH")
	}
	t.Setenv("KUBECONFIG", apiservertest.Start(t, apiservertest.Options{ReadyDeployments: true}).Kubeconfig())
	steps := strings.Split(strings.TrimSpace(g.next(t, "sh")), "\n")
	require.Equal(t, printed, steps)
	g.run(t, steps[0])

	path, ok := strings.CutPrefix(steps[1], "go run ")
	require.True(t, ok, steps[1])
	binary := filepath.Join(t.TempDir(), "operator") // go run would not pass on signals
	command(t, g.dir, "go", "build", "-o", binary, path)
	var log bytes.Buffer
	operator := exec.CommandContext(within(t), binary, "--probe-address=", "--metrics-address=", "--debug-address=") // ports may be in use
	operator.Stderr = &log
	require.NoError(t, operator.Start())
	out, err := attempt(t, g.dir, "sh", "-ec", g.next(t, "sh"))
	require.NoError(t, operator.Process.Signal(os.Interrupt))
	assert.NoError(t, operator.Wait(), "the operator ends: %s", &log)
	require.NoError(t, err, "%s\nlog of the operator:\n%s", out, &log)
	assert.Regexp(t, `(?m)^arm-1 `, out, "the Deployment")
}
