package shell

import (
	"go/token"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// word returns a word for a text.
func word(text string) *syntax.Word {
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.SglQuoted{Value: text}}}
}

// command returns a command with constant arguments.
func command(args ...string) *syntax.Stmt {
	return &syntax.Stmt{Cmd: &syntax.CallExpr{Args: lists.Map(args, word)}}
}

// special returns a command of this package.
func special(name string, args ...*syntax.Word) *syntax.Stmt {
	return &syntax.Stmt{Cmd: &syntax.CallExpr{Args: slices.Concat([]*syntax.Word{word(specialName + name)}, args)}}
}

// cat returns a command that prints a file.
func cat(name *syntax.Word) *syntax.Stmt {
	cat := &syntax.Lit{ValuePos: name.Pos(), Value: "cat"}
	return &syntax.Stmt{Cmd: &syntax.CallExpr{Args: []*syntax.Word{{Parts: []syntax.WordPart{cat}}, name}}}
}

func assign(name string, value *syntax.Word) *syntax.Stmt {
	return &syntax.Stmt{Cmd: &syntax.CallExpr{Assigns: []*syntax.Assign{{Name: &syntax.Lit{Value: name}, Value: value}}}}
}

func block(stmts ...*syntax.Stmt) syntax.Command { return &syntax.Block{Stmts: stmts} }

// either returns a command that runs one of two lists of statements.
func either(cond *syntax.Stmt, then, otherwise []*syntax.Stmt) *syntax.Stmt {
	return &syntax.Stmt{Cmd: &syntax.IfClause{Cond: []*syntax.Stmt{cond}, Then: then, Else: &syntax.IfClause{Then: otherwise}}}
}

// within returns statements with a name on the stack: of a function or a file.
func within(name string, stmts []*syntax.Stmt) []*syntax.Stmt {
	return slices.Concat([]*syntax.Stmt{special("enter", word(name))}, stmts, []*syntax.Stmt{special("leave")})
}

// perhaps follows the statements of a loop, which may run.
func perhaps(stmts ...*syntax.Stmt) *syntax.Stmt {
	enter, end := []*syntax.Stmt{special("enter", word(repeated))}, []*syntax.Stmt{special("end", word(""))}
	return &syntax.Stmt{Cmd: block(slices.Concat(enter, stmts, end)...)}
}

// input rewrites where a statement reads from. The sides of a pipe run one after the other.
func (r *rewriter) input(stmt *syntax.Stmt) {
	input, to := r.redirections(stmt)
	if pipe, ok := stmt.Cmd.(*syntax.BinaryCmd); ok && (pipe.Op == syntax.Pipe || pipe.Op == syntax.PipeAll) {
		from, last := r.redirections(pipe.Y)
		if to == nil {
			to = last
		}
		r.feed(pipe.Y, append([]*syntax.Stmt{pipe.X}, from...))
		stmt.Cmd = block(pipe.Y)
	}
	if input == nil && reads(stmt.Cmd) {
		input = []*syntax.Stmt{command("echo", r.s.mark("the input of read", "read, whose input is unknown"))}
	}
	if input != nil {
		r.feed(stmt, input)
	}
	if to != nil {
		inner := *stmt
		r.fed[&inner] = true
		*stmt = syntax.Stmt{Position: stmt.Position, Cmd: block(special("written", append(to, operands(&inner)...)...), &inner)}
	}
}

// operands returns the arguments of the commands in a statement, except for arguments that run other commands.
func operands(stmt *syntax.Stmt) (words []*syntax.Word) {
	syntax.Walk(stmt, func(node syntax.Node) bool {
		call, ok := node.(*syntax.CallExpr)
		for i := 1; ok && i < len(call.Args); i++ {
			runs := false
			syntax.Walk(call.Args[i], func(node syntax.Node) bool {
				switch node.(type) {
				case *syntax.CmdSubst, *syntax.ProcSubst:
					runs = true
				}
				return true
			})
			if !runs {
				words = append(words, call.Args[i])
			}
		}
		return true
	})
	return words
}

// redirections rewrites the redirections of a statement. What goes to files is dropped, and what comes from a file, a process or
// the script is returned as statements that print it. The last words are the operator and the file that the output goes to, if any.
func (r *rewriter) redirections(stmt *syntax.Stmt) (input []*syntax.Stmt, to []*syntax.Word) {
	redirs := stmt.Redirs
	stmt.Redirs = nil
	for _, redir := range redirs {
		toStdout := redir.N == nil || redir.N.Value == "1"
		redir.N = nil
		switch redir.Op {
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			input = []*syntax.Stmt{special("input")}
			input[0].Redirs, r.fed[input[0]] = []*syntax.Redirect{redir}, true
		case syntax.RdrIn:
			if process, ok := redir.Word.Parts[0].(*syntax.ProcSubst); ok {
				input = process.Stmts
			} else {
				input = []*syntax.Stmt{cat(redir.Word)}
			}
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.DplOut:
			if toStdout && (redir.Op != syntax.DplOut || redir.Word.Lit() == "2") {
				stmt.Redirs = []*syntax.Redirect{{Op: syntax.DplOut, Word: word("2")}}
			}
			if toStdout && redir.Op != syntax.DplOut {
				to = []*syntax.Word{word(redir.Op.String()), quoted(redir.Word)}
			}
		default: // dropped
		}
	}
	return input, to
}

// feed passes the output of statements, which run first, to the standard input of another: _input=$(…); … <<<"$_input", but without
// the line that a here string has even for an empty text.
func (r *rewriter) feed(stmt *syntax.Stmt, input []*syntax.Stmt) {
	value := func(exp *syntax.Expansion) *syntax.ParamExp {
		return &syntax.ParamExp{Param: &syntax.Lit{Value: inputName}, Exp: exp}
	}
	lines := &syntax.Word{Parts: []syntax.WordPart{value(nil), &syntax.Lit{Value: "\n"}}}
	text := &syntax.Word{Parts: []syntax.WordPart{value(&syntax.Expansion{Op: syntax.AlternateUnsetOrNull, Word: lines})}}
	inner := *stmt
	inner.Redirs = append(inner.Redirs, &syntax.Redirect{Op: syntax.Hdoc, Word: word("_"), Hdoc: text})
	output := &syntax.Word{Parts: []syntax.WordPart{&syntax.CmdSubst{Stmts: input}}}
	r.fed[&inner] = true
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

// command rewrites a command, whose parts are rewritten already.
func (r *rewriter) command(cmd syntax.Command) syntax.Command {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		return r.simple(c)
	case *syntax.DeclClause:
		return declaration(c)
	case *syntax.TimeClause:
		if c.Stmt == nil {
			return block()
		}
		return block(c.Stmt)
	case *syntax.CoprocClause:
		return block(c.Stmt)
	case *syntax.FuncDecl: // it is not followed within itself
		if r.from.main {
			r.s.functions = append(r.s.functions, c.Name.Value)
		}
		c.Body = &syntax.Stmt{Cmd: block(within(c.Name.Value, []*syntax.Stmt{c.Body})...)}
	case *syntax.BinaryCmd:
		return alternatives(c)
	case *syntax.IfClause:
		return choice(c)
	case *syntax.CaseClause:
		return selection(c)
	case *syntax.TestClause:
		return test(c)
	case *syntax.WhileClause: // only a loop that reads lines is followed more than once
		if !r.fed[c.Cond[0]] {
			return block(append(c.Cond, perhaps(c.Do...))...)
		}
	case *syntax.ForClause:
		words, ok := c.Loop.(*syntax.WordIter)
		if !ok {
			return block(perhaps(c.Do...))
		}
		c.Select = false
		c.Do = slices.Concat([]*syntax.Stmt{special("assigned", word(words.Name.Value))}, c.Do)
	case nil, *syntax.Block, *syntax.Subshell:
	default: // arithmetic has no other effect
		return special("test").Cmd
	}
	return cmd
}

// simple rewrites a simple command. The commands of this package stay unchanged.
func (r *rewriter) simple(c *syntax.CallExpr) syntax.Command {
	if len(c.Args) == 0 {
		return block(lists.Map(c.Assigns, r.assignment)...)
	}
	if !c.Pos().IsValid() {
		return c
	}
	name, array := c.Args[0].Lit(), c.Args[len(c.Args)-1].Lit()
	cmd := r.s.numbered(c, r.from.at(c.Pos()))
	if (name == "mapfile" || name == "readarray") && syntax.ValidName(array) {
		return block(&syntax.Stmt{Cmd: cmd}, special("assigned", word(array)))
	}
	return cmd
}

// numbered puts a number before the name of a command, and statements that it turns out to run after it.
func (s *script) numbered(c *syntax.CallExpr, pos token.Position) syntax.Command {
	now := &call{pos: pos, assigns: c.Assigns, late: &syntax.Block{}}
	c.Args = slices.Concat([]*syntax.Word{word(callName + strconv.Itoa(len(s.calls)))}, c.Args)
	s.calls = append(s.calls, now)
	return &syntax.BinaryCmd{Op: syntax.AndStmt, X: &syntax.Stmt{Cmd: c}, Y: &syntax.Stmt{Cmd: now.late}}
}

// assignment rewrites an assignment. A condition does not change a known value.
func (r *rewriter) assignment(a *syntax.Assign) *syntax.Stmt {
	at := func(stmt *syntax.Stmt) *syntax.Stmt {
		if c, ok := stmt.Cmd.(*syntax.CallExpr); ok && a.Pos().IsValid() {
			stmt.Cmd = r.s.numbered(c, r.from.at(a.Pos()))
		}
		return stmt
	}
	name := word(a.Name.Value)
	set := []*syntax.Stmt{{Cmd: &syntax.CallExpr{Assigns: []*syntax.Assign{a}}}, at(special("assigned", name))}
	if a.Append || a.Index != nil || a.Name.Value == inputName {
		return &syntax.Stmt{Cmd: block(set...)}
	}
	return either(at(special("keep", name, word(r.text(a)))), nil, set)
}

// declaration rewrites declare, local, export and readonly, without attributes other than the kind of a variable.
func declaration(c *syntax.DeclClause) syntax.Command {
	c.Args = slices.DeleteFunc(c.Args, func(a *syntax.Assign) bool {
		return a.Name == nil && !slices.Contains([]string{"-A", "-a", "-g", "-n"}, a.Value.Lit())
	})
	if c.Variant.Value == "readonly" {
		c.Variant.Value = "export"
	}
	all := []*syntax.Stmt{{Cmd: c}}
	for _, a := range c.Args {
		if a.Name != nil && !a.Naked {
			all = append(all, special("assigned", word(a.Name.Value)))
		}
	}
	return block(all...)
}

// readCondition returns the read of while read …; do, also of while read … || [ -n … ]; do.
func readCondition(c *syntax.WhileClause) *syntax.Stmt {
	if len(c.Cond) != 1 || c.Until {
		return nil
	}
	read := c.Cond[0]
	if or, ok := read.Cmd.(*syntax.BinaryCmd); ok && or.Op == syntax.OrStmt {
		read = or.X
	}
	if call, ok := read.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == "read" && !read.Negated {
		return read
	}
	return nil
}

// xargs calls a command once for each word of its input, or for as many as a command may have, after the current command.
func (s *script) xargs(c running) bool {
	args, one, placeholder := c.args[1:], false, ""
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		flag, value := args[0][:2], args[0][2:]
		args = args[1:]
		if value == "" && slices.Contains([]string{"-n", "-I", "-L", "-P", "-d"}, flag) && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		if flag == "-I" {
			placeholder = value
		}
		one = one || flag == "-I" || value == "1" && (flag == "-n" || flag == "-L")
	}
	if len(args) == 0 {
		args = []string{"echo"}
	}
	groups, size := [][]string{nil}, 0
	if one {
		groups = nil
	}
	for word := range strings.FieldsSeq(c.input()) {
		if size += len(word) + 1; one || size > MaxValue/2 {
			groups, size = append(groups, nil), len(word)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], word)
	}
	late := s.current.late
	for _, group := range groups {
		words := slices.Concat(args, group)
		if placeholder != "" {
			words = slices.Clone(args)
			for i := range words {
				words[i] = strings.ReplaceAll(words[i], placeholder, group[0])
			}
		}
		c := command(words...).Cmd.(*syntax.CallExpr)
		late.Stmts = append(late.Stmts, &syntax.Stmt{Cmd: s.numbered(c, s.current.pos)})
	}
	return true
}
