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
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/programs"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/toolchain"
)

func TestMain(m *testing.M) {
	toolchain.Intercept()
	os.Exit(m.Run())
}

func TestParse(t *testing.T) {
	opts, err := parse([]string{"-dir", "d"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, options{pairs: 5, only: []string{"a", "b", "c", "d", "e", "f"}, slack: 1, dir: "d"}, opts)

	opts, err = parse([]string{"-pairs", "7", "-only", "b,d", "-check", "-slack", "1.5", "-dir", "d"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, options{pairs: 7, only: []string{"b", "d"}, check: true, slack: 1.5, dir: "d"}, opts)

	opts, err = parse([]string{"-readme", "README.md", "-only", "f,e,d,c,b,a", "-dir", "d"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, "README.md", opts.readme)
}

func TestWrongUsage(t *testing.T) {
	for args, want := range map[string]string{
		"-only a,z":                         `bench: -only: unknown measurement "z", must be one of a, b, c, d, e, f`,
		"-pairs 0":                          "bench: -pairs: at least 1",
		"-slack 0.5":                        "bench: -slack: at least 1",
		"-dir= -pairs 1":                    "bench: -dir: needed",
		"-readme README.md -only a,b,c,d,e": "bench: -readme: the README shows all measurements",
		"-readme README.md -only a,a,b,c,d": "bench: -readme: the README shows all measurements",
		"a":                                 `bench: what is "a"?`,
		"-fast":                             "flag provided but not defined: -fast",
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

func TestGoFiles(t *testing.T) {
	task, p := programs.Task{Module: t.TempDir()}, place{out: t.TempDir()}
	for _, name := range []string{
		filepath.Join(p.out, "a", "b.go"), filepath.Join(p.out, "notes.json"),
		filepath.Join(task.Module, "v1", "zz_generated.deepcopy.go"), filepath.Join(task.Module, "v1", "types.go"),
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, nil, 0o666))
	}
	files, err := p.goFiles(task)
	require.NoError(t, err)
	assert.Equal(t, []string{"v1/zz_generated.deepcopy.go", "a/b.go"}, files)
	_, err = place{out: filepath.Join(p.out, "missing")}.goFiles(task)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestSameFiles(t *testing.T) {
	one := []string{"a/b.go"}
	require.NoError(t, sameFiles(one, one))
	require.NoError(t, sameFiles(one, []string{"a/b.go", "a/fields_generated.go", "a/reactions_generated.go", "a/tracker_generated.go", "listers/internal/cached/objects.go", "listers/reader/reader.go"}))
	other := []string{"a/b.go", "c.go"}
	assert.EqualError(t, sameFiles(one, other), "only one side writes c.go: upstream has 1 files, ours 2")
	assert.EqualError(t, sameFiles(other, one), "only one side writes c.go: upstream has 2 files, ours 1")
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
