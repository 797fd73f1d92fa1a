package doctest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"
)

// read decodes a YAML file below the root, and fails for unknown fields.
func read[T any](t *testing.T, name string) (value T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	require.NoError(t, yaml.UnmarshalStrict(text, &value), name)
	return value
}

// step is a step of a workflow or an action.
type step struct {
	Name, Uses, Run, Shell string
	With, Env              map[string]string
	WorkingDirectory       string `json:"working-directory"`
}

// outOfDate makes a module with generated code that was edited, and returns a session in it.
func outOfDate(t *testing.T, bin string) session {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "errors-console1.txtar"))
	require.NoError(t, err)
	s := session{t, t.TempDir(), bin}
	for _, file := range archive.Files {
		name := filepath.Join(s.dir, filepath.FromSlash(file.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, file.Data, 0o666))
	}
	return s
}

// TestAction runs the steps of the GitHub Action as a runner does, on API types with mistakes.
func TestAction(t *testing.T) {
	action := read[struct {
		Name, Description string
		Branding          map[string]string
		Inputs            map[string]struct{ Description, Default string }
		Runs              struct {
			Using string
			Steps []step
		}
	}](t, "action.yml")
	require.Equal(t, "composite", action.Runs.Using)
	require.Len(t, action.Runs.Steps, 2)
	s := outOfDate(t, t.TempDir())
	for _, inputs := range []map[string]string{{"args": "", "working-directory": "."}, {"args": "./apis/... --strict", "working-directory": "."}} {
		for _, input := range []string{"args", "working-directory"} {
			require.Contains(t, action.Inputs, input)
		}
		build, verify := action.Runs.Steps[0], action.Runs.Steps[1]
		assert.Equal(t, "${{ github.action_path }}", build.WorkingDirectory)
		assert.Equal(t, "${{ inputs.working-directory }}", verify.WorkingDirectory)
		assert.Equal(t, map[string]string{"ARGS": "${{ inputs.args }}"}, verify.Env)
		out, err := s.run("export RUNNER_TEMP='" + s.bin + "'\ncd \"$REPOSITORY\"\n" + build.Run)
		require.NoError(t, err, out)
		require.NoError(t, os.WriteFile(filepath.Join(s.bin, "verify.sh"), []byte(verify.Run), 0o666))
		out, err = s.run("export RUNNER_TEMP='" + s.bin + "' ARGS='" + inputs["args"] + "'\nbash -eo pipefail " + filepath.Join(s.bin, "verify.sh"))
		assert.Error(t, err)
		assert.Contains(t, out, "::error file=apis/fleet/v1/types.go,line=7,col=4::unknown marker +genclient:nonNamespace")
	}
}

// TestPreCommitHook installs the hook as pre-commit does, and runs it.
func TestPreCommitHook(t *testing.T) {
	hooks := read[[]struct {
		ID, Name, Description, Entry, Language string
		TypesOr                                []string `json:"types_or"`
		PassFilenames                          bool     `json:"pass_filenames"`
	}](t, ".pre-commit-hooks.yaml")
	require.Len(t, hooks, 1)
	assert.Equal(t, "golang", hooks[0].Language)
	s := outOfDate(t, t.TempDir())
	out, err := s.run("cd \"$REPOSITORY\" && GOBIN='" + s.bin + "' go install ./cmd/...") // pre-commit: ./...
	require.NoError(t, err, out)
	out, err = s.run(hooks[0].Entry)
	assert.Error(t, err)
	assert.Contains(t, out, "apis/fleet/v1/types.go:7:4: unknown marker")
}

// TestWorkflow checks that CI runs .ci/run and nothing else.
func TestWorkflow(t *testing.T) {
	workflow := read[struct {
		Name        string
		On          any `json:"true"` // YAML 1.1 reads "on" as a boolean
		Permissions map[string]string
		Concurrency any
		Jobs        map[string]struct {
			RunsOn         string `json:"runs-on"`
			TimeoutMinutes int    `json:"timeout-minutes"`
			Steps          []step
		}
	}](t, ".github/workflows/ci.yml")
	var commands []string
	for _, job := range workflow.Jobs {
		for _, step := range job.Steps {
			commands = append(commands, strings.TrimSpace(step.Uses+step.Run))
		}
	}
	assert.Equal(t, []string{"actions/checkout@v5", "actions/setup-go@v6", ".ci/run"}, commands)
	for _, name := range []string{"bug.yml", "feature.yml"} {
		read[struct {
			Name, Description string
			Body              []struct {
				Type                    string
				Attributes, Validations map[string]any
			}
		}](t, ".github/ISSUE_TEMPLATE/"+name)
	}
}
