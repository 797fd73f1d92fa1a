package doctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// Session runs commands in a directory like a user, with the programs in Bin on PATH.
type Session struct {
	T    *testing.T
	Root Repository
	// Bin is also where "go install" installs programs.
	Dir, Bin string
	Env      []string
}

// Prepared returns a session in a new directory, after the preparation of a block, testdata/PAGE-LANGUAGEN.txtar: a tree of files,
// below a comment of shell lines to run first. Blocks of language yaml are written to block.yaml before the shell lines, which use it.
func (r Repository) Prepared(t *testing.T, b Block, bin string, env ...string) Session {
	t.Helper()
	archive, err := txtar.ParseFile(r.Testdata(b, ".txtar"))
	require.NoError(t, err, "commands need a preparation, or an entry in elsewhere")
	s := Session{T: t, Root: r, Dir: t.TempDir(), Bin: bin, Env: env}
	if b.Language == "yaml" {
		s.Write("block.yaml", b.Code)
	}
	for _, file := range archive.Files {
		s.Write(file.Name, string(file.Data))
	}
	for line := range strings.Lines(string(archive.Comment)) {
		out, err := s.Run(line)
		require.NoError(t, err, "%s: %s", line, out)
	}
	return s
}

// Write writes a file of the session's directory.
func (s Session) Write(name, text string) {
	s.T.Helper()
	name = filepath.Join(s.Dir, filepath.FromSlash(name))
	require.NoError(s.T, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(s.T, os.WriteFile(name, []byte(text), 0o666))
}

// Run runs a script.
func (s Session) Run(script string) (output string, err error) {
	s.T.Helper()
	cmd := exec.CommandContext(s.T.Context(), "sh", "-ec", script)
	cmd.Dir = s.Dir
	root, err := filepath.Abs(string(s.Root))
	require.NoError(s.T, err)
	path := "PATH=" + s.Bin + string(os.PathListSeparator) + os.Getenv("PATH")
	cmd.Env = append(append(os.Environ(), s.Env...), path, "GOBIN="+s.Bin, "REPOSITORY="+root)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Replay runs the commands of a block, and returns the block with their output. Blocks of language console have lines "$ command",
// each followed by exactly what it prints, except for times; other blocks are scripts, which must succeed and stay as they are.
func (s Session) Replay(b Block) string {
	s.T.Helper()
	switch b.Language {
	case "sh":
		out, err := s.Run(b.Code)
		require.NoError(s.T, err, out)
	case "console":
		var result strings.Builder
		for line := range strings.Lines(b.Code) {
			if command, found := strings.CutPrefix(line, "$ "); found {
				out, _ := s.Run(command) // the exit code is shown by the output, if it matters
				result.WriteString(line + out)
			}
		}
		return result.String()
	}
	return b.Code
}

var times = regexp.MustCompile(`\([0-9.]+s\)|go1\.[0-9.]+`)

// Timeless removes times and Go versions from output.
func Timeless(text string) string { return times.ReplaceAllString(text, "…") }
