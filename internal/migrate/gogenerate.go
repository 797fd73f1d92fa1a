package migrate

import (
	"go/token"
	"path/filepath"
	"strings"
)

// goFile follows the go:generate directives of a Go file.
func (t *translator) goFile(name string, text []byte) error {
	for _, d := range directives(text) {
		command := strings.NewReplacer("$GOFILE", filepath.Base(name), "$GOPACKAGE", d.pkg, "$DOLLAR", "$").Replace(d.command)
		at := token.Position{Filename: name, Line: d.line}
		if err := t.part("this directive", command, at, filepath.Dir(name)); err != nil {
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

// directives returns the go:generate directives of a file.
func directives(text []byte) []directive {
	var all []directive
	pkg := ""
	for i, line := range strings.Split(string(text), "\n") {
		if clause, ok := strings.CutPrefix(line, "package "); ok && pkg == "" {
			pkg = strings.Fields(clause + " _")[0]
		}
		if command, ok := strings.CutPrefix(line, "//go:generate "); ok {
			all = append(all, directive{i + 1, strings.TrimSpace(command), pkg})
		}
	}
	return all
}
