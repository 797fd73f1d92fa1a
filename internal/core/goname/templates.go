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

	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// Templates returns an Avoid for the identifiers that occur in the given templates: imports, parameters, variables, types and
// functions. Patterns are those of path.Match, for names such as clientset/typed_kind.go.tmpl. Selected names, as in x.Name, do
// not collide with anything and are not avoided.
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
	// The patterns are valid constants, and the file system is embedded: a test checks that each pattern matches.
	names, _ := fs.Glob(templates.FS, pattern)
	all := make([]*identifiers, len(names))
	for i, name := range names {
		file, known := scanned.Load(name)
		if !known {
			text, _ := fs.ReadFile(templates.FS, name)
			file, _ = scanned.LoadOrStore(name, identifiersIn(string(text)))
		}
		all[i] = file.(*identifiers)
	}
	return all
}

// placeholder replaces the result of an action. Names that contain an action, such as new{{.Plural}}, depend on the input and are
// not fixed identifiers.
const placeholder = "Ω"

// withoutActions returns the Go source of a template with its actions replaced. The Go source in arguments of actions follows.
func withoutActions(text string) []byte {
	src := make([]byte, 0, len(text))
	var args []byte
	for {
		before, rest, found := strings.Cut(text, "{{")
		src = append(src, before...)
		if !found {
			return append(src, args...)
		}
		var action string
		action, text, _ = strings.Cut(rest, "}}")
		if isControl(action) {
			src = append(src, ' ')
		} else {
			src = append(src, placeholder...)
			for i, arg := range strings.Split(action, `"`) {
				if i%2 == 1 { // between quotes
					args = append(args, "\n"+strings.ReplaceAll(arg, "%s", placeholder)...)
				}
			}
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
