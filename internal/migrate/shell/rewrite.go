package shell

import (
	"bytes"
	"errors"
	"go/token"
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// source is a text that is followed, as part of a file.
type source struct {
	name      string
	firstLine int
	// main is true for the script itself, lines if each line runs in a separate shell.
	main, lines bool
	// text has empty lines before it, as many as the texts before it have: base.
	text []byte
	base int
}

// rewriter rewrites the syntax tree of a text for the interpreter.
type rewriter struct {
	source
	s          *script
	depth      int
	inFunction bool
	// before are the statements that prepare the current one.
	before []*syntax.Stmt
}

// parse parses and rewrites a text.
func (s *script) parse(text []byte, from source) ([]*syntax.Stmt, error) {
	s.limits.At(token.Position{Filename: from.name, Line: from.firstLine + 1})
	from.base = s.lines
	s.lines += bytes.Count(text, []byte("\n")) + 1
	switch {
	case len(text) > MaxFile:
		s.limits.Exceeded("%d KiB of script", MaxFile>>10)
	case s.lines > maxLines:
		s.limits.Exceeded("%d lines", maxLines)
	case s.limits.Text(len(text)):
		from.text = slices.Concat(bytes.Repeat([]byte("\n"), from.base), text)
	}
	if s.limits.Err() != nil {
		return nil, s.limits.Err()
	}
	s.sources = append(s.sources, from)
	parsed, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(bytes.NewReader(from.text), from.name)
	if bad, ok := errors.AsType[syntax.ParseError](err); ok {
		var diags diag.List
		diags.Add(s.at(bad.Pos), "%s", bad.Text)
		return nil, diags
	}
	if err != nil {
		return nil, err
	}
	r := &rewriter{s: s, source: from}
	var shells []*syntax.Stmt
	for i, stmt := range parsed.Stmts {
		if i == 0 || stmt.Pos().Line() > parsed.Stmts[i-1].End().Line() {
			shells = append(shells, &syntax.Stmt{Cmd: &syntax.Subshell{}})
		}
		shell := shells[len(shells)-1].Cmd.(*syntax.Subshell)
		shell.Stmts = append(shell.Stmts, stmt)
	}
	r.stmts(parsed.Stmts)
	if from.lines {
		return shells, s.limits.Err()
	}
	return parsed.Stmts, s.limits.Err()
}

// at returns a position in its file.
func (s *script) at(pos syntax.Pos) token.Position {
	line := int(pos.Line())
	for _, from := range slices.Backward(s.sources) {
		if line > from.base {
			return token.Position{Filename: from.name, Line: line - from.base + from.firstLine, Column: int(pos.Col())}
		}
	}
	return token.Position{Filename: s.config.Name}
}

// text returns the source of a node.
func (r *rewriter) text(node syntax.Node) string {
	from, to := node.Pos().Offset(), node.End().Offset()
	if from >= to || to > uint(len(r.source.text)) {
		return "?"
	}
	return string(r.source.text[from:to])
}

// deeper reports whether syntax trees may be nested deeper.
func (r *rewriter) deeper(pos syntax.Pos) bool {
	if r.depth >= maxNested {
		r.s.limits.At(r.s.at(pos))
		r.s.limits.Exceeded("%d nested commands or operators", maxNested)
		return false
	}
	r.depth++
	return true
}

// Names of commands and variables that scripts do not have.
const (
	specialName  = "\uE002"
	externalName = "\uE003"
	inputName    = "_input"
)

// special returns a command that calls f.
func (r *rewriter) special(f func(running) error, args ...*syntax.Word) *syntax.Stmt {
	r.s.specials = append(r.s.specials, f)
	name := word(specialName + strconv.Itoa(len(r.s.specials)-1))
	return &syntax.Stmt{Cmd: &syntax.CallExpr{Args: slices.Concat([]*syntax.Word{name}, args)}}
}

// command returns a command with constant arguments.
func command(args ...string) *syntax.Stmt {
	call := &syntax.CallExpr{}
	for _, arg := range args {
		call.Args = append(call.Args, word(arg))
	}
	return &syntax.Stmt{Cmd: call}
}

// cat returns a command that prints a file.
func cat(name *syntax.Word) *syntax.Stmt {
	return &syntax.Stmt{Cmd: &syntax.CallExpr{Args: []*syntax.Word{{Parts: []syntax.WordPart{&syntax.Lit{Value: "cat"}}}, name}}}
}

func assign(name string, value *syntax.Word) *syntax.Stmt {
	return &syntax.Stmt{Cmd: &syntax.CallExpr{Assigns: []*syntax.Assign{{Name: &syntax.Lit{Value: name}, Value: value}}}}
}

func block(stmts ...*syntax.Stmt) syntax.Command { return &syntax.Block{Stmts: stmts} }

func (r *rewriter) stmts(stmts []*syntax.Stmt) {
	for _, stmt := range stmts {
		r.stmt(stmt, false)
	}
}

// stmt rewrites a statement. hasInput is true if it reads from a pipe.
func (r *rewriter) stmt(stmt *syntax.Stmt, hasInput bool) {
	if !r.deeper(stmt.Pos()) {
		return
	}
	before := r.before
	r.before = nil
	// One after the other, so that results are always the same.
	stmt.Background, stmt.Coprocess, stmt.Disown = false, false, false
	input := r.redirections(stmt)
	isInput := func(redir *syntax.Redirect) bool { return redir.Op != syntax.DplOut }
	if !hasInput && input == nil && !slices.ContainsFunc(stmt.Redirs, isInput) && reads(stmt.Cmd) {
		input = []*syntax.Stmt{command("echo", r.s.mark("the input of read", "read, whose input is unknown"))}
	}
	stmt.Cmd = r.command(stmt.Cmd)
	if len(r.before) > 0 {
		stmt.Cmd = block(append(r.before, &syntax.Stmt{Cmd: stmt.Cmd})...)
	}
	if input != nil {
		feed(stmt, input)
	}
	r.before = before
	r.depth--
}

// redirections rewrites the redirections of a statement. What goes to files is dropped, and what comes from a file or a process is
// returned as statements that print it.
func (r *rewriter) redirections(stmt *syntax.Stmt) (input []*syntax.Stmt) {
	var kept []*syntax.Redirect
	for _, redir := range stmt.Redirs {
		toStdout := redir.N == nil || redir.N.Value == "1"
		redir.N = nil
		switch redir.Op {
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			r.words(redir.Hdoc, redir.Word)
			kept = append(kept, redir)
		case syntax.RdrIn:
			if process, ok := redir.Word.Parts[0].(*syntax.ProcSubst); ok {
				input = process.Stmts
			} else {
				input = []*syntax.Stmt{cat(redir.Word)}
			}
			r.stmts(input)
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.DplOut:
			if toStdout && (redir.Op != syntax.DplOut || redir.Word.Lit() == "2") {
				kept = append(kept, &syntax.Redirect{Op: syntax.DplOut, Word: word("2")})
			}
		default: // dropped
		}
	}
	stmt.Redirs = kept
	return input
}

// feed passes the output of statements, which run first, to the standard input of another: _input=$(…); … <<<"$_input", but without
// the line that a here string has even for an empty text.
func feed(stmt *syntax.Stmt, input []*syntax.Stmt) {
	value := func(exp *syntax.Expansion) *syntax.ParamExp {
		return &syntax.ParamExp{Param: &syntax.Lit{Value: inputName}, Exp: exp}
	}
	lines := &syntax.Word{Parts: []syntax.WordPart{value(nil), &syntax.Lit{Value: "\n"}}}
	text := &syntax.Word{Parts: []syntax.WordPart{value(&syntax.Expansion{Op: syntax.AlternateUnsetOrNull, Word: lines})}}
	inner := *stmt
	inner.Redirs = append(inner.Redirs, &syntax.Redirect{Op: syntax.Hdoc, Word: word("_"), Hdoc: text})
	output := &syntax.Word{Parts: []syntax.WordPart{&syntax.CmdSubst{Stmts: input}}}
	*stmt = syntax.Stmt{Position: stmt.Position, Cmd: block(assign(inputName, output), &inner)}
}

// reads reports whether a command reads standard input itself.
func reads(cmd syntax.Command) bool {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		return len(c.Args) > 0 && slices.Contains([]string{"read", "mapfile", "readarray"}, c.Args[0].Lit())
	case *syntax.WhileClause:
		return readCondition(c) != nil
	}
	return false
}

// assigns rewrites assignments. Those to elements that cannot be told apart are dropped, as are attributes other than the kind of
// a variable.
func (r *rewriter) assigns(assigns []*syntax.Assign) []*syntax.Assign {
	return slices.DeleteFunc(assigns, func(a *syntax.Assign) bool {
		r.words(a.Value)
		if a.Array != nil {
			a.Array.Elems = slices.DeleteFunc(a.Array.Elems, func(e *syntax.ArrayElem) bool {
				r.words(e.Value)
				return e.Value == nil || !isConstant(e.Index)
			})
		}
		return !isConstant(a.Index) || a.Name == nil && !slices.Contains([]string{"-A", "-a", "-g", "-n"}, a.Value.Lit())
	})
}

// assignment rewrites a command that assigns: the values before and after it are compared.
func (r *rewriter) assignment(cmd syntax.Command, assigns []*syntax.Assign, local bool) syntax.Command {
	all := []*syntax.Stmt{{Cmd: cmd}}
	for _, a := range assigns {
		if a.Name == nil || a.Naked {
			continue
		}
		name, pos := a.Name.Value, r.s.at(a.Pos())
		push := r.special(func(c running) error {
			r.s.old = append(r.s.old, c.Env.Get(name))
			return nil
		})
		all = slices.Concat([]*syntax.Stmt{push}, all, []*syntax.Stmt{r.special(func(c running) error {
			old := r.s.old[len(r.s.old)-1]
			r.s.old = r.s.old[:len(r.s.old)-1]
			r.s.limits.At(pos)
			if a.Append || local {
				old.Kind = 0
			}
			return r.s.assigned(c, name, old)
		})})
	}
	return block(all...)
}
