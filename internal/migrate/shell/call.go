package shell

import (
	"go/token"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/budget"
)

// call follows a simple command: an assignment, a builtin, a function of the script, another script, or a program.
func (s *script) call(c *syntax.CallExpr, redirs []*syntax.Redirect) {
	if len(c.Args) == 0 {
		s.assign(c.Assigns)
		return
	}
	args := s.arguments(c.Args)
	if len(args) == 0 {
		return
	}
	undo := s.temporarily(c.Assigns)
	s.do(s.at(c.Pos()), args, redirs)
	undo()
}

// temporarily sets variables for the duration of a command.
func (s *script) temporarily(assigns []*syntax.Assign) (undo func()) {
	old, branches := map[string]expand.Variable{}, s.branches
	for _, a := range assigns {
		if a.Name != nil {
			old[a.Name.Value] = s.vars[a.Name.Value]
			delete(s.vars, a.Name.Value)
		}
	}
	s.branches = 0
	s.assign(assigns)
	s.branches = branches
	return func() {
		for name, v := range old {
			if delete(s.vars, name); v.Set {
				s.vars[name] = v
			}
		}
	}
}

func (s *script) arguments(words []*syntax.Word) []Argument {
	var args []Argument
	for _, word := range words {
		args = append(args, s.expand(word)...)
	}
	return args
}

// do follows a command with expanded arguments.
func (s *script) do(pos token.Position, args []Argument, redirs []*syntax.Redirect) {
	name := args[0].Text
	switch {
	case s.changeDir(args):
	case name == "shift":
		if s.branches == 0 {
			s.params = s.params[min(1, len(s.params)):]
		}
	case name == "set" && len(args) > 1 && args[1].Text == "--":
		s.params = known(args[2:])
	case name == "read" || name == "mapfile" || name == "readarray":
		s.read(args, redirs)
	case name == "eval" || name == "exec" && len(args) > 1 || name == "command" && len(args) > 1 && !strings.HasPrefix(args[1].Text, "-"):
		s.again(pos, args[1:], name == "eval", redirs)
	case name == "source" || name == ".":
		if len(args) > 1 {
			s.source(args[1], args[2:])
		}
	case s.funcs[name].body != nil && !s.config.Surroundings.Opaque(name):
		s.callFunction(name, args[1:])
	case s.out != nil:
		s.print(args, "")
	case s.callScript(args):
	default:
		s.config.Handle(Command{Pos: pos, Args: args, Dir: s.dir})
	}
}

// again follows the words of eval, exec and command.
func (s *script) again(pos token.Position, args []Argument, parse bool, redirs []*syntax.Redirect) {
	if !parse {
		s.do(pos, args, redirs)
		return
	}
	var words []string
	for _, arg := range args {
		words = append(words, arg.Text)
	}
	s.text(pos, strings.Join(words, " "))
}

// text follows a text that is a script, such as the argument of eval. Syntax errors in it are ignored.
func (s *script) text(pos token.Position, text string) {
	if !s.deeper() {
		return
	}
	defer func(firstLine int) {
		s.firstLine = firstLine
		s.files = s.files[:len(s.files)-1]
	}(s.firstLine)
	s.files = append(s.files, s.file)
	s.firstLine = pos.Line - 1
	if parsed, err := s.parse([]byte(text)); err == nil {
		s.stmts(parsed.Stmts)
	}
}

// changeDir follows cd, pushd and popd.
func (s *script) changeDir(args []Argument) bool {
	switch args[0].Text {
	case "pushd":
		s.dirs = append(s.dirs, s.dir)
		s.cd(args[1:])
	case "cd":
		s.cd(args[1:])
	case "popd":
		if len(s.dirs) > 0 {
			s.dir, s.dirs = s.dirs[len(s.dirs)-1], s.dirs[:len(s.dirs)-1]
		}
	default:
		return false
	}
	return true
}

// cd changes the working directory if the new one is known.
func (s *script) cd(args []Argument) {
	args = slices.DeleteFunc(slices.Clone(args), func(a Argument) bool { return a.Text == "--" || a.Text == "-P" || a.Text == "-L" })
	switch {
	case len(args) == 0 || args[0].Unknown != "":
	case args[0].Text == "-":
		s.dir, s.oldDir = s.oldDir, s.dir
	default:
		s.dir, s.oldDir = s.absolute(args[0].Text), s.dir
	}
}

// known returns the arguments before the first unknown one.
func known(args []Argument) []string {
	words := []string{}
	for _, arg := range args {
		if arg.Unknown != "" {
			break
		}
		words = append(words, arg.Text)
	}
	return words
}

func (s *script) callFunction(name string, args []Argument) {
	if slices.Contains(s.active, name) {
		return
	}
	if len(s.active) >= budget.Functions {
		s.budget.GiveUp("%d nested function calls", budget.Functions)
		return
	}
	f := s.funcs[name]
	s.calls[name] = true
	s.active = append(s.active, name)
	params, file, locals := s.params, s.file, s.locals
	s.params, s.file, s.locals = nil, f.file, map[string]*expand.Variable{}
	if args != nil {
		s.params = known(args)
	}
	s.stmts([]*syntax.Stmt{f.body})
	for name, hidden := range s.locals {
		if delete(s.vars, name); hidden != nil {
			s.vars[name] = *hidden
		}
	}
	s.params, s.file, s.locals = params, file, locals
	s.active = s.active[:len(s.active)-1]
}
