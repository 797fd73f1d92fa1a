package render

import (
	"bytes"
	"cmp"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
)

// Names makes a file import packages as code-generator does, so that the output of both differs less: each import has an explicit name,
// which is the shortest end of its path that is neither the name of the file's package nor in use, in the order in which the file refers to
// the packages.
type Names struct {
	// Keep are the import paths of packages whose names in the template stay.
	Keep []string
	// Taken are names that the package declares in other files.
	Taken []string
}

// AsCodeGenerator is the Names of an output without exceptions.
func AsCodeGenerator[View any](View) *Names { return &Names{} }

// importSpec is a line of an import block.
type importSpec struct {
	name, path string
	// fixed is true if the name must not change.
	fixed bool
}

// use is an identifier that refers to a package.
type use struct {
	at   int
	name string
	spec *importSpec
}

// withNames returns the source with the imports of its first block renamed and without unused ones, in a buffer. The text from start on
// comes from the template.
func withNames(b *bytes.Buffer, src []byte, start int, names *Names) []byte {
	block, specs := importBlock(src, start)
	if specs == nil {
		return src
	}
	end := block[1]
	uses, others, ok := usesOf(src, end+len(")\n"), specs)
	if !ok {
		return src // which tidy reports
	}
	scope := goname.NewScope(goname.Predeclared)
	for _, name := range slices.Concat(names.Taken, others) {
		scope.Take(name)
	}
	if clause := packageClause().FindSubmatch(src[start:]); clause != nil {
		scope.Take(string(clause[1])) // code-generator avoids it, which Go does not require
	}
	for name, spec := range specs {
		// Where there is a variable of the same name, an identifier may refer to either.
		spec.fixed = slices.Contains(names.Keep, spec.path) || slices.Contains(others, name)
	}
	for _, use := range uses {
		if use.spec.fixed {
			scope.Take(use.name)
		}
	}
	named := map[*importSpec]bool{}
	for _, use := range uses {
		if spec := use.spec; !named[spec] {
			named[spec] = true
			if !spec.fixed {
				spec.name = scope.Free(append(endings(spec.path), spec.name)...)
			}
		}
	}
	if len(named) == 0 && specs["_"] == nil {
		return append(b.Bytes(), slices.Concat(src[:block[0]-len(importStart)+1], src[end+len(")\n"):])...)
	}
	b.Write(src[:block[0]])
	for line := range bytes.Lines(src[block[0]:end]) {
		spec := specOf(line)
		switch {
		case spec == nil:
			b.Write(line)
		case named[specs[spec.name]]:
			b.WriteString("\t" + specs[spec.name].name + " " + strconv.Quote(spec.path) + "\n")
		case spec.name == "_":
			b.Write(line)
		}
	}
	for _, use := range uses {
		b.Write(src[end:use.at])
		b.WriteString(use.spec.name)
		end = use.at + len(use.name)
	}
	b.Write(src[end:])
	return b.Bytes()
}

// importStart is how templates begin an import block. Each import has a line.
var importStart = []byte("\nimport (\n")

// packageClause matches the clause with the name of the package.
var packageClause = lazy.Regexp(`(?m)^package (\S+)`)

// importBlock returns where the lines of the first import block begin and end, and its imports by name.
func importBlock(src []byte, start int) (block [2]int, specs map[string]*importSpec) {
	at := bytes.Index(src[start:], importStart)
	if at < 0 {
		return block, nil
	}
	begin := start + at + len(importStart)
	length := bytes.Index(src[begin:], []byte("\n)\n"))
	if length < 0 {
		return block, nil
	}
	block = [2]int{begin, begin + length + 1}
	specs = map[string]*importSpec{}
	for line := range bytes.Lines(src[block[0]:block[1]]) {
		if spec := specOf(line); spec != nil {
			specs[spec.name] = spec
		}
	}
	return block, specs
}

// specOf returns the import of a line, or nil for other lines.
func specOf(line []byte) *importSpec {
	name, rest, ok := strings.Cut(string(line), `"`)
	if !ok {
		return nil
	}
	importPath, _, _ := strings.Cut(rest, `"`)
	return &importSpec{name: cmp.Or(strings.TrimSpace(name), path.Base(importPath)), path: importPath}
}

// usesOf returns the identifiers from an offset on that refer to imports, and all other identifiers that are not selected.
func usesOf(src []byte, from int, specs map[string]*importSpec) (uses []use, others []string, ok bool) {
	seen := map[string]bool{}
	ok = identifiers(src[from:], func(name string, at int, selected bool) {
		spec, end := specs[name], from+at+len(name)
		switch {
		case selected:
		case spec != nil && end < len(src) && src[end] == '.':
			uses = append(uses, use{from + at, name, spec})
		case !seen[name]:
			seen[name] = true
			others = append(others, name)
		}
	})
	return uses, others, ok
}

// endings returns the identifiers that the ends of an import path form, from the shortest on.
func endings(importPath string) []string {
	var names []string
	folders := strings.Split(strings.NewReplacer("_", "", ".", "", "-", "").Replace(importPath), "/")
	for i := range slices.Backward(folders) {
		// Names with capitals could be declared by another file of the package.
		if name := strings.Join(folders[i:], ""); token.IsIdentifier(name) && !strings.ContainsFunc(name, unicode.IsUpper) {
			names = append(names, name)
		}
	}
	return names
}
