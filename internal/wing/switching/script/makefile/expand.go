package makefile

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
)

// maxReferences is the maximum depth of variables and functions that refer to each other, searchSteps the cost of a pattern for files.
const (
	maxReferences = 200
	searchSteps   = 64
	maxMade       = 1 << 24
)

// directive follows conditionals such as ifeq.
func (p *parser) directive(line string) bool {
	word, rest, _ := strings.Cut(line, " ")
	if i := strings.IndexByte(word, '('); i > 0 {
		word, rest = line[:i], line[i:]
	}
	switch word {
	case "ifeq", "ifneq", "ifdef", "ifndef":
		met := p.met(word, rest)
		p.conditions = append(p.conditions, condition{met, met})
	case "else":
		if len(p.conditions) == 0 {
			return true
		}
		last := &p.conditions[len(p.conditions)-1]
		active := true
		if kind, rest, ok := strings.Cut(strings.TrimSpace(rest), " "); ok && strings.HasPrefix(kind, "if") {
			active = p.met(kind, rest)
		}
		*last = condition{active && !last.done, active || last.done}
	case "endif":
		if len(p.conditions) > 0 {
			p.conditions = p.conditions[:len(p.conditions)-1]
		}
	default:
		return false
	}
	return true
}

// met evaluates ifeq, ifneq, ifdef and ifndef. Undefined variables are empty, as for make without arguments.
func (p *parser) met(kind, rest string) bool {
	rest = strings.TrimSpace(rest)
	wanted := !strings.HasPrefix(kind, "ifn")
	if strings.HasSuffix(kind, "def") {
		return (p.r.vars[p.r.expand(rest)].value != "") == wanted
	}
	a, b := operands(rest)
	return (p.r.resolved(a) == p.r.resolved(b)) == wanted
}

// operands splits (a,b), "a" "b" and 'a' 'b'.
func operands(rest string) (a, b string) {
	if inner, ok := strings.CutPrefix(rest, "("); ok {
		parts := append(arguments(strings.TrimSuffix(inner, ")"), 2), "")
		return strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1])
	}
	parts := strings.FieldsFunc(rest, func(r rune) bool { return r == '"' || r == '\'' })
	return word(parts, 1), word(parts, 3)
}

// resolved expands a text in which unknown variables are empty.
func (r *reader) resolved(text string) string {
	expanded := r.expand(text)
	if strings.HasPrefix(expanded, "${") && strings.HasSuffix(expanded, "}") {
		return ""
	}
	return expanded
}

// outside returns the index of a character outside of pairs of these parentheses, or -1.
func outside(text string, wanted byte, opening, closing string) int {
	depth := 0
	for i := range len(text) {
		switch {
		case text[i] == wanted && depth <= 0:
			return i
		case strings.IndexByte(opening, text[i]) >= 0:
			depth++
		case strings.IndexByte(closing, text[i]) >= 0:
			depth--
		}
	}
	return -1
}

// arguments splits at commas outside parentheses, into at most n parts.
func arguments(text string, n int) (parts []string) {
	for len(parts) < n-1 {
		i := outside(text, ',', "({", ")}")
		if i < 0 {
			break
		}
		parts, text = append(parts, text[:i]), text[i+1:]
	}
	return append(parts, text)
}

// tooLong is an unknown shell command that replaces a text that grows without limit.
const tooLong = "$(a text that is too long)"

// bounded returns a text, or tooLong.
func bounded(text string) string {
	if len(text) > shell.MaxValue {
		return tooLong
	}
	return text
}

// expand expands variables and functions. $$ becomes $, for the shell.
func (r *reader) expand(text string) string {
	if r.depth >= maxReferences {
		r.Limits.Exceeded("%d nested references", maxReferences)
	}
	r.depth++
	defer func() { r.depth-- }()
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if b.Len() > shell.MaxValue {
			return tooLong
		}
		if text[i] != '$' || i+1 >= len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		closing := byte(')')
		switch text[i] {
		case '$':
			b.WriteByte('$')
		case '{':
			closing = '}'
			fallthrough
		case '(':
			length := outside(text[i+1:], closing, text[i:i+1], string(closing))
			if length < 0 {
				return b.String() + text[i-1:]
			}
			b.WriteString(r.reference(text[i+1 : i+1+length]))
			i += 1 + length
		default:
			b.WriteString(r.variable(text[i : i+1]))
		}
	}
	r.Limits.Count(0, b.Len())
	return b.String()
}

// reference expands the content of $( ): a function, a variable, or a variable with a substitution.
func (r *reader) reference(inner string) string {
	if !r.Limits.Count(1, 0) {
		return tooLong
	}
	call := strings.TrimLeft(inner, " ")
	if i := strings.IndexAny(call, " \t"); i > 0 {
		if out, known := r.function(call[:i], call[i+1:]); known {
			return bounded(out)
		}
	}
	computed := r.expand(inner)
	isComputed := computed != inner
	inner = computed
	if name, substitution, ok := strings.Cut(inner, ":"); ok {
		if from, to, ok := strings.Cut(substitution, "="); ok {
			if !strings.Contains(from, "%") {
				from, to = "%"+from, "%"+to
			}
			return functions["patsubst"].made([]string{from, to, r.variable(name)})
		}
	}
	if _, ok := r.vars[inner]; !ok && isComputed { // the command line does not set these
		return ""
	}
	return r.variable(inner)
}

// variable returns the value of a variable. An undefined variable may come from the command line: it stays in the text, unknown
// to the shell.
func (r *reader) variable(name string) string {
	v, ok := r.vars[name]
	switch {
	case !ok && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == "" && name != "":
		return "${" + name + "}"
	case !ok:
		return ""
	case v.expanded:
		return v.value
	case slices.Contains(r.expanding, name):
		return ""
	}
	r.expanding = append(r.expanding, name)
	defer func() { r.expanding = r.expanding[:len(r.expanding)-1] }()
	return r.expand(v.value)
}

// shell returns the output of a command. Unknown commands are left to the shell.
func (r *reader) shell(command string) string {
	out, err := r.Shell(command)
	if err != nil {
		return "$(" + command + ")"
	}
	return strings.TrimSpace(strings.ReplaceAll(out, "\n", " "))
}

// function calls one of make's functions.
func (r *reader) function(name, rest string) (out string, known bool) {
	switch name { // functions that need more than the values of their arguments
	case "shell":
		return r.shell(r.expand(rest)), true
	case "eval":
		r.parse(r.Name, r.expand(rest))
		return "", true
	case "value":
		return r.vars[rest].value, true
	case "call":
		return r.call(arguments(rest, 10)), true
	case "wildcard":
		return r.wildcard(r.expand(rest)), true
	case "realpath", "abspath":
		return each(r.expand(rest), r.absolute), true
	case "foreach":
		return r.foreach(append(arguments(rest, 3), "", "")), true
	case "or":
		for _, arg := range arguments(rest, 10) {
			if out = r.resolved(strings.TrimSpace(arg)); out != "" {
				return out, true
			}
		}
		return "", true
	case "if":
		args := append(arguments(rest, 3), "", "")
		if strings.TrimSpace(r.resolved(args[0])) != "" {
			return r.expand(args[1]), true
		}
		return r.expand(args[2]), true
	}
	f, ok := functions[name]
	if !ok {
		return "", false
	}
	args := make([]string, f.arguments)
	for i, arg := range arguments(rest, f.arguments) {
		args[i] = r.expand(arg)
	}
	return f.made(args), true
}

// foreach expands a text for each word of a list.
func (r *reader) foreach(args []string) string {
	name := strings.TrimSpace(r.expand(args[0]))
	var b strings.Builder
	for word := range strings.FieldsSeq(r.expand(args[1])) {
		if b.Len() > shell.MaxValue || !r.Limits.Count(1, 0) {
			return tooLong
		}
		b.WriteString(r.with(map[string]variable{name: {word, true}}, func() string { return r.expand(args[2]) }) + " ")
	}
	return strings.TrimSuffix(b.String(), " ")
}

func (r *reader) absolute(name string) string { return diag.Absolute(r.Dir, name) }

// call expands a variable with arguments.
func (r *reader) call(args []string) string {
	name := strings.TrimSpace(r.expand(args[0]))
	if slices.Contains(r.expanding, name) {
		return ""
	}
	local := map[string]variable{"0": {name, true}}
	for i, arg := range args[1:] {
		local[strconv.Itoa(i+1)] = variable{r.expand(arg), true}
	}
	return r.with(local, func() string { return r.variable(name) })
}

// wildcard returns the existing files below the working directory.
func (r *reader) wildcard(patterns string) string {
	var found []string
	for pattern := range strings.FieldsSeq(patterns) {
		for _, name := range r.glob(r.absolute(pattern)) {
			rel, err := filepath.Rel(r.Dir, name)
			if err != nil || strings.HasPrefix(rel, "..") {
				continue
			}
			if !filepath.IsAbs(pattern) {
				name = filepath.ToSlash(rel)
			}
			found = append(found, name)
		}
	}
	return strings.Join(found, " ")
}

// glob returns the files that match an absolute pattern, in readable directories.
func (r *reader) glob(pattern string) []string {
	dir, steps := pattern, 1
	if wild := strings.IndexAny(pattern, `*?[\`); wild >= 0 {
		dir, steps = filepath.Dir(pattern[:wild]+"x"), searchSteps
	}
	if !r.Readable(dir) || !r.Limits.Count(steps, 0) {
		return nil
	}
	names, _ := filepath.Glob(pattern) // nothing for an invalid pattern
	return names
}
