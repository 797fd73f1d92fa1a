package tests

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestListersCompileQuickly counts the functions that the compiler generates for listers, because each takes about 0.5 ms.
// client-go's listers for coordination/v1, which has one kind, are 31 functions.
func TestListersCompileQuickly(t *testing.T) {
	for _, version := range []string{"edge/v1alpha1", "fleet/v1", "fleet/v1beta1"} {
		dir := filepath.Join("../generated/listers", version)
		compiled := output(t, "go", "list", "-export", "-f", "{{.Export}}", "./"+dir)
		functions := strings.Count(output(t, "go", "tool", "nm", strings.TrimSpace(compiled)), " T ")
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		kinds := 0
		for _, file := range files {
			if !strings.HasSuffix(file, "expansion.go") && !strings.HasSuffix(file, "expansion_generated.go") {
				kinds++
			}
		}
		assert.LessOrEqual(t, functions, 80*kinds, version)
	}
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	require.NoError(t, err)
	return string(out)
}
