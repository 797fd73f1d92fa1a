// Package shell interprets shell scripts without running programs and without opening files.
//
// The interpreter of mvdan.cc/sh runs a script's syntax tree, which is rewritten first: statements that depend on a condition are
// all followed, one after the other, and values that are only known at run time become marks that carry the reason.
package shell

import (
	"bytes"
	"context"
	"errors"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Config holds the location of a script and the receivers of its commands.
type Config struct {
	// Name is the absolute name of the script.
	Name string
	// FirstLine is the line of the file at which the text starts; 0 is the first.
	FirstLine int
	// Dir is the working directory at the beginning.
	Dir string
	// Lines is true if every line runs in a separate shell, as in a make recipe.
	Lines bool
	// Limits bounds the work. Scripts that are followed for the same file share it.
	Limits *Limits
	// Surroundings answers the script's queries.
	Surroundings Surroundings
	// Handle gets the commands that are neither builtins nor functions of the script.
	Handle func(Command)
}

// Surroundings provides the files and programs that a script relies on.
type Surroundings interface {
	// Variables returns variables that are set before the script starts.
	Variables() map[string]string
	// Script returns the text of a script that is called or sourced. It returns false if the script must not be followed.
	Script(name string) (text []byte, ok bool)
	// Opaque reports whether a function with this name is a command for Handle, even if a script defines it.
	Opaque(name string) bool
	// Output returns the output of a read-only program. It returns false if the output is unknown.
	Output(dir string, words []string, stdin func() string) (out string, ok bool)
}

// Command is a command with its expanded arguments. The first argument is its name.
type Command struct {
	Pos  token.Position
	Args []Argument
	// Dir is the working directory.
	Dir string
}

// Argument is one word of a command.
type Argument struct {
	// Text is the word. Its unknown parts are given by their source.
	Text string
	// Unknown is the reason why the word is unknown; "" if it is known.
	Unknown string
}

// Follow follows a bash script. The diagnostics report variables whose value depends on a condition. The error is a diag.List if
// the script has a syntax error or exceeds a limit.
func Follow(text []byte, config Config) (diag.List, error) {
	s := newScript(config)
	err := s.follow(text, io.Discard)
	var diags diag.List
	for _, name := range slices.Sorted(maps.Keys(s.ambiguous)) {
		if s.used[name] {
			diags = append(diags, s.ambiguous[name])
		}
	}
	return diags, err
}

// Output returns the output of the commands in a text, or the reason why it is unknown.
func Output(text string, config Config) (string, error) {
	config.Handle = func(Command) {}
	s := newScript(config)
	var out bytes.Buffer
	err := s.follow([]byte(text), &out)
	if a := s.argument(out.String()); err == nil && a.Unknown != "" {
		err = errors.New(a.Unknown)
	}
	return strings.TrimRight(out.String(), "\n"), err
}

// script is the state that is shared by a script and those that it calls.
type script struct {
	config Config
	limits *Limits
	// sources are the texts that were parsed, and lines the number of lines in them: each line has a number of its own.
	sources []source
	lines   int
	// marks are the unknown values, and numbers their numbers.
	marks   []mark
	numbers map[mark]int
	// specials are the commands that the script does not have itself.
	specials []func(running) error
	// main is the interpreter of the current script. files are the names of the scripts being followed, the innermost last.
	main  *interp.Runner
	files []string
	// functions are the functions that the script itself declares, called those that were called, and active those that are running.
	functions []string
	called    map[string]bool
	active    []string
	// perhaps is the number of unknown conditions around the current command.
	perhaps int
	// old are the values of variables before their assignment.
	old []expand.Variable
	// ambiguous are the diagnostics for variables whose value depends on a condition, used the names of the variables in expansions.
	ambiguous map[string]diag.Diagnostic
	used      map[string]bool
}

func newScript(config Config) *script {
	return &script{
		config: config, limits: config.Limits, files: []string{config.Name}, numbers: map[mark]int{},
		lines:  1, // the first is for commands that this package makes
		called: map[string]bool{}, ambiguous: map[string]diag.Diagnostic{}, used: map[string]bool{},
	}
}

// follow follows the script and then the functions that it only declares, because another script may call them.
func (s *script) follow(text []byte, stdout io.Writer) (err error) {
	defer func() {
		if problem := recover(); problem != nil { // for some scripts that bash would reject
			var diags diag.List
			diags.AddHint(s.limits.Pos(), "write .informer-gen.yaml by hand", "cannot interpret this script: %v", problem)
			err = diags
		}
	}()
	stmts, err := s.parse(text, source{name: s.config.Name, firstLine: s.config.FirstLine, main: true, lines: s.config.Lines})
	if err != nil {
		return err
	}
	var env []string
	for _, name := range []string{"HOME", "UID", "EUID", "GID"} { // the interpreter would set them from its own process
		env = append(env, name+"="+s.unset(name))
	}
	for name, value := range s.config.Surroundings.Variables() {
		env = append(env, name+"="+value)
	}
	runner, err := s.runner(expand.ListEnviron(env...), s.config.Dir, nil, nil, stdout)
	if err != nil {
		return err
	}
	err = s.run(runner, s.config.Name, stmts)
	for i := 0; i < len(s.functions) && err == nil; i++ {
		if name := s.functions[i]; !s.called[name] && !s.config.Surroundings.Opaque(name) {
			err = s.run(runner, s.config.Name, []*syntax.Stmt{command(name, s.unset("@"))})
		}
	}
	return err
}

// runner returns an interpreter that reaches programs and files only through s. It expands no patterns for file names.
func (s *script) runner(env expand.Environ, dir string, params []string, stdin io.Reader, stdout io.Writer) (*interp.Runner, error) {
	return interp.New(
		interp.Env(env), interp.StdIO(stdin, stdout, io.Discard), interp.Params(slices.Concat([]string{"-f", "--"}, params)...),
		func(r *interp.Runner) error { r.Dir = dir; return nil }, // unlike interp.Dir, for directories that do not exist
		interp.CallHandler(s.call),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return s.exec }),
		interp.OpenHandler(func(_ context.Context, name string, _ int, _ fs.FileMode) (io.ReadWriteCloser, error) {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
		}),
		interp.StatHandler(func(context.Context, string, bool) (fs.FileInfo, error) { return directory{}, nil }),
		interp.AccessHandler(func(context.Context, string, interp.AccessMode) error { return nil }),
		interp.ReadDirHandler2(func(context.Context, string) ([]fs.DirEntry, error) { return nil, fs.ErrPermission }),
	)
}

// run runs statements. Their exit status does not matter.
func (s *script) run(r *interp.Runner, name string, stmts []*syntax.Stmt) error {
	defer func(main *interp.Runner) { s.main = main }(s.main)
	s.main = r
	err := r.Run(s.limits.ctx, &syntax.File{Name: name, Stmts: stmts})
	if errors.Is(err, context.DeadlineExceeded) {
		s.limits.Step(0)
	}
	if _, isStatus := errors.AsType[interp.ExitStatus](err); isStatus || s.limits.Err() != nil {
		return s.limits.Err()
	}
	return err
}

// directory is the information about any file: scripts change into directories that do not exist yet.
type directory struct{ fs.FileInfo }

func (directory) IsDir() bool       { return true }
func (directory) Mode() fs.FileMode { return fs.ModeDir }
