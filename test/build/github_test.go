package build_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

// read decodes a YAML file below the root, and fails for unknown fields.
func read[T any](t *testing.T, name string) (value T) {
	t.Helper()
	text, err := os.ReadFile(root.Path(name))
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

// mistaken is a block that is prepared with mistakes in the API types.
var mistaken = doctest.Block{Page: "docs/errors.md", Language: "console", Number: 1}

// TestAction runs the steps of the GitHub Action like a runner, on API types with mistakes.
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
	s := root.Prepared(t, mistaken, t.TempDir())
	build, verify := action.Runs.Steps[0], action.Runs.Steps[1]
	assert.Equal(t, "${{ github.action_path }}", build.WorkingDirectory)
	assert.Equal(t, "${{ inputs.working-directory }}", verify.WorkingDirectory)
	assert.Equal(t, map[string]string{"ARGS": "${{ inputs.args }}"}, verify.Env)
	runner := "export RUNNER_TEMP='" + s.Bin + "'\n"
	out, err := s.Run(runner + "cd \"$REPOSITORY\"\n" + build.Run)
	require.NoError(t, err, out)
	script := filepath.Join(s.Bin, "verify.sh")
	require.NoError(t, os.WriteFile(script, []byte(verify.Run), 0o666))
	for args, want := range map[string]string{
		action.Inputs["args"].Default: "::error file=apis/fleet/v1/types.go,line=7,col=4::unknown marker +genclient:nonNamespace",
		"./apis/... --output text":    "apis/fleet/v1/types.go:7:4: unknown marker +genclient:nonNamespace",
	} {
		out, err = s.Run(runner + "export ARGS='" + args + "'\nbash -eo pipefail " + script)
		assert.Error(t, err)
		assert.Contains(t, out, want)
	}
	assert.Equal(t, ".", action.Inputs["working-directory"].Default)
}

// TestPreCommitHook installs the hook like pre-commit, and runs it.
func TestPreCommitHook(t *testing.T) {
	hooks := read[[]struct {
		ID, Name, Description, Entry, Language string
		TypesOr                                []string `json:"types_or"`
		PassFilenames                          bool     `json:"pass_filenames"`
	}](t, ".pre-commit-hooks.yaml")
	require.Len(t, hooks, 1)
	assert.Equal(t, "golang", hooks[0].Language)
	s := root.Prepared(t, mistaken, t.TempDir())
	out, err := s.Run("cd \"$REPOSITORY\" && GOBIN='" + s.Bin + "' go install ./...")
	require.NoError(t, err, out)
	out, err = s.Run(hooks[0].Entry)
	assert.Error(t, err)
	assert.Contains(t, out, "apis/fleet/v1/types.go:7:4: unknown marker")
}

// TestWorkflow checks that CI runs .ci/run and nothing else, and the tests of the tool and of the library on other systems.
func TestWorkflow(t *testing.T) {
	workflow := read[struct {
		Name        string
		On          any `json:"true"` // YAML 1.1 reads "on" as a boolean
		Permissions map[string]string
		Concurrency any
		Jobs        map[string]struct {
			RunsOn          string `json:"runs-on"`
			TimeoutMinutes  int    `json:"timeout-minutes"`
			ContinueOnError bool   `json:"continue-on-error"`
			Strategy        any
			Steps           []step
		}
	}](t, ".github/workflows/ci.yml")
	commands := map[string][]string{}
	for name, job := range workflow.Jobs {
		for _, step := range job.Steps {
			commands[name] = append(commands[name], strings.TrimSpace(step.Uses+step.Run))
		}
	}
	const checkout, setup = "actions/checkout@v5", "actions/setup-go@v6"
	assert.Equal(t, map[string][]string{
		"run":       {checkout, setup, ".ci/run"},
		"platforms": {checkout, setup, "go test -shuffle=on -timeout 60m ./...", "go -C runtime test -shuffle=on -timeout 30m ./..."},
	}, commands)
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
