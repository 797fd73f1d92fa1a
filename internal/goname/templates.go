package goname

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/emit"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// Templates returns an Avoid for the identifiers that occur in the given templates: imports, parameters, variables, types and
// functions. Patterns are those of path.Match, for names such as clientset/typed_kind.go.tmpl. Selected names, as in x.Name, do
// not collide with anything and are not avoided.
//
// A pattern such as emit/fake/* stands for files of package emit. Their package-level identifiers are avoided: they collide with
// imports of other files in the same package.
func Templates(patterns ...string) Avoid {
	load := sync.OnceValue(func() []*identifiers {
		var all []*identifiers
		for _, pattern := range patterns {
			all = append(all, matching(pattern)...)
		}
		return all
	})
	return func(name string) bool {
		return slices.ContainsFunc(load(), func(file *identifiers) bool { return file.names[name] })
	}
}

// ImportedBy returns the names under which a template imports packages.
func ImportedBy(pattern string) []string {
	var names []string
	for _, file := range matching(pattern) {
		names = append(names, file.imports...)
	}
	return names
}

// identifiers are the fixed identifiers of a file.
type identifiers struct {
	names   map[string]bool
	imports []string
}

// scanned caches the identifiers of each file by name, because patterns overlap.
var scanned sync.Map

// matching returns the identifiers of the files that match a pattern.
func matching(pattern string) []*identifiers {
	fsys, scan := fs.FS(templates.FS), identifiersIn
	inFS, emitted := strings.CutPrefix(pattern, "emit/")
	if emitted {
		fsys, scan = emit.FS, declaredIn
	}
	// The patterns are valid constants, and the file systems are embedded: a test checks that each pattern matches.
	names, _ := fs.Glob(fsys, inFS)
	all := make([]*identifiers, len(names))
	for i, name := range names {
		key := path.Join(path.Dir(pattern), path.Base(name))
		file, known := scanned.Load(key)
		if !known {
			text, _ := fs.ReadFile(fsys, name)
			file, _ = scanned.LoadOrStore(key, scan(string(text)))
		}
		all[i] = file.(*identifiers)
	}
	return all
}

// placeholder replaces the result of an action. Names that contain an action, such as new{{.Plural}}, depend on the input and are
// not fixed identifiers.
const placeholder = "Ω"

// withoutActions returns the Go source of a template with its actions replaced.
func withoutActions(text string) []byte {
	src := make([]byte, 0, len(text))
	for {
		before, rest, found := strings.Cut(text, "{{")
		src = append(src, before...)
		if !found {
			return src
		}
		var action string
		action, text, _ = strings.Cut(rest, "}}")
		if isControl(action) {
			src = append(src, ' ')
		} else {
			src = append(src, placeholder...)
		}
	}
}

// isControl reports whether an action has no result, so that it may directly follow an identifier.
func isControl(action string) bool {
	words := strings.Fields(strings.TrimPrefix(action, "-"))
	if len(words) == 0 || strings.HasPrefix(words[0], "/*") {
		return true
	}
	switch words[0] {
	case "if", "else", "end", "range", "with", "define", "template", "block":
		return true
	}
	return len(words) > 1 && (words[1] == ":=" || words[1] == "=")
}

// identifiersIn returns the fixed identifiers of a template.
func identifiersIn(text string) *identifiers {
	src := withoutActions(text)
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile("", files.Base(), len(src)), src, nil, 0) // without a handler, errors are ignored
	found := &identifiers{names: map[string]bool{}}
	add := func(name string) bool {
		fixed := name != "" && !strings.Contains(name, placeholder)
		if fixed {
			found.names[name] = true
		}
		return fixed
	}
	previous, alias, importing := token.ILLEGAL, "", false
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return found
		case tok == token.IMPORT:
			importing = true
		case tok == token.RPAREN && importing:
			importing = false
		case tok == token.STRING && importing:
			if importPath, err := strconv.Unquote(literal); err == nil && alias == "" {
				alias = path.Base(importPath)
			}
			if add(alias) {
				found.imports = append(found.imports, alias)
			}
			alias = ""
		case tok == token.IDENT && importing:
			alias = literal
		case tok == token.IDENT && previous != token.PERIOD:
			add(literal)
		}
		previous = tok
	}
}

// declaredIn returns the package-level identifiers of a formatted Go file: declarations start in the first column, or in the
// second within a group.
func declaredIn(text string) *identifiers {
	found := &identifiers{names: map[string]bool{}}
	inGroup := false
	for line := range strings.Lines(text) {
		keyword, declared, _ := strings.Cut(line, " ")
		switch {
		case line[0] == ')':
			inGroup = false
		case inGroup && line[0] == '\t':
			found.addList(line[1:])
		case keyword == "func":
			found.addList(declared) // nothing for a method
		case keyword == "type" || keyword == "var" || keyword == "const":
			inGroup = strings.HasPrefix(declared, "(")
			found.addList(declared)
		}
	}
	delete(found.names, "_") // declares nothing
	return found
}

// addList adds the comma-separated identifiers at the beginning of a text.
func (i *identifiers) addList(text string) {
	for {
		end := strings.IndexFunc(text, func(r rune) bool { return !isNameRune(r) })
		if end <= 0 {
			return
		}
		i.names[text[:end]] = true
		var more bool
		if text, more = strings.CutPrefix(text[end:], ", "); !more {
			return
		}
	}
}
