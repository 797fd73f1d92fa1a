package shell

import (
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/budget"
)

// source follows a file in the current shell.
func (s *script) source(name Argument, args []Argument) {
	if name.Unknown != "" {
		return
	}
	params := s.params
	if len(args) > 0 {
		s.params = known(args)
	}
	s.follow(s.absolute(name.Text))
	s.params = params
}

// callScript follows a script in a separate shell, with or without naming the shell, and the text of -c.
func (s *script) callScript(args []Argument) bool {
	name, words := filepath.Base(args[0].Text), args
	if name == "bash" || name == "sh" {
		for words = words[1:]; len(words) > 0 && strings.HasPrefix(words[0].Text, "-"); words = words[1:] {
			if !strings.HasPrefix(words[0].Text, "--") && strings.HasSuffix(words[0].Text, "c") && len(words) > 1 {
				s.inner(words[1], words[2:])
				return true
			}
		}
	}
	if len(words) == 0 || words[0].Unknown != "" || !strings.Contains(words[0].Text, "/") && !strings.HasSuffix(words[0].Text, ".sh") {
		return false
	}
	file := s.absolute(words[0].Text)
	if _, ok := s.config.Surroundings.Script(file); !ok {
		return false
	}
	defer s.restore(s.save())
	defer func(name string, funcs map[string]function, locals map[string]*expand.Variable, branches int) {
		s.name, s.funcs, s.locals, s.branches = name, funcs, locals, branches
	}(s.name, s.funcs, s.locals, s.branches)
	s.name, s.funcs, s.locals, s.branches, s.params = file, map[string]function{}, nil, 0, known(words[1:])
	return s.follow(file)
}

// inner follows the text of -c.
func (s *script) inner(body Argument, args []Argument) {
	defer s.restore(s.save())
	if len(args) > 1 {
		s.params = known(args[1:])
	}
	s.text(body.Pos, body.Script())
}

// follow follows a file unless it is already being followed. It ignores files with syntax errors.
func (s *script) follow(name string) bool {
	if slices.Contains(s.files, name) || s.file == name || !s.deeper() {
		return false
	}
	content, ok := s.config.Surroundings.Script(name)
	if !ok {
		return false
	}
	file, firstLine := s.file, s.firstLine
	s.files = append(s.files, file)
	s.file, s.firstLine = name, 0
	defer func() {
		s.file, s.firstLine = file, firstLine
		s.files = s.files[:len(s.files)-1]
	}()
	parsed, err := s.parse(content)
	if err != nil {
		return false
	}
	s.stmts(parsed.Stmts)
	return true
}

// deeper reports whether the nesting limit allows another script within the current one.
func (s *script) deeper() bool {
	if len(s.files) >= budget.Files {
		s.budget.GiveUp("%d nested scripts", budget.Files)
	}
	return s.budget.Err() == nil
}

// quietly returns the output of statements and undoes their effects.
func (s *script) quietly(stmts []*syntax.Stmt) (string, error) {
	defer s.restore(s.save())
	return s.capture(stmts)
}
