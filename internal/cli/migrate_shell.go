package cli

import (
	"go/token"
	"path/filepath"
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// script follows a shell script without running anything: it keeps account of variables and of the working directory as
// far as they are written in the script, goes through every branch, and hands on each command that it meets.
type script struct {
	name   string
	module place
	diags  *diag.List
	// handle gets the commands that are no builtins.
	handle func(command)

	dir      string
	dirs     []string
	vars     map[string]expand.Variable
	unknown  map[string]string
	params   []string
	funcs    map[string]*syntax.FuncDecl
	order    []string
	calls    map[string]bool
	active   []string
	branches int
}

// command is a command with its arguments, expanded.
type command struct {
	pos  token.Position
	args []argument
	// dir is the working directory.
	dir string
}

// argument is one word of a command. If unknown is not empty, it says why the text is only the word's source.
type argument struct {
	pos           token.Position
	text, unknown string
}

// newScript returns a script that has not been followed yet. By custom scripts are run in the module's root.
func newScript(name string, module place, diags *diag.List, handle func(command)) *script {
	return &script{
		name: name, module: module, diags: diags, handle: handle, dir: module.dir,
		vars: map[string]expand.Variable{
			"BASH_SOURCE": {Set: true, Kind: expand.Indexed, List: []string{name}},
			"IFS":         {Set: true, Kind: expand.String, Str: " \t\n"},
		},
		unknown: map[string]string{}, funcs: map[string]*syntax.FuncDecl{}, calls: map[string]bool{},
	}
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
			if item.unknown != "" {
				s.forget(words.Name.Value, item.unknown)
			} else {
				s.set(words.Name.Value, expand.Variable{Set: true, Kind: expand.String, Str: item.text})
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
				if field.unknown != "" {
					return v, field.unknown
				}
				v.List = append(v.List, field.text)
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
	var args []argument
	for _, word := range c.Args {
		args = append(args, s.expand(word)...)
	}
	if len(args) == 0 {
		return
	}
	switch name := args[0].text; {
	case name == "cd" || name == "pushd":
		if name == "pushd" {
			s.dirs = append(s.dirs, s.dir)
		}
		if len(args) > 1 && args[1].unknown == "" {
			s.dir = s.absolute(args[1].text)
		}
	case name == "popd" && len(s.dirs) > 0:
		s.dir, s.dirs = s.dirs[len(s.dirs)-1], s.dirs[:len(s.dirs)-1]
	case s.funcs[name] != nil:
		s.callFunction(name, args[1:])
	default:
		s.handle(command{pos: s.pos(c), args: args, dir: s.dir})
	}
}

func (s *script) callFunction(name string, args []argument) {
	if slices.Contains(s.active, name) {
		return
	}
	s.calls[name] = true
	s.active = append(s.active, name)
	params := s.params
	s.params = nil
	for _, arg := range args {
		if arg.unknown != "" {
			break
		}
		s.params = append(s.params, arg.text)
	}
	s.stmts([]*syntax.Stmt{s.funcs[name].Body})
	s.params = params
	s.active = s.active[:len(s.active)-1]
}

func (s *script) pos(node syntax.Node) token.Position {
	return token.Position{Filename: s.name, Line: int(node.Pos().Line()), Column: int(node.Pos().Col())}
}

// absolute returns a path that is relative to the working directory in full.
func (s *script) absolute(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(s.dir, name)
}

// Get implements expand.Environ: variables, parameters, and what the shell knows by itself.
func (s *script) Get(name string) expand.Variable {
	text := func(value string) expand.Variable {
		return expand.Variable{Set: true, Kind: expand.String, Str: value}
	}
	switch name {
	case "PWD":
		return text(s.dir)
	case "0":
		return text(s.name)
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
