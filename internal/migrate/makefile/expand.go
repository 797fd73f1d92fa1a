package makefile

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/shell"
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
	a, b := operands(rest)
	switch kind {
	case "ifdef":
		return p.r.vars[p.r.expand(rest)].value != ""
	case "ifndef":
		return p.r.vars[p.r.expand(rest)].value == ""
	case "ifneq":
		return p.r.resolved(a) != p.r.resolved(b)
	}
	return p.r.resolved(a) == p.r.resolved(b)
}

// operands splits (a,b), "a" "b" and 'a' 'b'.
func operands(rest string) (a, b string) {
	if inner, ok := strings.CutPrefix(rest, "("); ok {
		parts := arguments(strings.TrimSuffix(strings.TrimSpace(inner), ")"), 2)
		if len(parts) == 2 {
			return strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1])
		}
		return rest, ""
	}
	parts := strings.FieldsFunc(rest, func(r rune) bool { return r == '"' || r == '\'' })
	for len(parts) < 3 {
		parts = append(parts, "")
	}
	return parts[0], parts[2]
}

// resolved expands a text in which unknown variables are empty.
func (r *reader) resolved(text string) string {
	expanded := r.expand(text)
	if strings.HasPrefix(expanded, "${") && strings.HasSuffix(expanded, "}") {
		return ""
	}
	return expanded
}

// arguments splits at commas outside parentheses, into at most n parts.
func arguments(text string, n int) []string {
	var parts []string
	depth, start := 0, 0
	for i, r := range text {
		switch {
		case r == '(' || r == '{':
			depth++
		case r == ')' || r == '}':
			depth--
		case r == ',' && depth == 0 && len(parts) < n-1:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
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
		r.limits.Exceeded("%d nested references", maxReferences)
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
		switch text[i] {
		case '$':
			b.WriteByte('$')
		case '(', '{':
			end := closing(text, i)
			if end < 0 {
				b.WriteString(text[i-1:])
				return b.String()
			}
			b.WriteString(r.reference(text[i+1 : end]))
			i = end
		default:
			b.WriteString(r.variable(text[i : i+1]))
		}
	}
	r.limits.Count(0, b.Len())
	return b.String()
}

// closing returns the index of the closing parenthesis for the one at start, or -1.
func closing(text string, start int) int {
	open := text[start]
	closed := byte(')')
	if open == '{' {
		closed = '}'
	}
	depth := 0
	for i := start; i < len(text); i++ {
		switch text[i] {
		case open:
			depth++
		case closed:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// reference expands the content of $( ): a function, a variable, or a variable with a substitution.
func (r *reader) reference(inner string) string {
	if !r.limits.Count(1, 0) {
		return tooLong
	}
	name, rest, ok := strings.Cut(strings.TrimLeft(inner, " "), " ")
	if !ok {
		name, rest, ok = strings.Cut(inner, "\t")
	}
	if ok {
		if out, known := r.function(name, rest); known {
			return bounded(out)
		}
	}
	inner = r.expand(inner)
	if name, substitution, ok := strings.Cut(inner, ":"); ok {
		if from, to, ok := strings.Cut(substitution, "="); ok {
			if !strings.Contains(from, "%") {
				from, to = "%"+from, "%"+to
			}
			return r.made(functions["patsubst"], []string{from, to, r.variable(name)})
		}
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
	out, ok := r.config.Shell(command)
	if !ok {
		return "$(" + command + ")"
	}
	return strings.TrimSpace(strings.ReplaceAll(out, "\n", " "))
}

// function calls one of make's functions.
func (r *reader) function(name, rest string) (out string, known bool) {
	if f, ok := lazyFunctions()[name]; ok {
		return f(r, rest), true
	}
	f, ok := functions[name]
	if !ok {
		return "", false
	}
	args := arguments(rest, f.arguments)
	for i := range args {
		args[i] = r.expand(args[i])
	}
	for len(args) < f.arguments {
		args = append(args, "")
	}
	return r.made(f, args), true
}

// made calls a function unless its result may be too large: most functions put one argument before, after or instead of parts of
// the next.
func (r *reader) made(f function, args []string) string {
	size := len(args[len(args)-1]) + 1
	if len(args) > 1 {
		size *= len(args[len(args)-2]) + 1
	}
	if size > maxMade {
		return tooLong
	}
	return bounded(f.call(args))
}

// lazyFunctions are the functions that need more than the values of their arguments.
func lazyFunctions() map[string]func(r *reader, rest string) string {
	return map[string]func(r *reader, rest string) string{
		"shell":    func(r *reader, rest string) string { return r.shell(r.expand(rest)) },
		"eval":     func(r *reader, rest string) string { r.parse(r.config.Name, r.expand(rest)); return "" },
		"value":    func(r *reader, rest string) string { return r.vars[rest].value },
		"call":     func(r *reader, rest string) string { return r.call(arguments(rest, 10)) },
		"wildcard": func(r *reader, rest string) string { return r.wildcard(r.expand(rest)) },
		"realpath": func(r *reader, rest string) string { return each(r.expand(rest), r.absolute) },
		"abspath":  func(r *reader, rest string) string { return each(r.expand(rest), r.absolute) },
		"foreach":  (*reader).foreach,
		"or": func(r *reader, rest string) string {
			for _, arg := range arguments(rest, 10) {
				if value := r.resolved(strings.TrimSpace(arg)); value != "" {
					return value
				}
			}
			return ""
		},
		"if": func(r *reader, rest string) string {
			args := append(arguments(rest, 3), "", "")
			if strings.TrimSpace(r.resolved(args[0])) != "" {
				return r.expand(args[1])
			}
			return r.expand(args[2])
		},
	}
}

// foreach expands a text for each word of a list.
func (r *reader) foreach(rest string) string {
	args := append(arguments(rest, 3), "", "")
	name := strings.TrimSpace(r.expand(args[0]))
	var words []string
	length := 0
	for word := range strings.FieldsSeq(r.expand(args[1])) {
		if length > shell.MaxValue || !r.limits.Count(1, 0) {
			return tooLong
		}
		words = append(words, r.with(map[string]variable{name: {word, true}}, func() string { return r.expand(args[2]) }))
		length += len(words[len(words)-1]) + 1
	}
	return strings.Join(words, " ")
}

func (r *reader) absolute(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(r.config.Dir, name)
}

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
			rel, err := filepath.Rel(r.config.Dir, name)
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
	if !r.config.Readable(dir) || !r.limits.Count(steps, 0) {
		return nil
	}
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil
	}
	return names
}
