package migrate

import (
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/programs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/shell"
)

// goFile follows the go:generate directives of a Go file.
func (t *translator) goFile(name string, text []byte) error {
	for _, d := range directives(text) {
		vars := map[string]string{
			"GOFILE": filepath.Base(name), "GOPACKAGE": d.pkg, "GOLINE": strconv.Itoa(d.line), "DOLLAR": "$",
			"GOOS": programs.OS, "GOARCH": programs.Arch,
		}
		command := os.Expand(d.command, func(name string) string {
			if value, ok := vars[name]; ok {
				return value
			}
			return "${" + name + "}"
		})
		at := token.Position{Filename: name, Line: d.line}
		c := shell.Config{Dir: filepath.Dir(name), Lines: true, Surroundings: surroundings{repo: t.repo}}
		if err := t.part("this directive", command, at, c); err != nil {
			return err
		}
	}
	return nil
}

// directive is a go:generate directive.
type directive struct {
	line         int
	command, pkg string
}

// directives returns the go:generate directives of a file, with the commands that aliases stand for.
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
			command = alias + " " + rest
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
