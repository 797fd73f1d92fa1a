package shell

import (
	"bytes"
	"cmp"
	"errors"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

// source is a text that is followed, as part of a file.
type source struct {
	// name is the file, zero the script that runs it.
	name, zero string
	firstLine  int
	// main is true for the script itself, lines if each line runs in a shell of its own.
	main, lines bool
}

// at returns a position in the file.
func (f source) at(pos syntax.Pos) token.Position {
	return token.Position{Filename: f.name, Line: int(pos.Line()) + f.firstLine, Column: int(pos.Col())}
}

// rewriter rewrites the syntax tree of a text for the interpreter.
type rewriter struct {
	from source
	s    *script
	code []byte
	// nodes are those around the current one, expansions the number of expansions so far.
	nodes      []syntax.Node
	expansions int
	// before are the statements that prepare each statement around the current node.
	before [][]*syntax.Stmt
	// fed are the statements whose input is in place.
	fed map[*syntax.Stmt]bool
}

// Names of commands and variables that scripts do not have.
const (
	callName     = "\uE002" // with a number, before each command
	specialName  = "\uE003" // of commands that this package makes
	externalName = "\uE004" // before the names of builtins that the interpreter must not run
	inputName    = "_input"
	zeroName     = "_zero"
)

// parse parses and rewrites a text.
func (s *script) parse(text []byte, from source) ([]*syntax.Stmt, error) {
	s.limits.At(token.Position{Filename: from.name, Line: from.firstLine + 1})
	if len(text) > MaxFile {
		s.limits.Exceeded("%d KiB of script", MaxFile>>10)
	}
	if !s.limits.Count(1, len(text)) {
		return nil, s.limits.Err()
	}
	parsed, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(bytes.NewReader(text), from.name)
	if bad, ok := errors.AsType[syntax.ParseError](err); ok {
		var diags diag.List
		diags.Add(from.at(bad.Pos), "%s", bad.Text)
		return nil, diags
	}
	if err != nil {
		return nil, err
	}
	stmts := parsed.Stmts
	if from.lines {
		stmts = shells(text, stmts)
	}
	r := &rewriter{from: from, s: s, code: text, fed: map[*syntax.Stmt]bool{}}
	syntax.Walk(parsed, r.visit)
	return stmts, s.limits.Err()
}

// visit is called before and, with nil, after the children of each node.
func (r *rewriter) visit(node syntax.Node) bool {
	if r.s.limits.Err() != nil {
		return false
	}
	if node != nil {
		r.nodes = append(r.nodes, node)
		r.enter(node)
		r.check(node)
		return r.s.limits.Err() == nil
	}
	node = r.nodes[len(r.nodes)-1]
	r.nodes = r.nodes[:len(r.nodes)-1]
	switch n := node.(type) {
	case *syntax.Word:
		r.parts(n.Parts)
	case *syntax.DblQuoted:
		r.parts(n.Parts)
	case *syntax.Stmt:
		before := r.before[len(r.before)-1]
		r.before = r.before[:len(r.before)-1]
		if n.Cmd = r.command(n.Cmd); n.Negated {
			n.Cmd = negated(n.Cmd)
		}
		if len(before) > 0 {
			n.Cmd = block(append(before, &syntax.Stmt{Cmd: n.Cmd})...)
		}
	}
	return true
}

// enter replaces nodes by other syntax, whose nodes are visited next.
func (r *rewriter) enter(node syntax.Node) {
	switch n := node.(type) {
	case *syntax.Stmt:
		r.before = append(r.before, nil)
		// One after the other, so that results are always the same.
		n.Background, n.Coprocess, n.Disown = false, false, false
		simplify(n)
		if !r.fed[n] {
			r.input(n)
		}
	case *syntax.WhileClause:
		if read := readCondition(n); read != nil {
			n.Cond, r.fed[read] = []*syntax.Stmt{read}, true
		}
	case *syntax.CmdSubst: // $(<file)
		if len(n.Stmts) == 1 && n.Stmts[0].Cmd == nil && len(n.Stmts[0].Redirs) == 1 && n.Stmts[0].Redirs[0].Op == syntax.RdrIn {
			n.Stmts[0] = cat(n.Stmts[0].Redirs[0].Word)
		}
	case *syntax.Word:
		r.elements(n)
	}
}

// check limits the cost of a tree: its nesting and the number of expansions in it.
func (r *rewriter) check(node syntax.Node) {
	if w, ok := node.(*syntax.Word); ok {
		split, words := &syntax.Word{Parts: slices.Clone(w.Parts)}, 1
		if syntax.SplitBraces(split) {
			for _, err := range expand.BracesSeq(nil, split) {
				if words++; err != nil || words > 2*maxExpansions {
					break
				}
			}
		}
		r.expansions += words*(1+strings.Count(r.text(w), "$")+strings.Count(r.text(w), "`")) - 1
	}
	if node.Pos().IsValid() {
		r.s.limits.At(r.from.at(node.Pos()))
	}
	if len(r.nodes) > maxNested {
		r.s.limits.Exceeded("%d nested commands or words", maxNested)
	} else if r.expansions > maxExpansions {
		r.s.limits.Exceeded("%d expansions", maxExpansions)
	}
}

// prepare adds a statement before the one around the current node.
func (r *rewriter) prepare(stmt *syntax.Stmt) {
	last := len(r.before) - 1
	r.before[last] = append(r.before[last], stmt)
}

// text returns the source of a node.
func (r *rewriter) text(node syntax.Node) string {
	from, to := node.Pos().Offset(), node.End().Offset()
	if from >= to || to > uint(len(r.code)) {
		return "?"
	}
	return string(r.code[from:to])
}

// shells puts the statements of each line into a shell of its own. A backslash continues a line.
func shells(text []byte, stmts []*syntax.Stmt) (shells []*syntax.Stmt) {
	var last *syntax.Subshell
	end := uint(0)
	for i, stmt := range stmts {
		from, to := min(end, stmt.Pos().Offset()), stmt.Pos().Offset()
		end = stmt.End().Offset()
		if i == 0 || bytes.Contains(bytes.ReplaceAll(text[from:to], []byte("\\\n"), nil), []byte("\n")) {
			last = &syntax.Subshell{}
			shells = append(shells, &syntax.Stmt{Cmd: last})
		}
		last.Stmts = append(last.Stmts, stmt)
	}
	return shells
}

// mark is a value that is only known at run time. In the values of variables, it is its number between two characters that
// scripts do not contain.
type mark struct{ source, reason string }

const (
	markStart, markEnd = "\uE000", "\uE001"
	onlyAtRunTime      = ", which is only known at run time"
	// maxReason is the length at which a reason stops naming further variables.
	maxReason = 1 << 10
	// maxReplacement is the maximum size of a text that replaces others in a variable, in bytes.
	maxReplacement = 1 << 5
)

// mark returns a mark in the form that values have.
func (s *script) mark(source, reason string) string {
	m := mark{source[:min(len(source), maxReason)], reason[:min(len(reason), 2*maxReason)]}
	n := slices.Index(s.marks, m)
	if n < 0 {
		n = len(s.marks)
		s.marks = append(s.marks, m)
	}
	return markStart + strconv.Itoa(n) + markEnd
}

// unset returns the mark for a variable that is not set.
func (s *script) unset(name string) string {
	return s.mark("$"+name, "$"+name+" is not set in the script")
}

// runtime returns the mark for a command or an expansion.
func (s *script) runtime(source string) string {
	return s.mark(source, source+onlyAtRunTime)
}

// argument returns a value as an argument.
func (s *script) argument(value string) Argument {
	var a Argument
	for {
		before, after, ok := strings.Cut(value, markStart)
		a.Text += before
		if !ok {
			return a
		}
		number, rest, _ := strings.Cut(after, markEnd)
		value = rest
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < len(s.marks) {
			a.Text += s.marks[n].source
			a.Unknown = cmp.Or(a.Unknown, s.marks[n].reason)
		}
	}
}

// elements rewrites a word with the keys of an array, which the interpreter knows in a random order, or with a prefix for each element.
func (r *rewriter) elements(w *syntax.Word) {
	part, isQuoted := single(w)
	switch p, ok := part.(*syntax.ParamExp); {
	case !ok:
	case p.Excl && p.Index != nil && r.text(p.Index) == "@":
		w.Parts = []syntax.WordPart{&syntax.CmdSubst{Stmts: []*syntax.Stmt{special("keys", word(p.Param.Value))}}}
	case isQuoted:
		r.prefixed(w, p)
	}
}

// single returns the only part of a word, which may be in double quotes; nil if there are several.
func single(w *syntax.Word) (part syntax.WordPart, isQuoted bool) {
	parts := w.Parts
	if len(parts) == 1 {
		if quoted, ok := parts[0].(*syntax.DblQuoted); ok {
			parts, isQuoted = quoted.Parts, true
		}
	}
	if len(parts) != 1 {
		return nil, isQuoted
	}
	return parts[0], isQuoted
}

// keys returns the keys of an array, one a line.
func (s *script) keys(name string, v expand.Variable) string {
	if v.Kind == expand.Associative {
		return strings.Join(slices.Sorted(maps.Keys(v.Map)), "\n")
	} else if v.Kind != expand.Indexed {
		return s.unset(name)
	}
	var all []string
	for i := range v.List {
		all = append(all, strconv.Itoa(i))
	}
	return strings.Join(all, "\n")
}

// prefixed rewrites "${array[@]/#/prefix}", the idiom for adding a prefix to each element, which the interpreter does not know.
func (r *rewriter) prefixed(w *syntax.Word, p *syntax.ParamExp) {
	if p.Repl == nil || p.Repl.With == nil || r.text(p.Repl.Orig) != "#" {
		return
	}
	prefix := &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: p.Repl.With.Parts}}}
	p.Repl = nil
	elements := &syntax.Word{Parts: w.Parts}
	w.Parts = []syntax.WordPart{&syntax.CmdSubst{Stmts: []*syntax.Stmt{special("prefix", prefix, elements)}}}
}

// parts rewrites the parts of a word so that unknown values become marks.
func (r *rewriter) parts(parts []syntax.WordPart) {
	for i, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if i == 0 && len(part.Value) > 1 && part.Value[0] == '~' && part.Value[1] != '/' {
				parts[i] = &syntax.Lit{Value: r.s.runtime(part.Value)}
			}
		case *syntax.ParamExp:
			if !r.param(part) {
				parts[i] = &syntax.Lit{ValuePos: part.Pos(), Value: r.s.runtime(r.text(part))}
			}
		case *syntax.ArithmExp, *syntax.ProcSubst:
			parts[i] = &syntax.Lit{ValuePos: part.Pos(), Value: r.s.runtime(r.text(part))}
		case *syntax.ExtGlob:
			parts[i] = &syntax.Lit{Value: part.Op.String() + part.Pattern.Value + ")"}
		}
	}
}

// param rewrites the expansion of a parameter. It returns false if the result is always unknown.
func (r *rewriter) param(p *syntax.ParamExp) bool {
	if p.Param == nil || p.Excl || p.Width || p.IsSet {
		return false
	}
	name := p.Param.Value
	missing := word(r.s.unset(name))
	r.s.used[name] = true
	switch {
	case name == "@" || name == "*" || name == "#" || p.Length:
	case slices.Contains([]string{"$", "!", "?", "-", "_", "PPID", "RANDOM", "SRANDOM"}, name): // about this process
		p.Param, p.Exp = &syntax.Lit{Value: inputName}, &syntax.Expansion{Op: syntax.AlternateUnset, Word: missing}
		return true
	case name == "BASH_SOURCE":
		r.prepare(assign(name, word(r.from.name)))
		p.Index = nil
	case name == "0":
		r.prepare(assign(zeroName, word(r.from.zero)))
		p.Param.Value = zeroName
	case p.Exp == nil && p.Repl == nil && p.Slice == nil && p.Index == nil:
		p.Short, p.Exp = false, &syntax.Expansion{Op: syntax.DefaultUnset, Word: missing}
		return true
	case p.Exp == nil || p.Exp.Op > syntax.AssignUnsetOrNull: // expansions with other operators cannot have a default
		if syntax.ValidName(name) {
			unset := &syntax.ParamExp{Param: p.Param, Exp: &syntax.Expansion{Op: syntax.AssignUnset, Word: missing}}
			args := []*syntax.Word{word("true"), {Parts: []syntax.WordPart{unset}}}
			r.prepare(&syntax.Stmt{Cmd: &syntax.CallExpr{Args: args}})
		}
	}
	switch {
	case p.Repl != nil:
		// The interpreter does not know anchors, and the length of the result must be limited.
		with := p.Repl.With
		isShort := with == nil || with.Lit() != "" && len(with.Lit()) <= maxReplacement
		if strings.IndexAny(r.text(p.Repl.Orig), "#%") == 0 || p.Repl.All && !isShort {
			return false
		}
	case p.Exp != nil && p.Exp.Op == syntax.OtherParamOps:
		return false
	case p.Exp != nil && (p.Exp.Op == syntax.ErrorUnset || p.Exp.Op == syntax.ErrorUnsetOrNull): // these would end the script
		p.Exp.Op, p.Exp.Word = syntax.DefaultUnsetOrNull, missing
	}
	return true
}
