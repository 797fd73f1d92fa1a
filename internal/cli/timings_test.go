package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTimings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), "// +groupName=fleet.example.com\n"+oneKind)
	for _, command := range [][]string{{"generate", "--timings"}, {"verify", "--timings"}, {"generate", "--timings"}} {
		code, _, stderr := run(t, dir, command...)
		require.Equal(t, exitDone, code, stderr)
		_, table, found := strings.Cut(stderr, "stage")
		require.True(t, found)
		lines := strings.Split(strings.TrimSpace(table), "\n")
		want := []string{"loading", "parsing", "resolving", "reading output", "rendering", "comparing", "total"}
		if command[0] == "generate" {
			want = append(want[:6:6], "writing", "total")
		}
		require.Len(t, lines, len(want)+1, table)
		for i, stage := range want {
			assert.Regexp(t, `^ *`+stage+` +\d+\.\d{3}s +(\d+\.\d{3}s|-) +(\d+\.\d{3}s|-) +\d+\.\d MiB$`, lines[i+1])
		}
	}
	_, _, stderr := run(t, dir, "generate")
	assert.NotContains(t, stderr, "stage", "nobody has asked")
}
