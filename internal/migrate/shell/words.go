package shell

import (
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
	patternCost        = 64
	// maxReason is the length at which a reason stops naming further variables.
	maxReason = 1 << 10
)

// mark returns a mark as it is in values.
func (s *script) mark(source, reason string) string {
	m := mark{source[:min(len(source), maxReason)], reason[:min(len(reason), 2*maxReason)]}
	n, ok := s.numbers[m]
	if !ok {
		n = len(s.marks)
		s.numbers[m] = n
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

// word returns a word for a text.
func word(text string) *syntax.Word {
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.SglQuoted{Value: text}}}
}

// words rewrites words so that what is unknown becomes a mark.
func (r *rewriter) words(words ...*syntax.Word) {
	for _, w := range words {
		if w == nil || len(w.Parts) == 0 || !r.deeper(w.Pos()) {
			continue
		}
		if first, ok := w.Parts[0].(*syntax.Lit); ok && len(first.Value) > 1 && first.Value[0] == '~' && first.Value[1] != '/' {
			w.Parts[0] = &syntax.Lit{Value: r.s.runtime(first.Value)}
		}
		switch prefixed := r.prefixed(w); {
		case r.tooManyFields(w):
			w.Parts = []syntax.WordPart{&syntax.Lit{ValuePos: w.Pos(), Value: r.s.mark(r.text(w), tooLong)}}
		case prefixed != nil:
			w.Parts = []syntax.WordPart{prefixed}
		default:
			r.parts(w.Parts)
		}
		r.depth--
	}
}

// tooManyFields reports whether braces make too many fields of a word.
func (r *rewriter) tooManyFields(w *syntax.Word) bool {
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	if !syntax.SplitBraces(split) {
		return false
	}
	limit := MaxValue / len(r.text(w))
	if strings.ContainsAny(r.text(w), "$`") {
		limit = min(limit, maxExpansions)
	}
	n := 0
	for _, err := range expand.BracesSeq(nil, split) {
		if n++; err != nil || n > limit {
			return true
		}
	}
	return false
}

// prefixed recognizes "${array[@]/#/prefix}", the idiom for adding a prefix to each element, which the interpreter does not know.
func (r *rewriter) prefixed(w *syntax.Word) syntax.WordPart {
	quoted, ok := w.Parts[0].(*syntax.DblQuoted)
	if !ok || len(quoted.Parts) != 1 {
		return nil
	}
	p, ok := quoted.Parts[0].(*syntax.ParamExp)
	if !ok || p.Repl == nil || p.Repl.With == nil || r.text(p.Repl.Orig) != "#" {
		return nil
	}
	prefix := &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: p.Repl.With.Parts}}}
	p.Repl = nil
	r.words(prefix, w)
	return &syntax.CmdSubst{Stmts: []*syntax.Stmt{r.special(func(c running) error {
		for _, element := range c.args[1:] {
			if err := c.print(c.args[0] + element + "\n"); err != nil {
				return err
			}
		}
		return nil
	}, prefix, &syntax.Word{Parts: w.Parts})}}
}

// parts rewrites the parts of a word.
func (r *rewriter) parts(parts []syntax.WordPart) {
	for i, part := range parts {
		switch part := part.(type) {
		case *syntax.DblQuoted:
			r.parts(part.Parts)
		case *syntax.ParamExp:
			if !r.param(part) {
				parts[i] = &syntax.Lit{ValuePos: part.Pos(), Value: r.s.runtime(r.text(part))}
			}
		case *syntax.CmdSubst:
			if len(part.Stmts) == 1 && part.Stmts[0].Cmd == nil { // $(<file)
				if redirs := part.Stmts[0].Redirs; len(redirs) == 1 && redirs[0].Op == syntax.RdrIn {
					part.Stmts[0] = cat(redirs[0].Word)
				}
			}
			r.stmts(part.Stmts)
		case *syntax.ArithmExp, *syntax.ProcSubst:
			parts[i] = &syntax.Lit{ValuePos: part.Pos(), Value: r.s.runtime(r.text(part))}
		case *syntax.ExtGlob:
			parts[i] = &syntax.Lit{Value: part.Op.String() + part.Pattern.Value + ")"}
		}
	}
}

// param rewrites the expansion of a parameter. It returns false if the result is always unknown.
func (r *rewriter) param(p *syntax.ParamExp) bool {
	if p.Param == nil || p.Excl || p.Width || p.IsSet || !isConstant(p.Index) {
		return false
	}
	if p.Slice != nil && (!isConstant(p.Slice.Offset) || !isConstant(p.Slice.Length)) {
		return false
	}
	name := p.Param.Value
	missing := word(r.s.unset(name))
	r.s.used[name] = true
	switch {
	case name == "@" || name == "*" || name == "#" || p.Length:
	case strings.Contains("$!?-_ PPID RANDOM SRANDOM", name): // those of this process
		p.Param, p.Exp = &syntax.Lit{Value: inputName}, &syntax.Expansion{Op: syntax.AlternateUnset, Word: missing}
		return true
	case name == "BASH_SOURCE":
		r.before = append(r.before, assign(name, word(r.name)))
	case p.Exp == nil && p.Repl == nil && p.Slice == nil && p.Index == nil:
		p.Short, p.Exp = false, &syntax.Expansion{Op: syntax.DefaultUnset, Word: missing}
		return true
	case p.Exp == nil || p.Exp.Op > syntax.AssignUnsetOrNull: // what has another operator cannot have a default as well
		// It takes much longer to match a pattern than to copy a text.
		r.before = append(r.before, r.special(func(c running) error {
			r.s.limits.Text(patternCost * len(c.Env.Get(name).Str))
			return r.s.limits.Err()
		}))
		if syntax.ValidName(name) {
			unset := &syntax.ParamExp{Param: p.Param, Exp: &syntax.Expansion{Op: syntax.AssignUnset, Word: missing}}
			args := []*syntax.Word{word("true"), {Parts: []syntax.WordPart{unset}}}
			r.before = append(r.before, &syntax.Stmt{Cmd: &syntax.CallExpr{Args: args}})
		}
	}
	switch {
	case p.Repl != nil:
		with := p.Repl.With
		isLong := with != nil && (len(r.text(with)) > maxReplacement || strings.ContainsAny(r.text(with), "$`"))
		if strings.IndexAny(r.text(p.Repl.Orig), "#%") == 0 || p.Repl.All && isLong {
			return false // the interpreter does not know anchors, and the length of the result must be limited
		}
		r.words(p.Repl.Orig, with)
	case p.Exp != nil && p.Exp.Op == syntax.OtherParamOps:
		return false
	case p.Exp != nil && (p.Exp.Op == syntax.ErrorUnset || p.Exp.Op == syntax.ErrorUnsetOrNull): // these would end the script
		p.Exp.Op, p.Exp.Word = syntax.DefaultUnsetOrNull, missing
	case p.Exp != nil:
		r.words(p.Exp.Word)
	}
	return true
}

// isConstant reports whether the index of an array is a number, * or @, or a quoted key.
func isConstant(index syntax.ArithmExpr) bool {
	w, ok := index.(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		return index == nil
	}
	switch part := w.Parts[0].(type) {
	case *syntax.Lit:
		_, err := strconv.ParseUint(part.Value, 10, 16)
		return err == nil || part.Value == "@" || part.Value == "*"
	case *syntax.DblQuoted:
		return (&syntax.Word{Parts: part.Parts}).Lit() != ""
	case *syntax.SglQuoted:
		return true
	}
	return false
}
