package shell

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// expand returns the fields that a word makes. A word that cannot be expanded makes one field, with the reason.
func (s *script) expand(word *syntax.Word) []Argument {
	pos := s.pos(word)
	fields, err := s.fields(word)
	if err != nil {
		return []Argument{{Pos: pos, Text: source(word), Unknown: s.reason(err)}}
	}
	args := make([]Argument, len(fields))
	for i, field := range fields {
		args[i] = Argument{Pos: pos, Text: field}
	}
	return args
}

// fields expands a word into its fields.
func (s *script) fields(word *syntax.Word) (fields []string, err error) {
	if param, with := affix(word); param != nil {
		return s.affixed(param, with)
	}
	err = guard(word, func() error {
		fields, err = expand.Fields(s.expansion(), word)
		return err
	})
	return fields, err
}

// literal expands a word that is not split, as the value of a variable; nil is the empty word.
func (s *script) literal(word *syntax.Word) (text string, err error) {
	if word == nil {
		return "", nil
	}
	err = guard(word, func() error {
		text, err = expand.Literal(s.expansion(), word)
		return err
	})
	return text, err
}

// guard expands a word, unless it holds an anchored replacement, which the library takes for another.
func guard(word *syntax.Word, expansion func() error) error {
	anchored := false
	syntax.Walk(word, func(node syntax.Node) bool {
		if param, ok := node.(*syntax.ParamExp); ok && param.Repl != nil {
			anchored = anchored || strings.IndexAny(source(param.Repl.Orig), "#%") == 0
		}
		return true
	})
	if anchored {
		return fmt.Errorf("%s, which cannot be expanded here", source(word))
	}
	return expansion()
}

// affix recognises "${array[@]/#/with}", which is how scripts put a prefix before each element.
func affix(word *syntax.Word) (*syntax.ParamExp, *syntax.Word) {
	if len(word.Parts) != 1 {
		return nil, nil
	}
	quoted, ok := word.Parts[0].(*syntax.DblQuoted)
	if !ok || len(quoted.Parts) != 1 {
		return nil, nil
	}
	param, ok := quoted.Parts[0].(*syntax.ParamExp)
	if !ok || param.Repl == nil || param.Repl.Orig == nil || source(param.Repl.Orig) != "#" {
		return nil, nil
	}
	return param, param.Repl.With
}

// affixed expands a parameter without its replacement, and puts the prefix before each field.
func (s *script) affixed(param *syntax.ParamExp, with *syntax.Word) ([]string, error) {
	prefix, err := s.literal(with)
	if err != nil {
		return nil, err
	}
	bare := *param
	bare.Repl = nil
	fields, err := s.fields(&syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{&bare}}}})
	for i := range fields {
		fields[i] = prefix + fields[i]
	}
	return fields, err
}

// expansion returns how words are expanded: without running anything and without reading directories.
func (s *script) expansion() *expand.Config {
	return &expand.Config{Env: s, NoUnset: true, CmdSubst: s.substitute, ProcSubst: func(p *syntax.ProcSubst) (string, error) {
		return "", fmt.Errorf("%s, which only a run can tell", source(p))
	}}
}

// source returns a node as text.
func source(node syntax.Node) string {
	var b strings.Builder
	if err := syntax.NewPrinter(syntax.SingleLine(true)).Print(&b, node); err != nil {
		return "?"
	}
	return b.String()
}

// reason says in words why an expansion failed.
func (s *script) reason(err error) string {
	var unset expand.UnsetParameterError
	if !errors.As(err, &unset) || unset.Node.Param == nil {
		return err.Error()
	}
	name := unset.Node.Param.Value
	if why, ok := s.unknown[name]; ok {
		if strings.Contains(why, "$"+name+" ") {
			return why
		}
		return fmt.Sprintf("$%s comes from %s", name, why)
	}
	return fmt.Sprintf("$%s is not set in the script", name)
}

// substitute implements the command substitutions that scripts use to find their way about; $(…) of anything else is not
// known.
func (s *script) substitute(w io.Writer, c *syntax.CmdSubst) error {
	defer func(dir string, vars map[string]expand.Variable) { s.dir, s.vars = dir, vars }(s.dir, s.vars)
	s.vars = maps.Clone(s.vars)
	for _, stmt := range c.Stmts {
		if err := s.output(w, stmt); err != nil {
			return err
		}
	}
	return nil
}

// output writes what a statement prints, if that is known.
func (s *script) output(w io.Writer, stmt *syntax.Stmt) error {
	unknown := fmt.Errorf("%s, which only a run can tell", source(stmt))
	switch c := stmt.Cmd.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.AndStmt {
			if err := s.output(w, c.X); err != nil {
				return err
			}
			return s.output(w, c.Y)
		}
	case *syntax.CallExpr:
		s.assign(c.Assigns)
		var words []string
		for _, word := range c.Args {
			for _, field := range s.expand(word) {
				if field.Unknown != "" {
					return errors.New(field.Unknown)
				}
				words = append(words, field.Text)
			}
		}
		text, ok := s.builtin(words)
		if !ok {
			return unknown
		}
		_, err := io.WriteString(w, text)
		return err
	}
	return unknown
}

// builtin returns the output of a command that is about paths and has no effects.
func (s *script) builtin(words []string) (out string, ok bool) {
	var args []string
	for _, word := range words[min(len(words), 1):] {
		if !strings.HasPrefix(word, "-") {
			args = append(args, word)
		}
	}
	switch line := strings.Join(words, " "); {
	case len(words) == 0:
		return "", true
	case line == "git rev-parse --show-toplevel":
		return s.config.Toplevel(s.dir), true
	case line == "go list -m":
		return s.config.Module, true
	case words[0] == "pwd":
		return s.dir, true
	case words[0] == "echo":
		return strings.Join(words[1:], " "), true
	case len(args) != 1:
		return "", false
	case words[0] == "cd":
		s.dir = s.absolute(args[0])
		return "", true
	case words[0] == "dirname":
		return filepath.Dir(args[0]), true
	case words[0] == "basename":
		return filepath.Base(args[0]), true
	case words[0] == "realpath" || words[0] == "readlink" && len(words) == 3:
		return s.absolute(args[0]), true
	}
	return "", false
}
