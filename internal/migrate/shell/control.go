package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/budget"
)

// branch follows statements that may or may not run.
func (s *script) branch(stmts []*syntax.Stmt) {
	if s.out != nil && s.problem == nil {
		s.problem = errConditional
	}
	s.branches++
	s.stmts(stmts)
	s.branches--
}

// apart follows statements that do not run without further arguments or environment. Their calls count, because another script
// may run them; their variables do not.
func (s *script) apart(stmts []*syntax.Stmt) {
	if s.out != nil {
		return
	}
	defer s.restore(s.save())
	s.stmts(stmts)
}

// choose follows if, using its conditions as far as they are known.
func (s *script) choose(c *syntax.IfClause) {
	decided := false
	for clause := c; clause != nil; clause = clause.Else {
		met, known := true, true
		if len(clause.Cond) > 0 {
			met, known = s.condition(clause.Cond)
		}
		switch {
		case decided || known && !met:
			s.apart(clause.Then)
		case !known:
			s.branch(clause.Then)
		default:
			decided = true
			if clause == c {
				s.stmts(clause.Then)
			} else {
				s.sure(clause.Then, c)
			}
		}
	}
}

// sure follows the branch that is taken unless an earlier branch with an unknown condition is.
func (s *script) sure(stmts []*syntax.Stmt, c *syntax.IfClause) {
	if _, known := s.condition(c.Cond); known {
		s.stmts(stmts)
		return
	}
	s.branch(stmts)
}

// condition evaluates a comparison of known strings.
func (s *script) condition(stmts []*syntax.Stmt) (met, known bool) {
	if len(stmts) != 1 || stmts[0].Cmd == nil {
		return false, false
	}
	stmt := stmts[0]
	switch c := stmt.Cmd.(type) {
	case *syntax.TestClause:
		met, known = s.test(c.X)
	case *syntax.CallExpr:
		if len(c.Args) < 3 || c.Args[0].Lit() != "[" && c.Args[0].Lit() != "test" {
			return false, false
		}
		var words []string
		for _, word := range c.Args[1:] {
			text, err := s.literal(word)
			if err != nil {
				return false, false
			}
			words = append(words, text)
		}
		if words[len(words)-1] == "]" {
			words = words[:len(words)-1]
		}
		met, known = compare(words)
	}
	return met != stmt.Negated, known
}

// test evaluates the inner part of [[ ]].
func (s *script) test(x syntax.TestExpr) (met, known bool) {
	switch x := x.(type) {
	case *syntax.ParenTest:
		return s.test(x.X)
	case *syntax.UnaryTest:
		if word, ok := x.X.(*syntax.Word); ok && x.Op != syntax.TsNot {
			text, err := s.literal(word)
			met, known = compare([]string{x.Op.String(), text})
			return met, known && err == nil
		}
		met, known = s.test(x.X)
		return !met, known && x.Op == syntax.TsNot
	case *syntax.BinaryTest:
		left, ok := x.X.(*syntax.Word)
		right, ok2 := x.Y.(*syntax.Word)
		if !ok || !ok2 {
			return false, false
		}
		a, err := s.literal(left)
		b, err2 := s.literal(right)
		met, known = compare([]string{a, x.Op.String(), b})
		return met, known && err == nil && err2 == nil && !strings.ContainsAny(b, "*?[")
	}
	return false, false
}

// compare evaluates the words of a test that only compares strings.
func compare(words []string) (met, known bool) {
	switch {
	case len(words) == 2 && words[0] == "-n":
		return words[1] != "", true
	case len(words) == 2 && words[0] == "-z":
		return words[1] == "", true
	case len(words) == 3 && (words[1] == "=" || words[1] == "=="):
		return words[0] == words[2], true
	case len(words) == 3 && words[1] == "!=":
		return words[0] != words[2], true
	}
	return false, false
}

// binary follows two commands with &&, || or a pipe between them.
func (s *script) binary(c *syntax.BinaryCmd) {
	switch {
	case c.Op == syntax.Pipe || c.Op == syntax.PipeAll:
		s.pipe(c)
	case s.out != nil:
		s.either(c)
	default:
		met, known := s.condition([]*syntax.Stmt{c.X})
		s.stmts([]*syntax.Stmt{c.X})
		right := []*syntax.Stmt{c.Y}
		switch {
		case known && met == (c.Op == syntax.AndStmt):
			s.stmts(right)
		case known:
			s.apart(right)
		default:
			s.branch(right)
		}
	}
}

// pipe passes the output of a command to the next one.
func (s *script) pipe(c *syntax.BinaryCmd) {
	if s.out != nil {
		input, err := s.capture([]*syntax.Stmt{c.X})
		if err != nil {
			s.fail(err)
			return
		}
		s.feed(c.Y, input, nil)
		return
	}
	s.stmts([]*syntax.Stmt{c.X})
	input, err := s.quietly([]*syntax.Stmt{c.X})
	s.feed(c.Y, input, err)
}

// feed follows a command that reads from a pipe.
func (s *script) feed(stmt *syntax.Stmt, input string, err error) {
	switch c := stmt.Cmd.(type) {
	case *syntax.WhileClause:
		s.whileRead(c, input, err)
		return
	case *syntax.Block, *syntax.Subshell:
		s.stmts([]*syntax.Stmt{stmt})
		return
	case *syntax.CallExpr:
		args := s.arguments(c.Args)
		if len(args) == 0 {
			return
		}
		if s.out != nil {
			s.print(args, input)
			return
		}
		if args[0].Text == "xargs" {
			s.xargs(c, args[1:], input, err)
			return
		}
	}
	s.stmts([]*syntax.Stmt{stmt})
}

// xargs follows the command that xargs calls: once, or once for each word.
func (s *script) xargs(c *syntax.CallExpr, args []Argument, input string, err error) {
	one, replace := false, ""
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		flag := args[0].Text
		args = args[1:]
		switch {
		case (flag == "-n" || flag == "-I" || flag == "-L" || flag == "-P" || flag == "-d") && len(args) > 0:
			if flag == "-I" {
				replace = args[0].Text
			}
			one = one || flag == "-I" || flag != "-P" && flag != "-d" && args[0].Text == "1"
			args = args[1:]
		case strings.HasPrefix(flag, "-I"):
			one, replace = true, flag[2:]
		case flag == "-n1" || flag == "-L1":
			one = true
		}
	}
	if len(args) == 0 {
		return
	}
	pos := s.at(c.Pos())
	groups := [][]Argument{nil}
	if err != nil {
		groups[0] = []Argument{{Pos: pos, Text: "the input of xargs", Unknown: s.reason(err)}}
	} else {
		for i, word := range strings.Fields(input) {
			if one && i > 0 {
				groups = append(groups, nil)
			}
			last := &groups[len(groups)-1]
			*last = append(*last, Argument{Pos: pos, Text: word})
		}
	}
	for _, group := range groups {
		if !s.budget.Step(budget.Command + len(args)/budget.Command) {
			return
		}
		s.do(pos, insert(args, group, replace), nil)
	}
}

// insert adds words at the end of a command, or in place of the placeholder.
func insert(args, words []Argument, placeholder string) []Argument {
	if placeholder == "" || len(words) == 0 {
		return slices.Concat(args, words)
	}
	args = slices.Clone(args)
	for i := range args {
		if strings.Contains(args[i].Text, placeholder) {
			args[i].Text = strings.ReplaceAll(args[i].Text, placeholder, words[0].Text)
			args[i].Unknown = words[0].Unknown
		}
	}
	return args
}

// loop follows the body once for each word. A loop over unknown words is followed once.
func (s *script) loop(c *syntax.ForClause) {
	words, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		s.branch(c.Do)
		return
	}
	items := s.arguments(words.Items)
	if !words.InPos.IsValid() {
		items = nil
		for _, param := range s.params {
			items = append(items, Argument{Text: param})
		}
	}
	for _, item := range items {
		if item.Unknown != "" {
			s.forget(words.Name.Value, item.Unknown)
		} else {
			s.set(words.Name.Value, text(item.Text))
		}
		s.stmts(c.Do)
	}
}

// while follows a loop: once for each line that it reads if the lines are known, otherwise once.
func (s *script) while(c *syntax.WhileClause, stmt *syntax.Stmt) {
	for _, redir := range stmt.Redirs {
		if input, ok, err := s.input(redir); ok {
			s.whileRead(c, input, err)
			return
		}
	}
	s.stmts(c.Cond)
	s.branch(c.Do)
}

// whileRead follows a loop that reads lines.
func (s *script) whileRead(c *syntax.WhileClause, input string, err error) {
	var names []string
	if len(c.Cond) == 1 {
		if call, ok := c.Cond[0].Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == "read" {
			names = readNames(s.arguments(call.Args[1:]))
		}
	}
	if len(names) == 0 {
		s.branch(c.Do)
		return
	}
	if err != nil {
		s.forget(names[0], s.reason(err))
		s.branch(c.Do)
		return
	}
	for _, line := range strings.FieldsFunc(input, func(r rune) bool { return r == '\n' || r == 0 }) {
		s.distribute(names, line)
		s.stmts(c.Do)
	}
}

// readNames returns the names of the variables that read sets.
func readNames(args []Argument) []string {
	var names []string
	for i := 0; i < len(args); i++ {
		switch word := args[i].Text; {
		case word == "-d" || word == "-p" || word == "-u" || word == "-n":
			i++
		case !strings.HasPrefix(word, "-"):
			names = append(names, word)
		}
	}
	return names
}

// read follows read and mapfile, which take their input from a here string or a substitution.
func (s *script) read(args []Argument, redirs []*syntax.Redirect) {
	names := readNames(args[1:])
	if len(names) == 0 {
		return
	}
	for _, redir := range redirs {
		input, ok, err := s.input(redir)
		switch {
		case !ok:
			continue
		case err != nil:
			s.forget(names[0], s.reason(err))
		case args[0].Text == "read":
			s.distribute(names, strings.TrimRight(input, "\n"))
		default:
			lines := strings.FieldsFunc(input, func(r rune) bool { return r == '\n' })
			s.set(names[0], expand.Variable{Set: true, Kind: expand.Indexed, List: lines})
		}
		return
	}
	s.forget(names[0], "read, whose input is unknown")
}

// distribute sets variables to the fields of a line, the last one to the rest.
func (s *script) distribute(names []string, line string) {
	separators := s.Get("IFS").String()
	isSeparator := func(r rune) bool { return strings.ContainsRune(separators, r) }
	for i, name := range names {
		line = strings.TrimLeft(line, " \t")
		end := strings.IndexFunc(line, isSeparator)
		if end < 0 || i == len(names)-1 {
			s.set(name, text(strings.TrimRight(line, " \t")))
			line = ""
			continue
		}
		s.set(name, text(line[:end]))
		line = line[end+1:]
	}
}

// input returns the text of a redirection.
func (s *script) input(redir *syntax.Redirect) (input string, ok bool, err error) {
	if redir.Op == syntax.WordHdoc {
		input, err = s.literal(redir.Word)
		return input, true, err
	}
	if redir.Op != syntax.RdrIn || redir.Word == nil || len(redir.Word.Parts) != 1 {
		return "", false, nil
	}
	process, ok := redir.Word.Parts[0].(*syntax.ProcSubst)
	if !ok {
		return "", false, nil
	}
	input, err = s.quietly(process.Stmts)
	return input, true, err
}
