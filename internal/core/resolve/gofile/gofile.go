package gofile

import (
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
)

// Name returns the name of a generated file of a package, which need not exist. usual is its usual name, zz_generated.WORD.go. If the
// program of code-generator for it, whose file can have any name, has written one, it keeps its name.
func Name(pkg *load.Package, usual string) string {
	found, isUsual := "", false
	for _, file := range slices.Concat(pkg.Files, pkg.Unparsed) {
		base := filepath.Base(file.Name)
		if !strings.Contains(base, word(usual)) {
			continue
		}
		by := Writers(file)
		switch {
		case base == usual:
			isUsual = !slices.Contains(by, origin.Us)
		case found == "" && (slices.Contains(by, program(usual)) || slices.Contains(by, origin.Us)):
			found = base
		}
	}
	if found == "" || isUsual { // a file of the usual name from another generator is replaced
		return usual
	}
	return found
}

// Ours reports whether a run replaces a file of a package, under any name: this program or a program of code-generator wrote it.
func Ours(file *load.File, usual string) bool {
	if !strings.Contains(filepath.Base(file.Name), word(usual)) {
		return false
	}
	by := Writers(file)
	return slices.Contains(by, origin.Us) || slices.Contains(by, program(usual))
}

// CheckOnly reports other files of a package that a program has generated for the same purpose.
func CheckOnly(pkg *load.Package, name, usual string, diags *diag.List) {
	for _, file := range slices.Concat(pkg.Files, pkg.Unparsed) {
		base := filepath.Base(file.Name)
		if base != name && base != usual && strings.Contains(base, word(usual)) && slices.Contains(Writers(file), program(usual)) {
			diags.AddHint(token.Position{Filename: file.Name}, "remove it: "+name+" takes its place",
				"this file has %s from another generator", plurals[word(usual)])
		}
	}
}

// plurals are what users call the content of files, by their words.
var plurals = map[string]string{"deepcopy": "deep copies", "defaults": "defaults", "conversion": "conversions"}

// word returns what names of such files have in common.
func word(usual string) string {
	return strings.TrimSuffix(strings.TrimPrefix(usual, "zz_generated."), ".go")
}

// program returns how code-generator's program signs such files.
func program(usual string) string {
	if word(usual) == "defaults" {
		return "by defaulter-gen."
	}
	return "by " + word(usual) + "-gen."
}

// Writers returns the texts about the generator in the marks of a generated file, such as "by client-gen.".
func Writers(file *load.File) []string {
	content, err := file.Read()
	if err != nil {
		return nil
	}
	return origin.Of(content)
}
