package shell

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

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

// mark returns a mark as it is in values.
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
			if a.Unknown == "" {
				a.Unknown = s.marks[n].reason
			}
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

// parts rewrites the parts of a word so that what is unknown becomes a mark.
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
	case slices.Contains([]string{"$", "!", "?", "-", "_", "PPID", "RANDOM", "SRANDOM"}, name): // those of this process
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
	case p.Exp == nil || p.Exp.Op > syntax.AssignUnsetOrNull: // what has another operator cannot have a default as well
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
