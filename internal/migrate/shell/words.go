package shell

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/budget"
)

// expand returns the fields of a word. A word that cannot be expanded yields one field, with the reason.
func (s *script) expand(word *syntax.Word) []Argument {
	pos := s.at(word.Pos())
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
	err = s.guard(word, func() error {
		fields, err = expand.Fields(s.expansion(), word)
		return err
	})
	return fields, err
}

// literal expands a word without splitting it, as for the value of a variable; nil is the empty word.
func (s *script) literal(word *syntax.Word) (text string, err error) {
	if word == nil {
		return "", nil
	}
	err = s.guard(word, func() error {
		text, err = expand.Literal(s.expansion(), word)
		return err
	})
	return text, err
}

// guard expands a word, except where the library would be wrong: it mistakes an anchored replacement for an unanchored one, and
// an unknown array for an empty one.
func (s *script) guard(word *syntax.Word, expansion func() error) (err error) {
	syntax.Walk(word, func(node syntax.Node) bool {
		param, ok := node.(*syntax.ParamExp)
		switch {
		case !ok || err != nil:
			_, ok := node.(*syntax.CmdSubst)
			return !ok && err == nil // its content is expanded when it runs
		case param.Repl != nil && strings.IndexAny(source(param.Repl.Orig), "#%") == 0:
			err = fmt.Errorf("%s, which cannot be expanded here", source(word))
		case s.isUnknownArray(param):
			err = expand.UnsetParameterError{Node: param}
		}
		return param.Exp == nil && err == nil
	})
	if err != nil {
		return err
	}
	if err := s.afford(word); err != nil {
		return err
	}
	return expansion()
}

// isUnknownArray reports whether a parameter expands the elements of an unknown variable.
func (s *script) isUnknownArray(param *syntax.ParamExp) bool {
	index, ok := param.Index.(*syntax.Word)
	if !ok || param.Param == nil || index.Lit() != "@" && index.Lit() != "*" {
		return false
	}
	_, unknown := s.unknown[param.Param.Value]
	return unknown && !s.vars[param.Param.Value].Set
}

// affix recognizes "${array[@]/#/with}", the idiom for adding a prefix to each element.
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

// affixed expands a parameter without its replacement and adds the prefix to each field.
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

// expansion returns the configuration for expanding words, without running anything or reading directories.
func (s *script) expansion() *expand.Config {
	return &expand.Config{Env: s, NoUnset: true, CmdSubst: s.substitute, ProcSubst: func(p *syntax.ProcSubst) (string, error) {
		return "", fmt.Errorf("%s, which is only known at run time", source(p))
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

// maxReason is the length at which a reason stops naming further variables.
const maxReason = 1 << 10

// reason describes why an expansion failed.
func (s *script) reason(err error) string {
	var unset expand.UnsetParameterError
	if !errors.As(err, &unset) || unset.Node.Param == nil {
		return err.Error()
	}
	name := unset.Node.Param.Value
	if why, ok := s.unknown[name]; ok {
		if len(why) > maxReason || strings.Contains(why, "$"+name+" ") {
			return why
		}
		return fmt.Sprintf("$%s comes from %s", name, why)
	}
	return fmt.Sprintf("$%s is not set in the script", name)
}

// errConditional is the reason for unknown output that depends on more than strings.
var errConditional = errors.New("a condition, which is only known at run time")

// substitute implements $(…).
func (s *script) substitute(w io.Writer, c *syntax.CmdSubst) error {
	out, err := s.quietly(c.Stmts)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, out)
	return err
}

// capture returns the output of statements, or the reason why it is unknown.
func (s *script) capture(stmts []*syntax.Stmt) (string, error) {
	out, problem := s.out, s.problem
	s.out, s.problem = &strings.Builder{}, nil
	s.stmts(stmts)
	text, err := s.out.String(), s.problem
	s.out, s.problem = out, problem
	return text, err
}

// fail records the reason why the output is unknown. The first reason is kept.
func (s *script) fail(err error) {
	if s.problem == nil {
		s.problem = err
	}
}

// either follows && and || inside $(…). The second alternative counts if the first is unknown or prints nothing.
func (s *script) either(c *syntax.BinaryCmd) {
	if c.Op == syntax.AndStmt {
		s.stmts([]*syntax.Stmt{c.X})
		s.stmts([]*syntax.Stmt{c.Y})
		return
	}
	out, err := s.quietly([]*syntax.Stmt{c.X})
	if err == nil && out != "" {
		s.out.WriteString(out)
		return
	}
	if err == nil {
		out, err = s.quietly([]*syntax.Stmt{c.Y})
	}
	if err != nil {
		s.fail(err)
		return
	}
	s.out.WriteString(out)
}

// print appends to the output.
func (s *script) print(args []Argument, stdin string) {
	var words []string
	for _, arg := range args {
		if arg.Unknown != "" {
			s.fail(errors.New(arg.Unknown))
			return
		}
		words = append(words, arg.Text)
	}
	out, ok := s.builtin(words)
	if !ok {
		out, ok = s.config.Surroundings.Output(s.dir, words, stdin)
	}
	if !ok {
		s.fail(fmt.Errorf("%s, which is only known at run time", strings.Join(words, " ")))
		return
	}
	if s.out.Len()+len(out) > budget.Value || !s.budget.Make(len(out)) {
		s.fail(budget.ErrTooLong)
		return
	}
	s.out.WriteString(out)
}

// builtin returns the output of a command about the state of the shell, or of one without output.
func (s *script) builtin(words []string) (out string, ok bool) {
	switch words[0] {
	case "pwd":
		return s.dir + "\n", true
	case "set", "unset", "true", ":", "export", "shopt", "return", "exit", "trap":
		return "", true
	}
	return "", false
}
