// Package shell evaluates shell scripts without running anything.
//
// It tracks variables, arrays, functions and the working directory as far as the script determines them, follows every branch,
// and passes on each command with its arguments expanded. Arguments that are only known at run time carry the reason.
package shell

import (
	"bytes"
	"errors"
	"go/token"
	"maps"
	"path/filepath"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/budget"
)

// Config holds the location of a script and the receivers of its commands.
type Config struct {
	// Name is the absolute name of the script.
	Name string
	// FirstLine is the line of the file at which the text starts; 0 is the first.
	FirstLine int
	// Dir is the working directory at the beginning, and Params the positional parameters.
	Dir    string
	Params []string
	// Lines is true if every line runs in a separate shell, as in a make recipe.
	Lines bool
	// Budget limits the work of following the script. Scripts that are followed for the same file share one; nil means a new one.
	Budget *budget.Budget
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
	Output(dir string, words []string, stdin string) (out string, ok bool)
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
	Pos token.Position
	// Text is the word, or its source if the word is unknown.
	Text string
	// Unknown is the reason why the word is unknown; "" if it is known.
	Unknown string
}

// Script returns the word as the text of a script, which can be followed even if parts of it are unknown.
func (a Argument) Script() string {
	if a.Unknown != "" && len(a.Text) > 1 && strings.HasPrefix(a.Text, `"`) && strings.HasSuffix(a.Text, `"`) {
		return a.Text[1 : len(a.Text)-1]
	}
	return a.Text
}

// Follow follows a bash script. The diagnostics report ambiguities: variables whose value depends on a condition. The error is a
// diag.List if the script has a syntax error or exceeds the budget.
func Follow(text []byte, config Config) (diag.List, error) {
	s := newScript(config)
	parsed, err := s.parse(text)
	if err != nil {
		return nil, err
	}
	s.run(parsed.Stmts)
	return *s.diags, s.budget.Err()
}

// Output returns the output of the commands in a text, or the reason why it is unknown.
func Output(text string, config Config) (string, error) {
	s := newScript(config)
	parsed, err := s.parse([]byte(text))
	if err != nil {
		return "", err
	}
	out, err := s.capture(parsed.Stmts)
	return strings.TrimRight(out, "\n"), err
}

func newScript(config Config) *script {
	if config.Budget == nil {
		config.Budget = &budget.Budget{}
	}
	s := &script{
		config: config, budget: config.Budget, file: config.Name, name: config.Name, firstLine: config.FirstLine, dir: config.Dir, params: config.Params, diags: &diag.List{},
		vars:    map[string]expand.Variable{"IFS": text(" \t\n")},
		unknown: map[string]string{}, ambiguous: map[string]diag.Diagnostic{}, funcs: map[string]function{}, calls: map[string]bool{},
	}
	for name, value := range config.Surroundings.Variables() {
		s.vars[name] = text(value)
	}
	return s
}

// script is the state of a script while it is followed.
type script struct {
	config Config
	budget *budget.Budget
	diags  *diag.List
	// file is the name of the current file: the script, or a file that it sources or calls.
	file      string
	firstLine int
	// name is the name of the running script. file may be a file that it sources.
	name string
	// files are the files around the current one.
	files []string

	// dir is the working directory, oldDir the previous one, and dirs is the stack of pushd.
	dir, oldDir string
	dirs        []string
	// vars are the known variables; unknown has the reasons for the others.
	vars    map[string]expand.Variable
	unknown map[string]string
	// ambiguous has the diagnostics for variables whose value depends on a condition, in case they are used.
	ambiguous map[string]diag.Diagnostic
	// params are the positional parameters of the current script or function; nil if they are unknown.
	params []string
	// locals has the values that are shadowed by local variables of the current function.
	locals map[string]*expand.Variable
	// funcs are the functions, order their names in declaration order, calls the called ones, and active those being followed.
	funcs  map[string]function
	order  []string
	calls  map[string]bool
	active []string
	// branches is the number of conditional statements around the current one.
	branches int
	// out collects the output of commands inside $(…), and problem is the reason why it is unknown.
	out     *strings.Builder
	problem error
}

// function is a function with the file that declares it.
type function struct {
	file string
	body *syntax.Stmt
}

// parse reads the text of the current file.
func (s *script) parse(text []byte) (*syntax.File, error) {
	if !s.parseable(text) {
		return nil, s.budget.Err()
	}
	parsed, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(bytes.NewReader(text), s.file)
	var bad syntax.ParseError
	if errors.As(err, &bad) {
		var diags diag.List
		diags.Add(s.at(bad.Pos), "%s", bad.Text)
		return nil, diags
	}
	if err == nil && !s.shallow(parsed) {
		return nil, s.budget.Err()
	}
	return parsed, err
}

// run follows the script, and then its uncalled functions: another script may call them.
func (s *script) run(stmts []*syntax.Stmt) {
	s.stmts(stmts)
	for i := 0; i < len(s.order); i++ {
		name := s.order[i]
		if f := s.funcs[name]; !s.calls[name] && f.file == s.config.Name && !s.config.Surroundings.Opaque(name) {
			s.callFunction(name, nil)
		}
	}
}

func (s *script) stmts(stmts []*syntax.Stmt) {
	line := uint(0)
	for _, stmt := range stmts {
		if s.config.Lines && len(s.files) == 0 && s.branches == 0 && stmt.Pos().Line() > line {
			s.dir = s.config.Dir
		}
		line = stmt.End().Line()
		if stmt.Cmd != nil {
			s.command(stmt)
		}
	}
}

func (s *script) command(stmt *syntax.Stmt) {
	s.budget.At(s.at(stmt.Pos()))
	if !s.budget.Step(budget.Command) {
		s.fail(budget.ErrTooLong)
		return
	}
	switch c := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		s.call(c, stmt.Redirs)
	case *syntax.DeclClause:
		if c.Variant.Value == "local" || c.Variant.Value == "declare" {
			s.hide(c.Args)
		}
		s.assign(c.Args)
	case *syntax.FuncDecl:
		if c.Name == nil { // an anonymous function is called at once
			s.stmts([]*syntax.Stmt{c.Body})
			return
		}
		if _, known := s.funcs[c.Name.Value]; !known {
			s.order = append(s.order, c.Name.Value)
		}
		s.funcs[c.Name.Value] = function{s.file, c.Body}
	case *syntax.Block:
		s.stmts(c.Stmts)
	case *syntax.Subshell:
		defer s.restore(s.save())
		s.stmts(c.Stmts)
	case *syntax.BinaryCmd:
		s.binary(c)
	case *syntax.TimeClause:
		s.stmts([]*syntax.Stmt{c.Stmt})
	case *syntax.IfClause:
		s.choose(c)
	case *syntax.CaseClause:
		for _, item := range c.Items {
			s.branch(item.Stmts)
		}
	case *syntax.WhileClause:
		s.while(c, stmt)
	case *syntax.ForClause:
		s.loop(c)
	}
}

// state is the state that a subshell cannot change.
type state struct {
	dir     string
	dirs    []string
	vars    map[string]expand.Variable
	unknown map[string]string
	params  []string
}

func (s *script) save() state {
	s.budget.Text(len(s.vars) + len(s.unknown))
	return state{s.dir, s.dirs, maps.Clone(s.vars), maps.Clone(s.unknown), s.params}
}

func (s *script) restore(old state) {
	s.dir, s.dirs, s.vars, s.unknown, s.params = old.dir, old.dirs, old.vars, old.unknown, old.params
}

// at returns the position of a node in its file.
func (s *script) at(pos syntax.Pos) token.Position {
	return token.Position{Filename: s.file, Line: int(pos.Line()) + s.firstLine, Column: int(pos.Col())}
}

// absolute resolves a path relative to the working directory.
func (s *script) absolute(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(s.dir, name)
}

func text(value string) expand.Variable {
	return expand.Variable{Set: true, Kind: expand.String, Str: value}
}

// Get implements expand.Environ: variables, parameters, and variables that the shell sets.
func (s *script) Get(name string) expand.Variable {
	switch name {
	case "PWD":
		return text(s.dir)
	case "0":
		return text(s.name)
	case "BASH_SOURCE":
		return expand.Variable{Set: true, Kind: expand.Indexed, List: []string{s.file}}
	case "#":
		return text(strconv.Itoa(len(s.params)))
	case "@", "*":
		return expand.Variable{Set: s.params != nil || len(s.active) == 0, Kind: expand.Indexed, List: s.params}
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n <= len(s.params) {
			return text(s.params[n-1])
		}
		return expand.Variable{}
	}
	if d, ok := s.ambiguous[name]; ok {
		*s.diags = append(*s.diags, d)
		delete(s.ambiguous, name)
	}
	return s.vars[name]
}

// Each implements expand.Environ.
func (s *script) Each(f func(string, expand.Variable) bool) {
	for name, v := range s.vars {
		if !f(name, v) {
			return
		}
	}
}
