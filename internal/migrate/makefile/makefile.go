// Package makefile evaluates Makefiles without running anything: variables, includes, conditions, functions and recipes.
//
// The flags of generators are often make variables. Recipes are passed to package shell.
package makefile

import (
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/shell"
)

// Config holds the location of a Makefile and functions to read other files.
type Config struct {
	// Name is the absolute name of the file, and Dir the working directory.
	Name, Dir string
	// Limits limits the work of reading the Makefile.
	Limits *shell.Limits
	// Readable reports whether a directory may be read.
	Readable func(dir string) bool
	// Open returns the text of a file, and false if the file does not exist.
	Open func(name string) ([]byte, bool)
	// Shell returns what $(shell …) prints; false if only a run can tell.
	Shell func(command string) (string, bool)
}

// Recipe is the recipe of a target, as passed to the shell. Unknown parts remain as variables or commands that the shell does not
// know either.
type Recipe struct {
	File string
	// Line is the line of the first line of Text, which keeps line breaks so that later lines can be counted.
	Line   int
	Target string
	Text   string
}

// variable is the value of a variable, expanded or not.
type variable struct {
	value    string
	expanded bool
}

// reader is the state of a Makefile.
type reader struct {
	config  Config
	limits  *shell.Limits
	vars    map[string]variable
	files   []string
	recipes []*rule
	// expanding are the names of the variables being expanded.
	expanding []string
	// depth is the number of expansions in progress.
	depth int
}

// rule is a recipe before expansion: variables may be set later.
type rule struct {
	file    string
	line    int
	targets []string
	needs   string
	lines   []string
	// own are the target-specific variables.
	own map[string]variable
}

// includeCommands is the cost of an included file, in commands of the limits: files include each other.
const includeCommands = 256

// Read returns the recipes of a Makefile and of the files that it includes, as far as the limits allow.
func Read(config Config) []Recipe {
	r := &reader{config: config, limits: config.Limits, vars: map[string]variable{
		"MAKE": {"make", true}, "CURDIR": {config.Dir, true}, "SHELL": {"/bin/sh", true}, "empty": {"", true},
	}}
	if !r.include(config.Name) {
		return nil
	}
	own := map[string]map[string]variable{}
	for _, rule := range r.recipes {
		for _, target := range rule.targets {
			if own[target] == nil {
				own[target] = map[string]variable{}
			}
			maps.Copy(own[target], rule.own)
		}
	}
	var recipes []Recipe
	for _, rule := range r.recipes {
		if len(rule.lines) == 0 {
			continue
		}
		r.limits.At(token.Position{Filename: rule.file, Line: rule.line})
		if r.limits.Err() != nil {
			break
		}
		target := strings.Join(rule.targets, " ")
		first := rule.targets[0]
		needs := strings.Fields(r.expand(rule.needs))
		local := map[string]variable{
			"@": {first, true}, "^": {strings.Join(needs, " "), true}, "*": {"", true}, "@D": {filepath.Dir(first), true}, "<": {"", true},
		}
		if len(needs) > 0 {
			local["<"] = variable{needs[0], true}
		}
		maps.Copy(local, own[first])
		text := r.with(local, func() string { return r.lines(rule.lines) })
		recipes = append(recipes, Recipe{File: rule.file, Line: rule.line, Target: target, Text: text})
	}
	return recipes
}

// lines expands the lines of a recipe and drops the prefix characters such as @ and -.
func (r *reader) lines(lines []string) string {
	out := make([]string, len(lines))
	continued := false
	for i, line := range lines {
		if !continued {
			line = strings.TrimLeft(line, " \t@-+")
		}
		continued = strings.HasSuffix(line, `\`)
		out[i] = line
	}
	text := r.expand(strings.Join(out, "\n"))
	out = strings.Split(text, "\n")
	for i, line := range out { // a variable may begin with a prefix character
		if i == 0 || !strings.HasSuffix(out[i-1], `\`) {
			out[i] = strings.TrimLeft(line, "@-+")
		}
	}
	return strings.Join(out, "\n")
}

// with calls f with additional variables.
func (r *reader) with(local map[string]variable, f func() string) string {
	for name, v := range local {
		before, ok := r.vars[name]
		r.vars[name] = v
		defer func() {
			if r.vars[name] = before; !ok {
				delete(r.vars, name)
			}
		}()
	}
	return f()
}

// include reads a file.
func (r *reader) include(name string) bool {
	if slices.Contains(r.files, name) {
		return false
	}
	text, ok := r.config.Open(name)
	if !ok || !r.limits.Count(includeCommands, 0) {
		return false
	}
	if len(text) > shell.MaxFile {
		r.limits.At(token.Position{Filename: name, Line: 1})
		r.limits.Exceeded("%d KiB of Makefile", shell.MaxFile>>10)
		return false
	}
	r.files = append(r.files, name)
	list := r.vars["MAKEFILE_LIST"].value
	r.vars["MAKEFILE_LIST"] = variable{strings.TrimSpace(list + " " + name), true}
	r.parse(name, string(text))
	return true
}

var (
	assignmentLine = lazy(`^\s*(?:export\s+|override\s+|private\s+)*([^\s:#=?+!]+)\s*(::?:?=|\?=|\+=|!=|=)\s*(.*)$`)
	includeLine    = lazy(`^\s*(?:-include|sinclude|include)\s+(.*)$`)
	defineLine     = lazy(`^\s*(?:export\s+|override\s+)*define\s+(\S+?)\s*(?:[:+?]*=)?\s*$`)
	ruleLine       = lazy(`^([^\s:=#][^:=#]*?)\s*::?([^:=].*|)$`)
)

// lazy compiles a pattern when it is first used.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// parse reads the lines of a file.
func (r *reader) parse(file, text string) {
	p := &parser{r: r, file: file, lines: strings.Split(text, "\n")}
	for p.next < len(p.lines) && r.limits.Err() == nil {
		p.line()
	}
}

// parser parses the lines of one file.
type parser struct {
	r       *reader
	file    string
	lines   []string
	next    int
	current *rule
	// conditions are the conditional directives around the current line.
	conditions []condition
}

// condition is a conditional directive: whether its lines count, and whether one of its branches did.
type condition struct{ active, done bool }

func (p *parser) active() bool {
	return !slices.ContainsFunc(p.conditions, func(c condition) bool { return !c.active })
}

// line reads one logical line, including continuations.
func (p *parser) line() {
	raw := p.lines[p.next]
	if strings.HasPrefix(raw, "\t") && p.current != nil {
		start := p.next
		p.next++
		for strings.HasSuffix(p.lines[p.next-1], `\`) && p.next < len(p.lines) {
			p.next++
		}
		if p.active() {
			p.recipe(start)
		}
		return
	}
	start := p.next
	p.r.limits.At(token.Position{Filename: p.file, Line: start + 1})
	logical := raw
	for p.next++; strings.HasSuffix(logical, `\`) && p.next < len(p.lines); p.next++ {
		logical = strings.TrimRight(strings.TrimSuffix(logical, `\`), " \t") + " " + strings.TrimLeft(p.lines[p.next], " \t")
	}
	logical = comment(logical)
	if p.directive(strings.TrimSpace(logical)) || !p.active() || strings.TrimSpace(logical) == "" {
		return
	}
	if m := defineLine().FindStringSubmatch(logical); m != nil {
		p.define(m[1])
		return
	}
	if m := includeLine().FindStringSubmatch(logical); m != nil {
		for pattern := range strings.FieldsSeq(p.r.expand(m[1])) {
			pattern = p.r.absolute(pattern)
			for _, name := range append(p.r.glob(pattern), pattern) {
				p.r.include(name)
			}
		}
		return
	}
	if m := assignmentLine().FindStringSubmatch(logical); m != nil {
		p.set(p.r.vars, m[1], m[2], m[3])
		return
	}
	p.rule(start, logical)
}

// comment drops a comment. A # in a function call or after a backslash does not start one.
func comment(line string) string {
	depth := 0
	for i, r := range line {
		switch {
		case r == '(' || r == '{':
			depth++
		case r == ')' || r == '}':
			depth--
		case r == '#' && depth <= 0 && (i == 0 || line[i-1] != '\\'):
			return line[:i]
		}
	}
	return line
}

// rule reads a rule, a target-specific assignment, or a line that expands to something else.
func (p *parser) rule(start int, logical string) {
	m := ruleLine().FindStringSubmatch(logical)
	if m == nil {
		p.r.expand(logical) // such as $(eval …)
		p.current = nil
		return
	}
	targets := strings.Fields(p.r.expand(m[1]))
	if len(targets) == 0 || !p.r.limits.Count(len(targets), 0) {
		p.current = nil
		return
	}
	needs, command, inline := strings.Cut(m[2], ";")
	p.current = &rule{file: p.file, line: start + 1, targets: targets, needs: needs, own: map[string]variable{}}
	if own := assignmentLine().FindStringSubmatch(m[2]); own != nil && !inline {
		p.set(p.current.own, own[1], own[2], own[3])
	} else if inline {
		p.current.lines = []string{command}
	}
	p.r.recipes = append(p.r.recipes, p.current)
}

// recipe adds the lines from start to the current rule. Empty lines are kept for the line count.
func (p *parser) recipe(start int) {
	if len(p.current.lines) == 0 {
		p.current.line = start + 1
	}
	for len(p.current.lines) < start+1-p.current.line {
		p.current.lines = append(p.current.lines, "")
	}
	for _, line := range p.lines[start:p.next] {
		p.current.lines = append(p.current.lines, strings.TrimPrefix(line, "\t"))
	}
}

// define reads up to endef.
func (p *parser) define(name string) {
	var body []string
	for ; p.next < len(p.lines); p.next++ {
		if strings.HasPrefix(strings.TrimSpace(p.lines[p.next]), "endef") {
			p.next++
			break
		}
		body = append(body, p.lines[p.next])
	}
	p.r.vars[name] = variable{strings.Join(body, "\n"), false}
}

// set sets a variable.
func (p *parser) set(vars map[string]variable, name, operator, value string) {
	name = p.r.expand(name)
	old, known := vars[name]
	switch operator {
	case "=":
		vars[name] = variable{value, false}
	case "?=":
		if !known {
			vars[name] = variable{value, false}
		}
	case "+=":
		if old.expanded {
			value = p.r.expand(value)
		}
		vars[name] = variable{bounded(strings.TrimSpace(old.value + " " + value)), old.expanded}
	case "!=":
		vars[name] = variable{p.r.shell(p.r.expand(value)), true}
	default:
		vars[name] = variable{p.r.expand(value), true}
	}
}
