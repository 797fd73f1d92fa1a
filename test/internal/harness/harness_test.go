package harness

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fake is a benchmark that records what is called.
type fake struct {
	size   int
	calls  []string
	pairs  int
	misses []string
	slack  float64
	// err is the error of the call with the name fails.
	fails string
	err   error
}

func (f *fake) Markdown() string { return "| a table |\n" }

func (f *fake) Misses(slack float64) []string {
	f.slack = slack
	return f.misses
}

func (f *fake) call(name string) error {
	f.calls = append(f.calls, name)
	if name == f.fails {
		return f.err
	}
	return nil
}

func (f *fake) command() Command {
	measurement := func(name string) Measurement {
		return Measurement{Name: name, Usage: name + " is measured", Make: func(context.Context) error { return f.call(name) }}
	}
	return Command{
		Mark:         "bench fake",
		Measurements: []Measurement{measurement("x"), measurement("y"), measurement("z")},
		Flags:        func(flags *flag.FlagSet) { flags.IntVar(&f.size, "size", 1, "how large") },
		Validate: func() error {
			if f.size < 1 {
				return errors.New("-size: at least 1")
			}
			return nil
		},
		Prepare: func(_ context.Context, s Session) error {
			f.pairs = s.Pairs
			return f.call("prepare")
		},
		Close:   func() error { return f.call("close") },
		Results: f,
	}
}

// run returns the exit code and what is printed.
func (f *fake) run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, progress bytes.Buffer
	code = f.command().Run(t.Context(), args, &out, &progress)
	return code, out.String(), progress.String()
}

func TestRun(t *testing.T) {
	var f fake
	code, stdout, stderr := f.run(t)
	assert.Equal(t, ExitDone, code)
	assert.Equal(t, "| a table |\n", stdout)
	assert.Empty(t, stderr)
	assert.Equal(t, fake{size: 1, calls: []string{"prepare", "x", "y", "z", "close"}, pairs: 5, slack: 1}, f)

	f = fake{}
	code, _, _ = f.run(t, "-pairs", "7", "-slack", "1.5", "-only", "z,x", "-size", "3")
	assert.Equal(t, ExitDone, code)
	assert.Equal(t, fake{size: 3, calls: []string{"prepare", "x", "z", "close"}, pairs: 7, slack: 1.5}, f)
}

func TestMissesFailOnlyOnRequest(t *testing.T) {
	f := fake{misses: []string{"x: too slow", "y: too large"}}
	code, stdout, stderr := f.run(t)
	assert.Equal(t, ExitDone, code)
	assert.Equal(t, "| a table |\n", stdout)
	assert.Equal(t, "target missed: x: too slow\ntarget missed: y: too large\n", stderr)

	code, _, again := f.run(t, "-check")
	assert.Equal(t, ExitProblem, code)
	assert.Equal(t, stderr, again)

	code, _, _ = (&fake{}).run(t, "-check")
	assert.Equal(t, ExitDone, code)
}

func TestErrorsStopTheRun(t *testing.T) {
	for fails, want := range map[string]struct {
		calls, stderr string
	}{
		"prepare": {"prepare close", "bench: broken\n"},
		"y":       {"prepare x y close", "bench: y: broken\n"},
		"close":   {"prepare x y z close", "bench: broken\n"},
	} {
		f := fake{fails: fails, err: errors.New("broken"), misses: []string{"too slow"}}
		code, stdout, stderr := f.run(t)
		assert.Equal(t, ExitProblem, code, fails)
		assert.Empty(t, stdout, fails)
		assert.Equal(t, want.stderr, stderr, fails)
		assert.Equal(t, strings.Fields(want.calls), f.calls, fails)
	}
}

func TestWrongUsage(t *testing.T) {
	for args, want := range map[string]string{
		"-only x,a":               `bench: -only: unknown measurement "a", must be one of x, y, z`,
		"-pairs 0":                "bench: -pairs: at least 1",
		"-slack 0.5":              "bench: -slack: at least 1",
		"-size 0":                 "bench: -size: at least 1",
		"-readme R -only x,y":     "bench: -readme: the README shows all measurements",
		"-readme R -only x,x,y,y": "bench: -readme: the README shows all measurements",
		"x":                       `bench: unexpected argument "x"`,
		"-fast":                   "flag provided but not defined: -fast",
	} {
		var f fake
		code, stdout, stderr := f.run(t, strings.Fields(args)...)
		assert.Equal(t, ExitUsage, code, args)
		assert.Contains(t, stderr, want, args)
		assert.Empty(t, stdout, args)
		assert.Empty(t, f.calls, args)
	}
}

func TestHelp(t *testing.T) {
	code, _, stderr := (&fake{}).run(t, "-h")
	assert.Equal(t, ExitDone, code)
	for _, text := range []string{"x: x is measured", "z: z is measured", "how large", "<!-- bench fake --> and <!-- /bench fake -->"} {
		assert.Contains(t, stderr, text)
	}
}

func TestReadme(t *testing.T) {
	readme := filepath.Join(t.TempDir(), "README.md")
	require.NoError(t, os.WriteFile(readme, []byte("# Speed\n<!-- bench fake --><!-- /bench fake -->\n"), 0o600))
	var f fake
	code, stdout, _ := f.run(t, "-readme", readme, "-only", "z,y,x")
	assert.Equal(t, ExitDone, code)
	assert.Equal(t, "| a table |\n", stdout)
	content, err := os.ReadFile(readme)
	require.NoError(t, err)
	assert.Equal(t, "# Speed\n<!-- bench fake -->\n| a table |\n<!-- /bench fake -->\n", string(content))
}

func TestReadmeIsCheckedFirst(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "README.md")
	unmarked := filepath.Join(t.TempDir(), "README.md")
	require.NoError(t, os.WriteFile(unmarked, []byte("# Speed\n<!-- bench fake -->\n"), 0o600))
	for readme, want := range map[string]string{missing: "no such file", unmarked: "no <!-- bench fake --> … <!-- /bench fake -->"} {
		var f fake
		code, stdout, stderr := f.run(t, "-readme", readme)
		assert.Equal(t, ExitProblem, code)
		assert.Contains(t, stderr, readme)
		assert.Contains(t, stderr, want)
		assert.Empty(t, stdout)
		assert.Empty(t, f.calls)
	}
}

func TestMachine(t *testing.T) {
	assert.Regexp(t, `^\d+ cores, \w+/\w+, .+$`, Machine())
}

func TestInTurn(t *testing.T) {
	var order []string
	side := func(name string) Side[int] {
		runs := 0
		return Side[int]{name, func() (int, error) {
			order = append(order, name)
			runs++
			return runs, nil
		}}
	}
	var progress bytes.Buffer
	samples, err := InTurn(Session{Pairs: 2, Progress: &progress}, "test", side("x"), side("y"))
	require.NoError(t, err)
	assert.Equal(t, strings.Fields("x y x y x y"), order)
	assert.Equal(t, [][]int{{2, 3}, {2, 3}}, samples, "the first round is not counted")
	assert.Equal(t, "test, warm-up:  x 1  y 1\ntest, 1/2:  x 2  y 2\ntest, 2/2:  x 3  y 3\n", progress.String())

	_, err = InTurn(Session{Pairs: 2, Progress: io.Discard}, "test", Side[int]{"x", func() (int, error) { return 0, os.ErrClosed }})
	require.ErrorIs(t, err, os.ErrClosed)
	assert.ErrorContains(t, err, "x: ")
}

func TestMedian(t *testing.T) {
	assert.Equal(t, int64(0), Median([]int64{}))
	assert.Equal(t, int64(7), Median([]int64{7}))
	assert.Equal(t, int64(5), Median([]int64{9, 1}))
	assert.Equal(t, int64(4), Median([]int64{100, 5, 3, 1}))
	assert.InDelta(t, 2.5, Median([]float64{2, 3}), 0)
	values := []int64{100, 3, 1}
	assert.Equal(t, int64(3), Median(values))
	assert.Equal(t, []int64{100, 3, 1}, values, "the values keep their order")
}

func TestTable(t *testing.T) {
	table := Table{Header: []string{"", "time", "target"}, Numbers: 1}
	table.Add("x", "1 s", "at most 2 s")
	table.Add("y", "3 s", "")
	assert.Equal(t, "| | time | target |\n| --- | ---: | --- |\n| x | 1 s | at most 2 s |\n| y | 3 s | |\n", table.String())
}
