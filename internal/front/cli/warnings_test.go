package cli

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const floatingWarning = "fleet/v1/types.go:10:4: warning: marker +genclient has no effect: it is not above a type\n\tmove it to the comment directly above a type, or remove it\n"

// TestWarnings checks the warning about a floating marker in every output format.
func TestWarnings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), "// +groupName=fleet.example.com\n"+oneKind+"\n// +genclient\n")
	flags := []string{"--only=clientset", "--skip=applyconfiguration"}
	runWith := func(args ...string) (code int, stdout, stderr string) {
		return execute(t, dir, append(args, flags...)...)
	}

	code, stdout, stderr := runWith("generate")
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, floatingWarning, stderr)
	assert.Contains(t, stdout, "1 kind in pkg/generated")

	code, stdout, stderr = runWith("verify", "--output=json")
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stderr, "up to date")
	var diags []diagnostic
	require.NoError(t, json.Unmarshal([]byte(stdout), &diags))
	require.Len(t, diags, 1)
	assert.Equal(t, "warning", diags[0].Severity)

	code, stdout, _ = runWith("verify", "--output=github")
	assert.Equal(t, exitDone, code)
	assert.Contains(t, stdout, "::warning file=fleet/v1/types.go,line=10,col=4::marker +genclient has no effect")

	code, stdout, stderr = runWith("explain", "--json")
	require.Equal(t, exitDone, code)
	assert.True(t, json.Valid([]byte(stdout)), stdout)
	assert.Equal(t, floatingWarning, stderr)

	code, stdout, stderr = runWith("verify", "--clientset-dir=other")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stdout, "missing  pkg/generated/other/clientset.go")
	assert.Equal(t, floatingWarning+"informer-gen-lite: the generated code is out of date: run informer-gen-lite generate\n", stderr)

	writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), "strict: true\n")
	code, _, stderr = runWith("generate")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "fleet/v1/types.go:10:4: marker +genclient has no effect")
}
