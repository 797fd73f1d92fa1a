// Package origin detects the program that generated a Go file, from the line that marks generated files (https://go.dev/s/generatedcode).
package origin

import (
	"go/scanner"
	"go/token"
	"strings"
)

// Us is the text between "Code generated" and "DO NOT EDIT." in our files.
const Us = "by informer-gen-lite."

// Import is that text in imported types.
const Import = "by informer-gen-lite import."

// ControllerGen is the annotation of CustomResourceDefinitions with the version of controller-gen that made them.
const ControllerGen = "controller-gen.kubebuilder.io/version"

// Of returns the texts between "// Code generated" and "DO NOT EDIT." in a Go file, such as "by client-gen."; nil for a
// handwritten file. Only whole comment lines above the package clause count, not those in block comments or strings.
func Of(src []byte) []string {
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	var found []string
	for {
		pos, tok, text := s.Scan()
		if tok != token.COMMENT {
			return found
		}
		if by, ok := Line(text); ok && file.Position(pos).Column == 1 {
			found = append(found, by)
		}
	}
}

// Line returns the text between "// Code generated" and "DO NOT EDIT."; false if the line is not of this form.
func Line(line string) (by string, ok bool) {
	by, begins := strings.CutPrefix(line, "// Code generated ")
	by, ends := strings.CutSuffix(by, " DO NOT EDIT.")
	return by, begins && ends
}
