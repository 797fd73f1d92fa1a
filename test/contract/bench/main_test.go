package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// TestRun runs all measurements briefly. With the race detector, it checks that the fakes support 32 concurrent clients.
func TestRun(t *testing.T) {
	readme := filepath.Join(t.TempDir(), "README.md")
	require.NoError(t, os.WriteFile(readme, []byte("before\n<!-- bench fakes -->\nold\n<!-- /bench fakes -->\nafter\n"), 0o666))
	var stdout, stderr strings.Builder
	args := []string{"-requests", "32", "-objects", "50", "-pairs", "1", "-readme", readme}
	code := new(bench).command().Run(t.Context(), args, &stdout, &stderr)
	require.Equal(t, harness.ExitDone, code, stderr.String())
	assert.Equal(t, len(operations)+2, strings.Count(stdout.String(), "\n|")+1, stdout.String())
	assert.Contains(t, stderr.String(), "list of all objects, 1/1:  strict ")
	written, err := os.ReadFile(readme)
	require.NoError(t, err)
	assert.Equal(t, "before\n<!-- bench fakes -->\n"+stdout.String()+"<!-- /bench fakes -->\nafter\n", string(written))
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-requests", "0"}, {"-objects", "0"}, {"-only", "get,put"}} {
		assert.Equal(t, harness.ExitUsage, new(bench).command().Run(t.Context(), args, io.Discard, io.Discard), args)
	}
}

func TestMisses(t *testing.T) {
	medians := func(strict, plain time.Duration) map[string]time.Duration {
		return map[string]time.Duration{strictName: strict, plainName: plain}
	}
	r := &results{rows: []row{
		{"new clientset", 0, medians(time.Millisecond, time.Microsecond)},
		{"get", 3, medians(3, 1)},
		{"create", 3, medians(4, 1)},
		{"list", 1.5, medians(20, 10)},
	}}
	assert.Equal(t, []string{
		"new clientset: 1.00 ms, not < 1.00 ms", "create: 4.00× NewClientset, not ≤ 3×", "list: 2.00× NewClientset, not ≤ 1.5×",
	}, r.Misses(1))
	assert.Empty(t, r.Misses(2))
}

func TestMarkdown(t *testing.T) {
	r := &results{
		rows:    []row{{"get", 3, map[string]time.Duration{strictName: 2 * time.Microsecond, plainName: 4 * time.Microsecond}}},
		columns: []string{strictName, "other", plainName}, pairs: 3, objects: 50, machine: "2 cores",
	}
	assert.Equal(t, "| | strict | other | NewClientset | strict / NewClientset | target |\n| --- | ---: | ---: | ---: | ---: | --- |\n"+
		"| get | 2.00 µs | | 4.00 µs | 0.50× | ≤ 3× |\n\n"+
		"CPU time, medians of 3 runs of each fake in turn, with 50 objects in the last three rows. 2 cores.\n", r.Markdown())
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1234: "1.23 µs", 12_345: "12.3 µs", 123_456: "123 µs", 1_234_567: "1.23 ms", 1_234_567_890: "1235 ms",
	} {
		assert.Equal(t, want, duration(d))
	}
}
