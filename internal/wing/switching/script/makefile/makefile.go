// Package makefile evaluates Makefiles without running anything: variables, includes, conditions, functions and recipes.
//
// The flags of generators are often make variables. Recipes are passed to package shell.
package makefile

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
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
	// Shell returns what $(shell …) prints, or an error if only a run can tell.
	Shell func(command string) (string, error)
}

// Recipe is the recipe of a target, as passed to the shell. Unknown parts remain as variables or commands that the shell does not
// know either.
type Recipe struct {
	// Pos is the line of the first line of Text, which keeps line breaks so that later lines can be counted.
	Pos    token.Position
	Target string
	Text   string
	// Together is true if the lines run in one shell.
	Together bool
	// Variables are the exported variables.
	Variables map[string]string
}

// variable is the value of a variable, expanded or not.
type variable struct {
	value    string
	expanded bool
}

// reader is the state of a Makefile.
type reader struct {
	Config
	vars map[string]variable
	// own are the variables of single targets.
	own   map[string]map[string]variable
	files []string
	rules []*rule
	// exported are the names of the exported variables.
	exported []string
	// expanding are the names of the variables being expanded.
	expanding []string
	// depth is the number of expansions in progress.
	depth int
}

// rule is a recipe before expansion: variables may be set later.
type rule struct {
	pos     token.Position
	targets []string
	// pattern is the pattern of the targets in targets: pattern: needs.
	pattern, needs string
	lines          []string
}

// Read returns the recipes of a Makefile and of the files that it includes, as far as the limits allow. A recipe that differs between
// its targets counts once for each, and the recipe of a pattern once for each target that another rule needs.
func Read(config Config) (recipes []Recipe) {
	r := &reader{
		Config: config, own: map[string]map[string]variable{}, vars: map[string]variable{
			"MAKE": {"make", true}, "CURDIR": {config.Dir, true}, "SHELL": {"/bin/sh", true}, "empty": {"", true},
		},
	}
	r.include(config.Name)
	goals := r.goals()
	together := slices.ContainsFunc(r.rules, func(rule *rule) bool { return slices.Contains(rule.targets, ".ONESHELL") })
	for _, rule := range r.rules {
		if len(rule.lines) == 0 {
			continue
		}
		texts := map[string]bool{}
		for _, made := range rule.made(goals) {
			r.Limits.At(rule.pos)
			if !r.Limits.Count(1, 0) {
				return recipes
			}
			recipe := r.recipe(rule, made)
			recipe.Together = together
			if !texts[recipe.Text] {
				recipes = append(recipes, recipe)
			}
			texts[recipe.Text] = true
		}
	}
	return recipes
}

// recipe expands a rule for one of its targets.
func (r *reader) recipe(rule *rule, made target) Recipe {
	needs := strings.Fields(strings.ReplaceAll(r.expand(rule.needs), "%", made.stem))
	local := made.automatic(needs)
	maps.Copy(local, r.own[made.name])
	recipe := Recipe{Pos: rule.pos, Target: strings.Join(rule.targets, " ")}
	if len(r.exported) > 0 {
		recipe.Variables = map[string]string{}
	}
	recipe.Text = r.with(local, func() string {
		for _, name := range r.exported {
			if value := r.variable(name); !strings.Contains(value, "$") {
				recipe.Variables[name] = value
			}
		}
		return commands(r.expand(strings.Join(rule.lines, "\n")))
	})
	return recipe
}

// commands drops the prefix characters of lines, such as @ and -.
func commands(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i == 0 || !strings.HasSuffix(lines[i-1], `\`) {
			lines[i] = strings.TrimLeft(line, " \t@-+")
		}
	}
	return strings.Join(lines, "\n")
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

// include reads a file, once.
func (r *reader) include(name string) {
	text, ok := r.Open(name)
	if !ok || slices.Contains(r.files, name) || !r.Limits.Count(256, 0) { // files include each other
		return
	}
	if len(text) > shell.MaxFile {
		r.Limits.At(token.Position{Filename: name, Line: 1})
		r.Limits.Exceeded("%d KiB of Makefile", shell.MaxFile>>10)
		return
	}
	r.files = append(r.files, name)
	r.vars["MAKEFILE_LIST"] = variable{strings.Join(r.files, " "), true}
	r.parse(name, string(text))
}

var (
	assignmentLine = lazy.Regexp(`^\s*(?:export\s+|override\s+|private\s+)*([^\s:#=?+!]+)\s*(::?:?=|\?=|\+=|!=|=)\s*(.*)$`)
	includeLine    = lazy.Regexp(`^\s*(?:-include|sinclude|include)\s+(.*)$`)
	exportLine     = lazy.Regexp(`^\s*export\s+([^:]+)`)
	defineLine     = lazy.Regexp(`^\s*(?:export\s+|override\s+)*define\s+(\S+?)\s*(?:[:+?]*=)?\s*$`)
	continued      = lazy.Regexp(`[ \t]*\\\n[ \t]*`)
	ruleNeeds      = lazy.Regexp(`^::?([^:=].*|)$`)
)

// parse reads the lines of a file.
func (r *reader) parse(file, text string) {
	p := &parser{r: r, file: file, lines: strings.Split(text, "\n")}
	for p.next < len(p.lines) && r.Limits.Err() == nil {
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

// line reads one logical line, including continuations.
func (p *parser) line() {
	start := p.next
	for p.next++; p.next < len(p.lines) && strings.HasSuffix(p.lines[p.next-1], `\`); {
		p.next++
	}
	raw := p.lines[start:p.next]
	active := !slices.ContainsFunc(p.conditions, func(c condition) bool { return !c.active })
	if strings.HasPrefix(raw[0], "\t") && p.current != nil {
		if active {
			p.current.add(start+1, raw)
		}
		return
	}
	p.r.Limits.At(token.Position{Filename: p.file, Line: start + 1})
	logical := comment(continued().ReplaceAllString(strings.Join(raw, "\n"), " "))
	if p.directive(strings.TrimSpace(logical)) || !active || strings.TrimSpace(logical) == "" {
		return
	}
	if m := defineLine().FindStringSubmatch(logical); m != nil {
		p.define(m[1])
	} else if m := includeLine().FindStringSubmatch(logical); m != nil {
		for pattern := range strings.FieldsSeq(p.r.expand(m[1])) {
			pattern = p.r.absolute(pattern)
			for _, name := range append(p.r.glob(pattern), pattern) {
				p.r.include(name)
			}
		}
	} else if m := assignmentLine().FindStringSubmatch(logical); m != nil {
		p.r.set(p.r.vars, m[1], m[2], m[3])
		if exportLine().MatchString(logical) {
			p.r.exported = append(p.r.exported, p.r.expand(m[1]))
		}
	} else if m := exportLine().FindStringSubmatch(logical); m != nil {
		p.r.exported = slices.AppendSeq(p.r.exported, strings.FieldsSeq(p.r.expand(m[1])))
	} else {
		p.rule(start+1, logical)
	}
}

// comment drops a comment. A # in a function call or after a backslash does not start one.
func comment(line string) string {
	for i := 0; ; i++ {
		next := outside(line[i:], '#', "({", ")}")
		if next < 0 {
			return line
		}
		if i += next; i == 0 || line[i-1] != '\\' {
			return line[:i]
		}
	}
}

// rule reads a rule, a target-specific assignment, or a line that expands to something else.
func (p *parser) rule(line int, logical string) {
	p.current = nil
	colon := max(0, outside(logical, ':', "({", ")}"))
	m := ruleNeeds().FindStringSubmatch(logical[colon:])
	if m == nil || colon == 0 || strings.IndexByte(" \t#=", logical[0]) >= 0 {
		p.r.expand(logical) // such as $(eval …)
		return
	}
	targets := strings.Fields(p.r.expand(logical[:colon]))
	if len(targets) == 0 || !p.r.Limits.Count(len(targets), 0) {
		return
	}
	needs, command, inline := strings.Cut(m[1], ";")
	p.current = &rule{pos: token.Position{Filename: p.file, Line: line}, targets: targets, needs: needs}
	p.r.rules = append(p.r.rules, p.current)
	if inline {
		p.current.lines = []string{command}
	}
	if own := assignmentLine().FindStringSubmatch(m[1]); own != nil {
		p.current.needs = ""
		if exportLine().MatchString(m[1]) {
			p.r.exported = append(p.r.exported, p.r.expand(own[1]))
		}
		for _, target := range targets {
			if p.r.own[target] == nil {
				p.r.own[target] = map[string]variable{}
			}
			p.r.set(p.r.own[target], own[1], own[2], own[3])
		}
	} else if pattern, rest, ok := strings.Cut(needs, ":"); ok {
		p.current.pattern, p.current.needs = strings.TrimSpace(p.r.expand(pattern)), rest
	}
}

// add adds lines to a recipe. Empty lines are kept for the line count.
func (r *rule) add(line int, lines []string) {
	if len(r.lines) == 0 {
		r.pos.Line = line
	}
	r.lines = append(r.lines, make([]string, max(0, line-r.pos.Line-len(r.lines)))...)
	r.lines = append(r.lines, lists.Map(lines, func(text string) string { return strings.TrimPrefix(text, "\t") })...)
}

// define reads up to endef.
func (p *parser) define(name string) {
	length := slices.IndexFunc(p.lines[p.next:], func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "endef") })
	if length < 0 {
		length = len(p.lines) - p.next
	}
	p.r.vars[name] = variable{strings.Join(p.lines[p.next:p.next+length], "\n"), false}
	p.next += length + 1
}

// set sets a variable.
func (r *reader) set(vars map[string]variable, name, operator, value string) {
	name = r.expand(name)
	old, known := vars[name]
	switch operator {
	case "=", "?=":
		if !known || operator == "=" {
			vars[name] = variable{value, false}
		}
	case "+=":
		if old.expanded {
			value = r.expand(value)
		}
		vars[name] = variable{bounded(strings.TrimSpace(old.value + " " + value)), old.expanded}
	case "!=":
		vars[name] = variable{r.shell(r.expand(value)), true}
	default:
		vars[name] = variable{r.expand(value), true}
	}
}
