package shell

import (
	"bytes"
	"errors"
	"go/token"
	"slices"
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

// enter rewrites what is expressed by other syntax, whose nodes are visited next.
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

// check limits what the nesting of a tree and the number of expansions in it can cost.
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
