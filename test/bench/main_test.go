package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
)

func TestParse(t *testing.T) {
	opts, err := parse([]string{"-dir", "d"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, options{pairs: 5, only: []string{"a", "b", "c", "d"}, slack: 1, dir: "d"}, opts)

	opts, err = parse([]string{"-pairs", "7", "-only", "b,d", "-check", "-slack", "1.5", "-dir", "d"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, options{pairs: 7, only: []string{"b", "d"}, check: true, slack: 1.5, dir: "d"}, opts)

	opts, err = parse([]string{"-readme", "README.md", "-only", "d,c,b,a", "-dir", "d"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, "README.md", opts.readme)
}

func TestWrongUsage(t *testing.T) {
	for args, want := range map[string]string{
		"-only a,z":                       `bench: -only: there is no measurement "z"; there are a, b, c, d`,
		"-pairs 0":                        "bench: -pairs: at least 1",
		"-slack 0.5":                      "bench: -slack: at least 1",
		"-dir= -pairs 1":                  "bench: -dir: needed",
		"-readme README.md -only a,b,c":   "bench: -readme: the README shows all measurements",
		"-readme README.md -only a,a,b,c": "bench: -readme: the README shows all measurements",
		"a":                               `bench: what is "a"?`,
		"-fast":                           "flag provided but not defined: -fast",
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
	require.NoError(t, os.WriteFile(unmarked, []byte("# Speed\n<!-- bench -->\n"), 0o666))
	for readme, want := range map[string]string{missing: "no such file", unmarked: "no <!-- bench --> … <!-- /bench -->"} {
		var stdout, stderr bytes.Buffer
		args := []string{"-readme", readme, "-dir", t.TempDir()}
		assert.Equal(t, exitProblem, run(t.Context(), args, &stdout, &stderr))
		assert.Contains(t, stderr.String(), readme)
		assert.Contains(t, stderr.String(), want)
		assert.NotContains(t, stderr.String(), "building", "nothing is done before")
		assert.Empty(t, stdout.String())
	}
}

func TestInTurn(t *testing.T) {
	var order []string
	number := func(name string) side {
		runs := 0
		return side{name, func() (measure.Sample, error) {
			order = append(order, name)
			runs++
			return measure.Sample{Wall: time.Duration(runs)}, nil
		}}
	}
	var progress bytes.Buffer
	samples, err := (&bench{pairs: 2, progress: &progress}).inTurn("test", number("x"), number("y"))
	require.NoError(t, err)
	assert.Equal(t, []string{"x", "y", "x", "y", "x", "y"}, order)
	counted := measure.Samples{{Wall: 2}, {Wall: 3}}
	assert.Equal(t, []measure.Samples{counted, counted}, samples, "the first round is not counted")
	assert.Equal(t, 3, strings.Count(progress.String(), "\n"), progress.String())

	_, err = (&bench{pairs: 2, progress: io.Discard}).inTurn("test",
		side{"x", func() (measure.Sample, error) { return measure.Sample{}, os.ErrClosed }})
	assert.ErrorIs(t, err, os.ErrClosed)
}

func TestSameFiles(t *testing.T) {
	one, other := place{out: t.TempDir()}, place{out: t.TempDir()}
	for _, p := range []place{one, other} {
		require.NoError(t, os.MkdirAll(filepath.Join(p.out, "a"), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(p.out, "a", "b.go"), nil, 0o666))
	}
	require.NoError(t, os.WriteFile(filepath.Join(other.out, "notes.json"), nil, 0o666))
	require.NoError(t, sameFiles(one, other))
	require.NoError(t, os.WriteFile(filepath.Join(other.out, "c.go"), nil, 0o666))
	assert.EqualError(t, sameFiles(one, other), "only one side writes c.go: upstream has 1 files, ours 2")
	assert.EqualError(t, sameFiles(other, one), "only one side writes c.go: upstream has 2 files, ours 1")
	assert.ErrorIs(t, sameFiles(one, place{out: filepath.Join(one.out, "missing")}), os.ErrNotExist)
}

func TestUpdateReadme(t *testing.T) {
	name := filepath.Join(t.TempDir(), "README.md")
	require.NoError(t, os.WriteFile(name, []byte("# Speed\n<!-- bench --><!-- /bench -->\n"), 0o666))
	require.NoError(t, updateReadme(name, "a table\n"))
	content, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "# Speed\n<!-- bench -->\na table\n<!-- /bench -->\n", string(content))

	require.NoError(t, os.WriteFile(name, []byte("# Speed\n"), 0o666))
	assert.ErrorContains(t, updateReadme(name, "a table\n"), "README.md: no <!-- bench -->")
	assert.ErrorIs(t, updateReadme(name+".not", ""), os.ErrNotExist)
}
