// Package shell follows shell scripts without running anything. It keeps account of variables, arrays, functions and the
// working directory as far as they are written in the script, goes through every branch, and hands on each command with
// its arguments expanded. Arguments that only a run could know come with the reason.
package shell

import (
	"errors"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Config says where a script stands, and who gets its commands.
type Config struct {
	// Name is the absolute name of the script.
	Name string
	// Dir is the working directory at the beginning.
	Dir string
	// Module is the path of the Go module, as go list -m prints it.
	Module string
	// Toplevel returns the root of the git repository that holds a directory. It is not called if there is no need to.
	Toplevel func(dir string) string
	// Handle gets the commands that are neither builtins nor functions of the script.
	Handle func(Command)
}

// Command is a command with its arguments, expanded. The first argument is its name.
type Command struct {
	Pos  token.Position
	Args []Argument
	// Dir is the working directory.
	Dir string
}

// Argument is one word of a command.
type Argument struct {
	Pos token.Position
	// Text is the word, or its source if it is not known.
	Text string
	// Unknown says why the word is not known; "" if it is.
	Unknown string
}

// Follow reads a bash script and follows it. The diagnostics say what is ambiguous: the value of a variable that depends
// on a condition. The error is a diag.List if the script has a syntax error.
func Follow(r io.Reader, config Config) (diag.List, error) {
	parsed, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(r, config.Name)
	var bad syntax.ParseError
	if errors.As(err, &bad) {
		var diags diag.List
		diags.Add(token.Position{Filename: config.Name, Line: int(bad.Pos.Line()), Column: int(bad.Pos.Col())}, "%s", bad.Text)
		return nil, diags
	} else if err != nil {
		return nil, err
	}
	s := &script{
		config: config, dir: config.Dir,
		vars: map[string]expand.Variable{
			"BASH_SOURCE": {Set: true, Kind: expand.Indexed, List: []string{config.Name}},
			"IFS":         {Set: true, Kind: expand.String, Str: " \t\n"},
		},
		unknown: map[string]string{}, funcs: map[string]*syntax.FuncDecl{}, calls: map[string]bool{},
	}
	s.run(parsed.Stmts)
	return s.diags, nil
}

// script is the state of a script that is being followed.
type script struct {
	config Config
	diags  diag.List

	dir string
	// dirs are the directories that pushd has left.
	dirs []string
	// vars are the variables that are known; unknown has the reasons for others.
	vars    map[string]expand.Variable
	unknown map[string]string
	// params are the positional parameters of the function that is being followed.
	params []string
	// funcs are the functions, order their names in the order of their declarations, calls those that were called, and
	// active those that are being followed.
	funcs  map[string]*syntax.FuncDecl
	order  []string
	calls  map[string]bool
	active []string
	// branches counts the conditional statements around the current one.
	branches int
}

// run follows the script, and then those of its functions that were not called: their caller may be another script.
func (s *script) run(stmts []*syntax.Stmt) {
	s.stmts(stmts)
	for i := 0; i < len(s.order); i++ {
		if name := s.order[i]; !s.calls[name] {
			s.callFunction(name, nil)
		}
	}
}

func (s *script) stmts(stmts []*syntax.Stmt) {
	for _, stmt := range stmts {
		if stmt.Cmd != nil {
			s.command(stmt.Cmd)
		}
	}
}

func (s *script) command(node syntax.Command) {
	switch c := node.(type) {
	case *syntax.CallExpr:
		s.call(c)
	case *syntax.DeclClause:
		s.assign(c.Args)
	case *syntax.FuncDecl:
		if c.Name == nil { // a function without a name is called at once
			s.stmts([]*syntax.Stmt{c.Body})
			return
		}
		if _, known := s.funcs[c.Name.Value]; !known {
			s.order = append(s.order, c.Name.Value)
		}
		s.funcs[c.Name.Value] = c
	case *syntax.Block:
		s.stmts(c.Stmts)
	case *syntax.Subshell:
		defer func(dir string) { s.dir = dir }(s.dir)
		s.stmts(c.Stmts)
	case *syntax.BinaryCmd:
		s.stmts([]*syntax.Stmt{c.X})
		s.branch([]*syntax.Stmt{c.Y})
	case *syntax.TimeClause:
		s.stmts([]*syntax.Stmt{c.Stmt})
	case *syntax.IfClause:
		for clause := c; clause != nil; clause = clause.Else {
			s.branch(clause.Then)
		}
	case *syntax.CaseClause:
		for _, item := range c.Items {
			s.branch(item.Stmts)
		}
	case *syntax.WhileClause:
		s.branch(c.Do)
	case *syntax.ForClause:
		s.loop(c)
	}
}

// branch follows statements that may or may not be run.
func (s *script) branch(stmts []*syntax.Stmt) {
	s.branches++
	s.stmts(stmts)
	s.branches--
}

// loop follows the body once for each word. A loop over what is not known is followed once.
func (s *script) loop(c *syntax.ForClause) {
	words, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		s.branch(c.Do)
		return
	}
	for _, word := range words.Items {
		for _, item := range s.expand(word) {
			if item.Unknown != "" {
				s.forget(words.Name.Value, item.Unknown)
			} else {
				s.set(words.Name.Value, expand.Variable{Set: true, Kind: expand.String, Str: item.Text})
			}
			s.stmts(c.Do)
		}
	}
}

func (s *script) set(name string, v expand.Variable) {
	s.vars[name] = v
	delete(s.unknown, name)
}

func (s *script) forget(name, why string) {
	delete(s.vars, name)
	s.unknown[name] = why
}

func (s *script) assign(assigns []*syntax.Assign) {
	for _, a := range assigns {
		if a.Name == nil || a.Naked || a.Index != nil {
			continue
		}
		name, words := a.Name.Value, []*syntax.Word{a.Value}
		if a.Array != nil {
			words = nil
			for _, element := range a.Array.Elems {
				words = append(words, element.Value)
			}
		}
		v, why := s.value(words, a.Array != nil)
		old, known := s.vars[name]
		switch {
		case why != "":
			if !known || s.branches == 0 {
				s.forget(name, why)
			}
		case a.Append && known && a.Array != nil:
			s.set(name, expand.Variable{Set: true, Kind: expand.Indexed, List: slices.Concat(old.List, v.List)})
		case a.Append && known:
			s.set(name, expand.Variable{Set: true, Kind: expand.String, Str: old.Str + v.Str})
		case s.branches > 0 && known && old.String() != v.String() && old.String() != "":
			s.diags.Add(s.pos(a), "%s depends on a condition: %q is taken, and %q is not", name, old.String(), v.String())
		default:
			s.set(name, v)
		}
	}
}

// value returns the value of an assignment, or why it is not known.
func (s *script) value(words []*syntax.Word, array bool) (v expand.Variable, why string) {
	v = expand.Variable{Set: true, Kind: expand.String}
	if array {
		v.Kind = expand.Indexed
		for _, word := range words {
			for _, field := range s.expand(word) {
				if field.Unknown != "" {
					return v, field.Unknown
				}
				v.List = append(v.List, field.Text)
			}
		}
		return v, ""
	}
	text, err := s.literal(words[0])
	if err != nil {
		return v, s.reason(err)
	}
	v.Str = text
	return v, ""
}

// call follows a simple command: an assignment, a builtin, a function of the script, or a program.
func (s *script) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		s.assign(c.Assigns)
		return
	}
	var args []Argument
	for _, word := range c.Args {
		args = append(args, s.expand(word)...)
	}
	if len(args) == 0 {
		return
	}
	switch name := args[0].Text; {
	case name == "cd" || name == "pushd":
		if name == "pushd" {
			s.dirs = append(s.dirs, s.dir)
		}
		if len(args) > 1 && args[1].Unknown == "" {
			s.dir = s.absolute(args[1].Text)
		}
	case name == "popd" && len(s.dirs) > 0:
		s.dir, s.dirs = s.dirs[len(s.dirs)-1], s.dirs[:len(s.dirs)-1]
	case s.funcs[name] != nil:
		s.callFunction(name, args[1:])
	default:
		s.config.Handle(Command{Pos: s.pos(c), Args: args, Dir: s.dir})
	}
}

func (s *script) callFunction(name string, args []Argument) {
	if slices.Contains(s.active, name) {
		return
	}
	s.calls[name] = true
	s.active = append(s.active, name)
	params := s.params
	s.params = nil
	for _, arg := range args {
		if arg.Unknown != "" {
			break
		}
		s.params = append(s.params, arg.Text)
	}
	s.stmts([]*syntax.Stmt{s.funcs[name].Body})
	s.params = params
	s.active = s.active[:len(s.active)-1]
}

func (s *script) pos(node syntax.Node) token.Position {
	return token.Position{Filename: s.config.Name, Line: int(node.Pos().Line()), Column: int(node.Pos().Col())}
}

// absolute returns a path that is relative to the working directory in full.
func (s *script) absolute(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(s.dir, name)
}

// Get implements expand.Environ: variables, parameters, and what the shell sets on its own.
func (s *script) Get(name string) expand.Variable {
	text := func(value string) expand.Variable {
		return expand.Variable{Set: true, Kind: expand.String, Str: value}
	}
	switch name {
	case "PWD":
		return text(s.dir)
	case "0":
		return text(s.config.Name)
	case "@", "*":
		return expand.Variable{Set: len(s.params) > 0, Kind: expand.Indexed, List: s.params}
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n <= len(s.params) {
			return text(s.params[n-1])
		}
		return expand.Variable{}
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
