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

	"github.com/informer-gen-lite/informer-gen-lite/internal/splice"
)

// TestRun runs all measurements briefly. With the race detector, it checks that the fakes support 32 concurrent clients.
func TestRun(t *testing.T) {
	readme := filepath.Join(t.TempDir(), "README.md")
	require.NoError(t, os.WriteFile(readme, []byte("before\n"+splice.Start(tableMark)+"\nold\n"+splice.End(tableMark)+"\nafter\n"), 0o666))
	var stdout, stderr strings.Builder
	code := run(t.Context(), []string{"-requests", "32", "-objects", "50", "-rounds", "1", "-readme", readme}, &stdout, &stderr)
	require.Equal(t, exitDone, code, stderr.String())
	assert.Equal(t, len(operations)+2, strings.Count(stdout.String(), "\n|")+1, stdout.String())
	written, err := os.ReadFile(readme)
	require.NoError(t, err)
	assert.Equal(t, "before\n"+splice.Start(tableMark)+"\n"+strings.Trim(stdout.String(), "\n")+"\n"+splice.End(tableMark)+"\nafter\n", string(written))
}

func TestParse(t *testing.T) {
	for _, args := range [][]string{{"-rounds", "0"}, {"-slack", "0.5"}, {"-readme", "README.md", "-only", "get"}, {"get"}, {"-unknown"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			assert.Equal(t, exitUsage, run(t.Context(), args, io.Discard, io.Discard))
		})
	}
}

func TestMisses(t *testing.T) {
	medians := func(strict, plain time.Duration) map[string]time.Duration {
		return map[string]time.Duration{strictName: strict, plainName: plain}
	}
	rows := []row{
		{"new clientset", 0, medians(time.Millisecond, time.Microsecond)},
		{"get", 3, medians(3, 1)},
		{"create", 3, medians(4, 1)},
		{"list", 1.5, medians(20, 10)},
	}
	assert.Equal(t, []string{
		"new clientset: 1.00 ms, not < 1.00 ms", "create: 4.00× NewClientset, not ≤ 3×", "list: 2.00× NewClientset, not ≤ 1.5×",
	}, misses(rows, 1))
	assert.Empty(t, misses(rows, 2))
}

func TestMarkdown(t *testing.T) {
	rows := []row{{"get", 3, map[string]time.Duration{strictName: 2 * time.Microsecond, plainName: 4 * time.Microsecond}}}
	assert.Equal(t, "| | strict | other | NewClientset | strict / NewClientset | target |\n|---|---:|---:|---:|---:|---|\n"+
		"| get | 2.00 µs | | 4.00 µs | 0.50× | ≤ 3× |\n", markdown(rows, []string{strictName, "other", plainName}))
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1234: "1.23 µs", 12_345: "12.3 µs", 123_456: "123 µs", 1_234_567: "1.23 ms", 1_234_567_890: "1235 ms",
	} {
		assert.Equal(t, want, duration(d))
	}
}

func TestMedian(t *testing.T) {
	assert.Equal(t, time.Duration(2), median([]time.Duration{9, 1, 2}))
}
