package cli

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestFlagsCannotInjectCode passes invalid values for parts of import paths in generated files.
func TestFlagsCannotInjectCode(t *testing.T) {
	for _, flag := range []string{"--output-pkg", "--applyconfiguration-package", "--clientset-dir", "--listers-dir", "--informers-dir", "--controllers-dir"} {
		for _, value := range []string{`a"; import "os`, "a b", "a//../b c", "a/b\nc"} {
			code, stdout, stderr := execute(t, t.TempDir(), flag, value)
			assert.Equal(t, exitUsage, code, flag)
			assert.Empty(t, stdout)
			assert.Contains(t, stderr, flag+": malformed import path", value)
		}
	}
}

func TestInvalidImportPathOfOutput(t *testing.T) {
	dir := configured(t, "output-dir: my clients\n")
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), fleetGroup+oneKind)
	code, _, stderr := execute(t, dir)
	assert.Equal(t, exitProblem, code)
	assert.Equal(t, "informer-gen-lite: "+filepath.Join(dir, "my clients")+
		` cannot be a Go package: malformed import path "example.com/m/my clients": invalid char ' '`+"\n", stderr)
}

func TestUnexpectedArguments(t *testing.T) {
	for want, args := range map[string][]string{
		`unknown command "x"`:                       {"markers", "x"},
		`unknown command "y"`:                       {"init", "y"},
		`unknown command "z"`:                       {"version", "z"},
		`unknown command "csh"`:                     {"completion", "csh"},
		"completion needs a shell: bash, fish, zsh": {"completion"},
	} {
		code, stdout, stderr := execute(t, t.TempDir(), args...)
		assert.Equal(t, exitUsage, code, want)
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, want)
	}
}

// TestRemovedFlags names what to do instead of flags that earlier states of main had. Other commands never had them.
func TestRemovedFlags(t *testing.T) {
	for want, args := range map[string][]string{
		"--from-cluster was removed: run kubectl get crd NAME… -o yaml | informer-gen-lite import - --group GROUP\n": {"import", "--from-cluster", "g"},
		"--kubeconfig was removed: run kubectl --kubeconfig FILE get crd NAME… -o yaml | ":                           {"import", "--kubeconfig=f"},
		"--context was removed: run kubectl --context CONTEXT get crd NAME… -o yaml | ":                              {"import", "-", "--context", "c"},
		"--openapi-schema was removed: omit it: the schema of apply configurations follows from the types\n":         {"verify", "--openapi-schema", "f"},
		"--timings was removed: run time informer-gen-lite generate\n":                                               {"--timings"},
		"unknown flag: --context\n": {"generate", "--context", "c"},
	} {
		code, stdout, stderr := execute(t, t.TempDir(), args...)
		assert.Equal(t, exitUsage, code, want)
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, "informer-gen-lite: "+want)
	}
}

func TestMisspelledCommand(t *testing.T) {
	code, _, stderr := execute(t, configured(t, ""), "verfy", "--only", "clientset")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "package verfy is not in std")
	assert.Contains(t, stderr, "\n\tdid you mean the command verify?\n")

	_, _, stderr = execute(t, configured(t, ""), "example.org/verify")
	assert.NotContains(t, stderr, "did you mean")
	_, _, stderr = execute(t, configured(t, ""), "frobnicate")
	assert.NotContains(t, stderr, "did you mean")
}
