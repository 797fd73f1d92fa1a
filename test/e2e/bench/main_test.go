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
	"github.com/informer-gen-lite/informer-gen-lite/internal/splice"
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
	require.NoError(t, os.WriteFile(readme, []byte("# Speed\n"+splice.Start(tablesMark)+"\n"+splice.End(tablesMark)+"\n"), 0o666))
	var stdout, stderr bytes.Buffer
	args := []string{"-objects", "200", "-pairs", "1", "-writing", "100ms", "-benchtime", "1x", "-readme", readme}
	require.Equal(t, exitDone, run(t.Context(), args, &stdout, &stderr), stderr.String())
	for _, row := range []string{
		"| 200 objects in one informer |", "| client-go's factory, its defaults |", "| `New`, metadata only |",
		"| all objects at the start, 1 worker |", "| all objects queued again, 4 workers |", "| all objects queued again, 16 workers |",
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
	assert.Equal(t, "# Speed\n"+splice.Start(tablesMark)+"\n"+stdout.String()+splice.End(tablesMark)+"\n", string(written))
}

func TestParse(t *testing.T) {
	opts, err := parse(nil, io.Discard)
	require.NoError(t, err)
	want := options{objects: 100_000, pairs: 5, only: []string{"sync", "reconcile", "latency", "listers"}, writing: 5 * time.Second, benchtime: "300ms", slack: 1}
	assert.Equal(t, want, opts)
	assert.Equal(t, 2500, opts.writes())

	opts, err = parse(strings.Fields("-objects 500 -pairs 7 -only sync,latency -writing 1s -benchtime 10x -check -slack 1.5"), io.Discard)
	require.NoError(t, err)
	want = options{objects: 500, pairs: 7, only: []string{"sync", "latency"}, writing: time.Second, benchtime: "10x", check: true, slack: 1.5}
	assert.Equal(t, want, opts)

	opts, err = parse([]string{"-readme", "README.md", "-only", "listers,latency,reconcile,sync"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, "README.md", opts.readme)
}

func TestWrongUsage(t *testing.T) {
	for args, want := range map[string]string{
		"-only sync,z":                 `bench: -only: unknown measurement "z", must be one of sync, reconcile, latency, listers`,
		"-objects 99":                  "bench: -objects: at least 100",
		"-pairs 0":                     "bench: -pairs: at least 1",
		"-slack 0.5":                   "bench: -slack: at least 1",
		"-objects 1000 -writing 3s":    "bench: -writing: 1500 writes, each to another of 1000 objects",
		"-writing 1ms":                 "bench: -writing: 0 writes",
		"-readme README.md -only a":    `bench: -only: unknown measurement "a"`,
		"-readme R -only sync,sync":    "bench: -readme: the README shows all measurements",
		"-readme R -only sync,listers": "bench: -readme: the README shows all measurements",
		"sync":                         `bench: what is "sync"?`,
		"-fast":                        "flag provided but not defined: -fast",
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, exitUsage, run(t.Context(), strings.Fields(args), &stdout, &stderr), args)
		assert.Contains(t, stderr.String(), want, args)
		assert.Empty(t, stdout.String(), args)
	}
}

func TestHelp(t *testing.T) {
	var stderr bytes.Buffer
	assert.Equal(t, exitDone, run(t.Context(), []string{"-h"}, io.Discard, &stderr))
	for _, m := range measurements {
		assert.Contains(t, stderr.String(), m.name+": "+m.usage)
	}
}

func TestReadmeIsLookedAtFirst(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "README.md")
	unmarked := filepath.Join(t.TempDir(), "README.md")
	require.NoError(t, os.WriteFile(unmarked, []byte("# Speed\n"+splice.Start(tablesMark)+"\n"), 0o666))
	for readme, want := range map[string]string{missing: "no such file", unmarked: "no " + splice.Start(tablesMark) + " … " + splice.End(tablesMark)} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, exitProblem, run(t.Context(), []string{"-readme", readme}, &stdout, &stderr))
		assert.Contains(t, stderr.String(), readme)
		assert.Contains(t, stderr.String(), want)
		assert.NotContains(t, stderr.String(), "storing", "nothing is done before")
		assert.Empty(t, stdout.String())
	}
}
