// Package gogenerate reads go:generate directives.
package gogenerate

import "strings"

// Directive is a go:generate directive.
type Directive struct {
	Line int
	// Command is the command, with that of its alias, and Package the name of the file's package.
	Command, Package string
}

// Directives returns the go:generate directives of a file. Directives that define an alias are not among them.
func Directives(text []byte) []Directive {
	var all []Directive
	pkg, aliases := "", map[string]string{}
	for i, line := range strings.Split(string(text), "\n") {
		if clause, ok := strings.CutPrefix(line, "package "); ok && pkg == "" {
			pkg = strings.Fields(clause + " _")[0]
		}
		command, ok := strings.CutPrefix(line, "//go:generate")
		if !ok || strings.TrimLeft(command, " \t") == command {
			continue
		}
		command = strings.TrimSpace(command)
		name, rest := firstWord(command)
		if name == "-command" {
			name, rest = firstWord(rest)
			aliases[name] = rest
			continue
		}
		if alias, ok := aliases[name]; ok {
			command = strings.TrimSpace(alias + " " + rest)
		}
		all = append(all, Directive{i + 1, command, pkg})
	}
	return all
}

// firstWord splits a command after its first word.
func firstWord(command string) (word, rest string) {
	if i := strings.IndexAny(command, " \t"); i >= 0 {
		return command[:i], strings.TrimSpace(command[i:])
	}
	return command, ""
}
