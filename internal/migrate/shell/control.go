package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// command rewrites a command.
func (r *rewriter) command(cmd syntax.Command) syntax.Command {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		return r.simple(c)
	case *syntax.DeclClause:
		local := c.Variant.Value == "local" && r.inFunction
		if c.Variant.Value == "readonly" || c.Variant.Value == "local" && !local {
			c.Variant.Value = "export"
		}
		c.Args = r.assigns(c.Args)
		return r.assignment(c, c.Args, local || c.Variant.Value == "declare")
	case *syntax.Block:
		r.stmts(c.Stmts)
	case *syntax.Subshell:
		r.stmts(c.Stmts)
	case *syntax.TimeClause:
		return r.only(c.Stmt)
	case *syntax.CoprocClause:
		return r.only(c.Stmt)
	case *syntax.FuncDecl:
		return r.function(c)
	case *syntax.BinaryCmd:
		return r.binary(c)
	case *syntax.IfClause:
		return r.choice(c)
	case *syntax.CaseClause:
		var all []*syntax.Stmt
		for _, item := range c.Items {
			r.stmts(item.Stmts)
			all = append(all, item.Stmts...)
		}
		return r.perhaps(all)
	case *syntax.WhileClause:
		if read := readCondition(c); read != nil { // only a loop that reads lines is followed more than once
			c.Cond = []*syntax.Stmt{read}
			r.stmt(read, true)
			r.stmts(c.Do)
			return c
		}
		r.stmts(c.Cond)
		r.stmts(c.Do)
		return block(append(c.Cond, &syntax.Stmt{Cmd: r.perhaps(c.Do)})...)
	case *syntax.ForClause:
		r.stmts(c.Do)
		words, ok := c.Loop.(*syntax.WordIter)
		if !ok {
			return r.perhaps(c.Do)
		}
		r.words(words.Items...)
		c.Select = false
		name := words.Name.Value
		check := r.special(func(c running) error { return r.s.assigned(c, name, expand.Variable{}) })
		c.Do = slices.Concat([]*syntax.Stmt{check}, c.Do)
	case nil:
		return nil
	default: // tests and arithmetic have no effect on their own
		return block()
	}
	return cmd
}

// only rewrites a command that consists of a statement.
func (r *rewriter) only(stmt *syntax.Stmt) syntax.Command {
	if stmt == nil {
		return block()
	}
	r.stmt(stmt, false)
	return block(stmt)
}

// simple rewrites a simple command. What source and eval follow is put next to them when they run.
func (r *rewriter) simple(c *syntax.CallExpr) syntax.Command {
	if strings.Count(r.text(c), "$") > maxExpansions {
		r.s.limits.At(r.s.at(c.Pos()))
		r.s.limits.Exceeded("%d expansions in a command", maxExpansions)
	}
	c.Assigns = r.assigns(c.Assigns)
	if len(c.Args) == 0 {
		return r.assignment(c, c.Assigns, false)
	}
	words := c.Args
	for len(words) > 1 && (words[0].Lit() == "command" || words[0].Lit() == "builtin") {
		words = words[1:]
	}
	name := words[0].Lit()
	r.words(c.Args...)
	if name != "source" && name != "." && name != "eval" {
		return c
	}
	late := &syntax.Block{}
	pos := r.s.at(c.Pos())
	load := r.special(func(c running) error { return r.s.load(c, pos, name == "eval", late) }, words[1:]...)
	return block(load, &syntax.Stmt{Cmd: late})
}

// function rewrites a function so that it is not followed within itself.
func (r *rewriter) function(c *syntax.FuncDecl) syntax.Command {
	if c.Name == nil {
		return r.only(c.Body)
	}
	name := c.Name.Value
	if r.main {
		r.s.functions = append(r.s.functions, name)
	}
	defer func(inFunction bool) { r.inFunction = inFunction }(r.inFunction)
	r.inFunction = true
	r.stmt(c.Body, false)
	enter := r.special(func(running) error {
		if r.s.active = append(r.s.active, name); len(r.s.active) > maxFunctions {
			r.s.limits.Exceeded("%d nested function calls", maxFunctions)
		}
		return r.s.limits.Err()
	})
	leave := r.special(func(running) error {
		r.s.active = r.s.active[:len(r.s.active)-1]
		return nil
	})
	c.Body = &syntax.Stmt{Cmd: block(enter, c.Body, leave)}
	return c
}

// binary rewrites a pipe, whose sides run one after the other, && and ||.
func (r *rewriter) binary(c *syntax.BinaryCmd) syntax.Command {
	if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
		r.stmt(c.X, false)
		r.stmt(c.Y, true)
		feed(c.Y, []*syntax.Stmt{c.X})
		return block(c.Y)
	}
	if test := r.test([]*syntax.Stmt{c.X}); test != nil {
		r.stmt(c.Y, false)
		met, unmet := []*syntax.Stmt{c.Y}, []*syntax.Stmt(nil)
		if c.Op == syntax.OrStmt {
			met, unmet = unmet, met
		}
		return r.decide(test, c.X, met, unmet)
	}
	r.stmt(c.X, false)
	r.stmt(c.Y, false)
	// In the output of a command, the right side depends on the status of the left one.
	captured := r.special(func(c running) error { return status(c.captured()) })
	return &syntax.IfClause{Cond: []*syntax.Stmt{captured}, Then: []*syntax.Stmt{{Cmd: c}}, Else: &syntax.IfClause{
		Then: []*syntax.Stmt{c.X, {Cmd: r.perhaps([]*syntax.Stmt{c.Y})}},
	}}
}

// choice rewrites if so that all branches are followed.
func (r *rewriter) choice(c *syntax.IfClause) syntax.Command {
	if len(c.Cond) == 0 { // else
		r.stmts(c.Then)
		return block(c.Then...)
	}
	test := r.test(c.Cond)
	r.stmts(c.Then)
	var otherwise []*syntax.Stmt
	if c.Else != nil {
		otherwise = []*syntax.Stmt{{Cmd: r.choice(c.Else)}}
	}
	if test != nil {
		return r.decide(test, c.Cond[0], c.Then, otherwise)
	}
	r.stmts(c.Cond)
	return block(append(c.Cond, &syntax.Stmt{Cmd: r.perhaps(append(c.Then, otherwise...))})...)
}

// decide follows the statements that a comparison selects. The others do not run without further arguments or environment, but
// their calls count, because another script may run them; their variables do not. If the comparison is unknown, all may run.
func (r *rewriter) decide(operands []*syntax.Word, test *syntax.Stmt, met, unmet []*syntax.Stmt) syntax.Command {
	apart := func(stmts []*syntax.Stmt) []*syntax.Stmt {
		if len(stmts) == 0 {
			return nil
		}
		return []*syntax.Stmt{{Cmd: &syntax.Subshell{Stmts: stmts}, Redirs: []*syntax.Redirect{{Op: syntax.DplOut, Word: word("2")}}}}
	}
	known := r.special(func(c running) error {
		return status(!slices.ContainsFunc(c.args, func(arg string) bool { return r.s.argument(arg).Unknown != "" }))
	}, operands...)
	chosen := &syntax.IfClause{
		Cond: []*syntax.Stmt{test}, Then: slices.Concat(met, apart(unmet)),
		Else: &syntax.IfClause{Then: slices.Concat(apart(met), unmet)},
	}
	return &syntax.IfClause{Cond: []*syntax.Stmt{known}, Then: []*syntax.Stmt{{Cmd: chosen}}, Else: &syntax.IfClause{
		Then: []*syntax.Stmt{{Cmd: r.perhaps(slices.Concat(met, unmet))}},
	}}
}

// perhaps follows statements that may run.
func (r *rewriter) perhaps(stmts []*syntax.Stmt) syntax.Command {
	enter := r.special(func(c running) error {
		r.s.perhaps++
		if c.captured() {
			return c.print(r.s.runtime("a condition"))
		}
		return nil
	})
	leave := r.special(func(running) error {
		r.s.perhaps--
		return nil
	})
	return block(slices.Concat([]*syntax.Stmt{enter}, stmts, []*syntax.Stmt{leave})...)
}

func status(ok bool) error {
	if !ok {
		return interp.ExitStatus(1)
	}
	return nil
}

// test returns the operands of a condition that only compares strings, else nil.
func (r *rewriter) test(stmts []*syntax.Stmt) (operands []*syntax.Word) {
	if len(stmts) != 1 {
		return nil
	}
	switch c := stmts[0].Cmd.(type) {
	case *syntax.CallExpr:
		isTest := len(c.Args) >= 3 && len(c.Args) <= 5 && (c.Args[0].Lit() == "[" || c.Args[0].Lit() == "test")
		if !isTest || !comparesStrings(c.Args[1].Lit(), c.Args[2].Lit()) {
			return nil
		}
		operands = c.Args[1:]
		c.Assigns = nil
	case *syntax.TestClause:
		known := true
		syntax.Walk(c, func(node syntax.Node) bool {
			switch x := node.(type) {
			case *syntax.UnaryTest:
				known = known && (x.Op == syntax.TsNot || comparesStrings(x.Op.String(), ""))
			case *syntax.BinaryTest:
				known = known && (x.Op == syntax.AndTest || x.Op == syntax.OrTest || comparesStrings("", x.Op.String()))
			case *syntax.Word:
				operands = append(operands, x)
				return false
			}
			return true
		})
		if !known {
			return nil
		}
	default:
		return nil
	}
	r.words(operands...)
	stmts[0].Redirs, stmts[0].Background = nil, false
	return operands
}

// comparesStrings reports whether a test that begins with two words depends on nothing but strings.
func comparesStrings(first, second string) bool {
	return slices.Contains([]string{"-n", "-z"}, first) || slices.Contains([]string{"=", "==", "!="}, second)
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
