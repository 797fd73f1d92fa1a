package makefile

import (
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
)

// target is a target of a rule, with the text that % stands for.
type target struct{ name, stem string }

// unknownStem stands for the text for % if no rule needs a target of a pattern.
const unknownStem = "${STEM}"

// made returns the targets of a rule: for a pattern, the goals that match.
func (r *rule) made(goals []string) (all []target) {
	for _, name := range r.targets {
		if !strings.Contains(name, "%") {
			stem, _ := match(r.pattern, name)
			all = append(all, target{name, stem})
			continue
		}
		before := len(all)
		for _, goal := range goals {
			if stem, ok := match(name, goal); ok && stem != "" {
				all = append(all, target{goal, stem})
			}
		}
		if len(all) == before {
			all = append(all, target{strings.Replace(name, "%", unknownStem, 1), unknownStem})
		}
	}
	return all
}

// goals returns the targets that rules need or that recipes pass to make, unless a rule with a recipe names them.
func (r *reader) goals() (goals []string) {
	named := map[string]bool{}
	for _, rule := range r.rules {
		for _, name := range rule.targets {
			named[name] = named[name] || len(rule.lines) > 0
		}
	}
	add := func(words string) {
		for word := range strings.FieldsSeq(words) {
			if !named[word] && !strings.Contains(word, "%") && r.Limits.Count(1, 0) {
				named[word] = true
				goals = append(goals, word)
			}
		}
	}
	for _, rule := range r.rules {
		if len(rule.lines) == 0 {
			add(strings.Join(slices.DeleteFunc(slices.Clone(rule.targets), func(name string) bool { return name == ".PHONY" }), " "))
		}
		add(r.expand(rule.needs))
		for _, line := range rule.lines {
			for _, call := range makeCall().FindAllStringSubmatch(line, -1) {
				add(r.expand(call[1]))
			}
		}
	}
	for range 3 { // patterns may need targets of patterns
		for _, rule := range r.rules {
			for _, made := range rule.made(goals) {
				if made.stem != "" && made.stem != unknownStem {
					add(strings.ReplaceAll(r.expand(rule.needs), "%", made.stem))
				}
			}
		}
	}
	return goals
}

// makeCall matches a call of make, with its arguments.
var makeCall = lazy.Regexp(`\$[({]MAKE[)}]([^;&|]*)`)

// automatic returns the automatic variables for a target, with those for directories and names of files.
func (t target) automatic(needs []string) map[string]variable {
	all := strings.Join(needs, " ")
	vars := map[string]variable{"@": {t.name, true}, "*": {t.stem, true}, "<": {word(needs, 1), true}}
	for _, name := range []string{"^", "+", "?"} {
		vars[name] = variable{all, true}
	}
	for _, name := range []string{"@", "*", "<", "^", "+", "?"} {
		vars[name+"D"] = variable{each(vars[name].value, path.Dir), true}
		vars[name+"F"] = variable{each(vars[name].value, path.Base), true}
	}
	return vars
}
