package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/programs"
)

// verdict is the result of the last command as a condition. It is decided only if it depends on the system that scripts run on, or is a
// case with a known word: anything else may be different when another script or the user sets variables. While statements that depend on
// a verdict run, the verdict is on the stack.
type verdict string

const (
	undecided verdict = "?"
	met       verdict = "+"
	unmet     verdict = "-"
	// selected precedes the word of a case that is decided and has not reached the item that matches.
	selected = "="
)

// lookups are the commands that look for programs.
var lookups = []string{"command", "which", "type", "hash"}

func verdictOf(ok bool) verdict {
	if ok {
		return met
	}
	return unmet
}

func (v verdict) not() verdict {
	return map[verdict]verdict{met: unmet, unmet: met, undecided: undecided}[v]
}

// decided returns statements that follow the branches of a condition, which has run: one of them or, if the condition is undecided, both.
// The operator joins the sides of the condition; "" if it does not have two sides.
func decided(operator string, then, otherwise []*syntax.Stmt) []*syntax.Stmt {
	return []*syntax.Stmt{
		special("decide"),
		either(special("taken", word(string(met))), then, nil),
		either(special("taken", word(string(unmet))), otherwise, nil),
		special("end", word(operator)),
	}
}

// choice rewrites if.
func choice(c *syntax.IfClause) syntax.Command {
	if len(c.Cond) == 0 { // else
		return block(c.Then...)
	}
	var otherwise []*syntax.Stmt
	if c.Else != nil {
		otherwise = []*syntax.Stmt{{Cmd: choice(c.Else)}}
	}
	return block(slices.Concat(c.Cond, decided("", c.Then, otherwise))...)
}

// alternatives rewrites && and ||. In the output of a command, the right side depends on the status of the left one.
func alternatives(c *syntax.BinaryCmd) syntax.Command {
	then, otherwise := []*syntax.Stmt{c.Y}, []*syntax.Stmt(nil)
	if c.Op == syntax.OrStmt {
		then, otherwise = otherwise, then
	}
	followed := slices.Concat([]*syntax.Stmt{c.X}, decided(c.Op.String(), then, otherwise))
	return block(either(special("captured"), []*syntax.Stmt{{Cmd: c}}, followed))
}

// selection rewrites case.
func selection(c *syntax.CaseClause) syntax.Command {
	var all []*syntax.Stmt
	first := []*syntax.Word{quoted(c.Word)}
	for _, item := range c.Items {
		patterns := lists.Map(item.Patterns, quoted)
		first = append(first, patterns...)
		if item.Op != syntax.Break {
			first = append(first, word(undecidable))
		}
		all = append(all, either(special("item", patterns...), item.Stmts, nil))
	}
	return block(slices.Concat([]*syntax.Stmt{special("case", first...)}, all, []*syntax.Stmt{special("end", word(""))})...)
}

// undecidable is a pattern that is not supported.
const undecidable = "!()"

// negated rewrites the command of a negated statement, whose status stays.
func negated(cmd syntax.Command) syntax.Command {
	return block(either(&syntax.Stmt{Cmd: cmd}, []*syntax.Stmt{special("not")}, []*syntax.Stmt{special("not", word("failed"))}))
}

// quoted returns a word that expands to one argument.
func quoted(w *syntax.Word) *syntax.Word {
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: w.Parts}}}
}

// test rewrites [[ ]] around a comparison; other tests are undecided.
func test(c *syntax.TestClause) syntax.Command {
	if t, ok := c.X.(*syntax.BinaryTest); ok {
		x, isWord := t.X.(*syntax.Word)
		if y, areWords := t.Y.(*syntax.Word); isWord && areWords {
			return special("test", quoted(x), word(t.Op.String()), quoted(y)).Cmd
		}
	}
	return special("test").Cmd
}

// simplify splits a test into tests without operators between them, and replaces tests for the output of command -v by that command.
func simplify(stmt *syntax.Stmt) {
	clause, ok := stmt.Cmd.(*syntax.TestClause)
	if !ok {
		if call, ok := stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 2 && call.Args[0].Lit() == "[" {
			simplifyOld(stmt, call.Args[1:len(call.Args)-1])
		}
		return
	}
	of := func(x syntax.TestExpr) *syntax.Stmt {
		return &syntax.Stmt{Position: stmt.Position, Cmd: &syntax.TestClause{Left: clause.Left, Right: clause.Right, X: x}}
	}
	switch x := clause.X.(type) {
	case *syntax.ParenTest:
		clause.X = x.X
		simplify(stmt)
	case *syntax.BinaryTest:
		if x.Op == syntax.AndTest || x.Op == syntax.OrTest {
			op := map[syntax.BinTestOperator]syntax.BinCmdOperator{syntax.AndTest: syntax.AndStmt, syntax.OrTest: syntax.OrStmt}[x.Op]
			stmt.Cmd = &syntax.BinaryCmd{OpPos: clause.Left, Op: op, X: of(x.X), Y: of(x.Y)}
		}
	case *syntax.UnaryTest:
		word, _ := x.X.(*syntax.Word)
		switch {
		case x.Op == syntax.TsNot:
			clause.X, stmt.Negated = x.X, !stmt.Negated
			simplify(stmt)
		case word != nil:
			present(stmt, x.Op.String(), word)
		}
	case *syntax.Word:
		present(stmt, "-n", x)
	}
}

// simplifyOld is simplify for [ ].
func simplifyOld(stmt *syntax.Stmt, args []*syntax.Word) {
	isNegated := args[0].Lit() == "!"
	if isNegated {
		args = args[1:]
	}
	op := "-n"
	if len(args) == 2 {
		op, args = args[0].Lit(), args[1:]
	}
	if len(args) == 1 && present(stmt, op, args[0]) && isNegated {
		stmt.Negated = !stmt.Negated
	}
}

// present replaces a test for the output of command -v or the like by the command.
func present(stmt *syntax.Stmt, op string, w *syntax.Word) bool {
	part, _ := single(w)
	subst, ok := part.(*syntax.CmdSubst)
	if !ok || len(subst.Stmts) != 1 || !slices.Contains([]string{"-n", "-z", "-x", "-e", "-f"}, op) {
		return false
	}
	inner := subst.Stmts[0]
	call, ok := inner.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 || !slices.Contains(lookups, call.Args[0].Lit()) {
		return false
	}
	stmt.Cmd, stmt.Redirs = call, append(stmt.Redirs, inner.Redirs...)
	stmt.Negated = stmt.Negated != (op == "-z")
	return true
}

// lookup returns the program that command -v, which, type or hash looks for.
func lookup(args []string) (program string, ok bool) {
	if len(args) < 2 || !slices.Contains(lookups, args[0]) || args[0] == "command" && args[1] != "-v" && args[1] != "-V" {
		return "", false
	}
	names := slices.DeleteFunc(slices.Clone(args[1:]), func(arg string) bool { return strings.HasPrefix(arg, "-") })
	if len(names) != 1 {
		return "", false
	}
	return names[0], true
}

// look prints the name of a program, which stands for its path, unless the system does not have it.
func (s *script) look(c running, program string) (err error) {
	installed, known := programs.Installed(s.argument(program).Text)
	if known {
		s.verdict = verdictOf(installed)
	}
	if installed && c.captured() {
		return c.print(program + "\n")
	}
	return s.status(installed)
}

// filtered decides grep in a pipe that starts with the name of the system.
func (s *script) filtered(c running) bool {
	if c.captured() || path.Base(c.args[0]) != "grep" || c.Stdin == nil {
		return false
	}
	input := c.input()
	if !programs.IsHost(strings.TrimSpace(input)) {
		return false
	}
	out, ok := s.config.Surroundings.Output(c.Dir, c.args, func() string { return input })
	if ok {
		s.verdict = verdictOf(out != "")
	}
	return ok
}

// compare returns the verdict of a comparison with the name of the system.
func (s *script) compare(args []string) verdict {
	args = slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "]" })
	if len(args) > 1 && args[0] == "!" {
		return s.compare(args[1:]).not()
	}
	if len(args) != 3 || !s.isHost(args[0]) && !s.isHost(args[2]) {
		return undecided
	}
	a, b := s.argument(args[0]), s.argument(args[2])
	if a.Unknown+b.Unknown != "" || a.Text == "" || b.Text == "" {
		return undecided
	}
	switch args[1] {
	case "=", "==":
		return matches(b.Text, a.Text)
	case "!=":
		return matches(b.Text, a.Text).not()
	case "=~":
		if re, err := regexp.Compile(b.Text); err == nil {
			return verdictOf(re.MatchString(a.Text))
		}
	}
	return undecided
}

// isHost reports whether a value is a name of the system.
func (s *script) isHost(value string) bool {
	return s.argument(value).Unknown == "" && programs.IsHost(value)
}

// matches returns the verdict of a comparison with a pattern of the shell.
func matches(glob, text string) verdict {
	expression, err := pattern.Regexp(glob, pattern.EntireString|pattern.ExtendedOperators)
	if err != nil {
		return undecided
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return undecided
	}
	return verdictOf(re.MatchString(text))
}

// selects returns the entry on the stack for a case: its word if the case is decided. In a loop that is followed only once, the word may
// differ each time.
func (s *script) selects(value string, patterns []string) string {
	isUnknown := func(glob string) bool { return s.argument(glob).Unknown != "" || matches(glob, value) == undecided }
	mayChange := slices.Contains(s.stack, repeated) && !s.isHost(value)
	if mayChange || s.argument(value).Unknown != "" || slices.ContainsFunc(patterns, isUnknown) {
		return condition
	}
	return selected + value
}

// item reports whether an item of the case on top of the stack is followed: the first match or, if the case is undecided, every item.
func (s *script) item(patterns []string) bool {
	top := &s.stack[len(s.stack)-1]
	value, isSelected := strings.CutPrefix(*top, selected)
	if !isSelected {
		return *top == condition
	}
	ok := slices.ContainsFunc(patterns, func(glob string) bool { return matches(glob, value) == met })
	if ok {
		*top = string(met)
	}
	return ok
}

// end ends a condition.
func (s *script) end(operator string) {
	top := s.pop()
	isKnown := operator == "&&" && s.verdict == unmet || operator == "||" && s.verdict == met
	if operator == "" || top == condition && !isKnown {
		s.verdict = undecided
	}
}

func (s *script) pop() (top string) {
	top = s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	return top
}
