package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

func TestMain(m *testing.M) {
	if apiservertest.IsChild() {
		if err := apiservertest.RunChild(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1) //nolint:forbidigo // TestMain is the main function of a test
		}
		return
	}
	silenceLogs()
	crdDir = filepath.Join("..", crdDir)
	goleak.VerifyTestMain(m)
}

// TestRun runs all measurements briefly. It only checks that no work is lost or duplicated.
func TestRun(t *testing.T) {
	readme := filepath.Join(t.TempDir(), "README.md")
	require.NoError(t, os.WriteFile(readme, []byte("# Speed\n<!-- bench controllers -->\n<!-- /bench controllers -->\n"), 0o666))
	var stdout, stderr bytes.Buffer
	args := []string{"-objects", "200", "-secrets", "101", "-pairs", "1", "-writing", "100ms", "-benchtime", "1x", "-readme", readme}
	require.Equal(t, harness.ExitDone, new(bench).command().Run(t.Context(), args, &stdout, &stderr), stderr.String())
	for _, row := range []string{
		"| 200 objects in one informer |", "| client-go's factory, its defaults |", "| `New`, metadata only |",
		"| all objects at the start, 1 worker |", "| all objects queued again, 4 workers |", "| all objects queued again, 16 workers |",
		"| 101 Secrets, of which 100 are referred to |", "| `cached` |", "| `metadata` |", "| `named` |",
		"| 200 objects in buckets |", "| all objects | ", "| a third of the buckets, on a server that filters | ",
		"| a third of the buckets, on a server that ignores shards | ",
		"| 16 arcs of 8 buckets |", "| one is exchanged | ", "| one is exchanged, with compression | ",
		" writes/s, p50 |", " writes/s, p99 |",
		"| Get | " + typedName + " |", "| List by namespace | " + genericName + " |", "| List by label | " + typedName + " |",
		"| Get a copy | " + runtimeName + " |", "| List | " + runtimeName + " |", "| iterate over all | " + genericName + " |",
		"| look up ten by an index | " + byIndexName + " |",
		"| owner of 3 among 21 | " + scanName + " |",
	} {
		assert.Contains(t, stdout.String(), row)
	}
	written, err := os.ReadFile(readme)
	require.NoError(t, err)
	assert.Equal(t, "# Speed\n<!-- bench controllers -->\n"+stdout.String()+"<!-- /bench controllers -->\n", string(written))
}

func TestWrites(t *testing.T) {
	assert.Equal(t, 2500, (&options{writing: 5 * time.Second}).writes())
}

func TestFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-only sync,z":              `bench: -only: unknown measurement "z", must be one of sync, next, reconcile, latency, references, shards, listers`,
		"-objects 99":               "bench: -objects: at least 100",
		"-secrets 99":               "bench: -secrets: at least 100",
		"-objects 1000 -writing 3s": "bench: -writing: 1500 writes, each to another of 1000 objects",
		"-writing 1ms":              "bench: -writing: 0 writes",
	} {
		var stderr bytes.Buffer
		assert.Equal(t, harness.ExitUsage, new(bench).command().Run(t.Context(), strings.Fields(args), io.Discard, &stderr), args)
		assert.Contains(t, stderr.String(), want, args)
	}
}
