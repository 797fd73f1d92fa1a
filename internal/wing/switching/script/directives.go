package script

import "strings"

// directive is a go:generate directive.
type directive struct {
	line int
	// command is the command, with that of its alias, and pkg the name of the file's package.
	command, pkg string
}

// directives returns the go:generate directives of a file. Directives that define an alias are not among them.
func directives(text []byte) []directive {
	var all []directive
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
		all = append(all, directive{i + 1, command, pkg})
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
