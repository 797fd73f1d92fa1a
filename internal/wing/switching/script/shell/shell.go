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
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
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
	// Handle gets the commands that are neither builtins nor functions of the script, and Written, which may be nil, the statements whose
	// output goes to a file: the operator of the redirection, the file, and the arguments of all commands in the statement.
	Handle, Written func(Command)
}

// Surroundings provides the files and programs that a script relies on.
type Surroundings interface {
	// Variables returns variables that are set before the script starts.
	Variables() map[string]string
	// Script returns the text of a script that is called or sourced. It returns false if the script must not be followed. The call has its
	// arguments and the variables that it sets for others, if nothing but the commands of the script matters; otherwise it is nil.
	Script(name string, call []string) (text []byte, ok bool)
	// Opaque reports whether a function with this name is a command for Handle, even if a script defines it.
	Opaque(name string) bool
	// Output returns the output of a read-only program. It returns false if the output is unknown.
	Output(dir string, words []string, stdin func() string) (out string, ok bool)
	// ReadDir returns the entries of a directory, for patterns of file names.
	ReadDir(dir string) ([]fs.DirEntry, error)
}

// Command is a command with its expanded arguments. The first argument is its name.
type Command struct {
	Pos  token.Position
	Args []Argument
	// Dir is the working directory.
	Dir string
	// Variable writes a path with the variable whose value it begins with, such as $TMP/header.txt. It returns "" if no variable fits.
	Variable func(path string) string
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
	used := lists.Filter(slices.Sorted(maps.Keys(s.ambiguous)), func(name string) bool { return s.used[name] })
	return lists.Map(used, func(name string) diag.Diagnostic { return s.ambiguous[name] }), err
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

// script is the state that a script shares with the scripts that it calls.
type script struct {
	config Config
	limits *Limits
	// calls are the commands in all texts, and current is the command that is being run.
	calls   []*call
	current *call
	// marks are the unknown values.
	marks []mark
	// functions are the functions that the script itself declares, called the functions that have been called.
	functions []string
	called    map[string]bool
	// stack has the context of the current command: names of files and functions, and verdicts.
	stack   []string
	verdict verdict
	// ambiguous are the diagnostics for variables whose value depends on a condition, used the names of the variables in expansions.
	ambiguous map[string]diag.Diagnostic
	used      map[string]bool
}

// call is a command of a text.
type call struct {
	pos token.Position
	// assigns are the variables that are set for this command only.
	assigns []*syntax.Assign
	// late gets the statements that the command turns out to run, such as statements of another script. It runs next.
	late *syntax.Block
}

func newScript(config Config) *script {
	return &script{
		config: config, limits: config.Limits, current: &call{late: &syntax.Block{}}, stack: []string{config.Name},
		called: map[string]bool{}, verdict: undecided, ambiguous: map[string]diag.Diagnostic{}, used: map[string]bool{},
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
	c := s.config
	stmts, err := s.parse(text, source{name: c.Name, zero: c.Name, firstLine: c.FirstLine, main: true, lines: c.Lines})
	if err != nil {
		return err
	}
	own := []string{"HOME", "UID", "EUID", "GID"} // the interpreter would set them from its own process
	env := lists.Map(own, func(name string) string { return name + "=" + s.unset(name) })
	for name, value := range c.Surroundings.Variables() {
		env = append(env, name+"="+value)
	}
	runner, err := s.runner(expand.ListEnviron(env...), stdout)
	if err != nil {
		return err
	}
	err = s.run(runner, stmts)
	for i := 0; i < len(s.functions) && err == nil; i++ {
		if name := s.functions[i]; !s.called[name] && !c.Surroundings.Opaque(name) {
			err = s.run(runner, []*syntax.Stmt{command(name, s.unset("@"))})
		}
	}
	return err
}

// runner returns an interpreter that reaches programs and files only through s.
func (s *script) runner(env expand.Environ, stdout io.Writer) (*interp.Runner, error) {
	return interp.New(
		interp.Env(env), interp.StdIO(nil, stdout, io.Discard),
		func(r *interp.Runner) error { r.Dir = s.config.Dir; return nil }, // unlike interp.Dir, for directories that do not exist
		interp.CallHandler(s.call),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return s.exec }),
		interp.OpenHandler(func(_ context.Context, name string, _ int, _ fs.FileMode) (io.ReadWriteCloser, error) {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
		}),
		interp.StatHandler(func(context.Context, string, bool) (fs.FileInfo, error) { return directory{}, nil }),
		interp.AccessHandler(func(context.Context, string, interp.AccessMode) error { return nil }),
		interp.ReadDirHandler2(func(_ context.Context, dir string) ([]fs.DirEntry, error) {
			if !s.limits.Count(16, 0) { // it searches a directory
				return nil, s.limits.Err()
			}
			return s.config.Surroundings.ReadDir(dir)
		}),
	)
}

// run runs statements. Their exit status does not matter.
func (s *script) run(r *interp.Runner, stmts []*syntax.Stmt) error {
	err := r.Run(s.limits.ctx, &syntax.File{Name: s.config.Name, Stmts: stmts})
	if s.limits.Count(0, 0); s.limits.Err() != nil {
		return s.limits.Err()
	}
	if _, isStatus := errors.AsType[interp.ExitStatus](err); isStatus {
		return nil
	}
	return err
}

// directory is the information about any file: scripts change into directories that do not exist yet.
type directory struct{ fs.FileInfo }

func (directory) IsDir() bool       { return true }
func (directory) Mode() fs.FileMode { return fs.ModeDir }

// Limits of scripts and Makefiles. Longer values count as unknown; past any other limit, reading ends with an error.
const (
	// MaxFile is the maximum size of a script or Makefile, in bytes.
	MaxFile = 1 << 17
	// MaxValue is the maximum size of a variable's value or of a command, in bytes.
	MaxValue = 1 << 16

	maxCommands   = 1 << 15
	maxInput      = 1 << 20     // of one command, such as the names of all files
	maxOutput     = 1 << 25     // of all commands, with their arguments
	maxTime       = time.Minute // only reached where the others fail, even on a slow machine
	maxDepth      = 1 << 6      // functions, scripts and conditions within each other
	maxNested     = 1 << 10     // nodes of a syntax tree within each other
	maxExpansions = 1 << 11     // in one text, with the words that braces make
)

// Limits bounds the work for one file, including everything that it sources, includes and calls.
type Limits struct {
	ctx              context.Context
	stop             context.CancelFunc
	at               token.Position
	commands, output int
	err              diag.List
}

// NewLimits starts the time for a file. Close frees its timer.
func NewLimits() *Limits {
	l := &Limits{}
	l.ctx, l.stop = context.WithTimeout(context.Background(), maxTime)
	return l
}

// Close releases the timer.
func (l *Limits) Close() { l.stop() }

// At sets the position of the following work, for errors.
func (l *Limits) At(pos token.Position) { l.at = pos }

// Pos returns the current position.
func (l *Limits) Pos() token.Position { return l.at }

// Count counts commands or make references and the bytes that they take or print. It reports whether the file may be read further.
func (l *Limits) Count(commands, bytes int) bool {
	l.commands += min(commands, maxCommands+1)
	l.output += min(bytes, maxOutput+1)
	switch {
	case l.ctx.Err() != nil:
		l.Exceeded("%v", maxTime)
	case l.commands > maxCommands:
		l.Exceeded("%d commands", maxCommands)
	case l.output > maxOutput:
		l.Exceeded("%d MiB of output", maxOutput>>20)
	}
	return l.err == nil
}

// Exceeded ends the work because of a limit. The first one is reported.
func (l *Limits) Exceeded(limit string, args ...any) {
	if l.err == nil {
		l.err.AddHint(l.at, "write .informer-gen.yaml by hand", "stopped reading this script: it exceeds the limit of "+limit, args...)
	}
}

// Err returns the exceeded limit with its position, as a diag.List.
func (l *Limits) Err() error { return l.err.Err() }
