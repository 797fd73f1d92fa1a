package goname

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// Templates returns an Avoid for the identifiers that occur in the given templates: imports, parameters, variables, types
// and functions. A pattern is one of path.Match for names such as clientset/typed_kind.go.tmpl. Selected names, as in
// x.Name, do not collide with anything and are not avoided.
func Templates(patterns ...string) Avoid {
	load := sync.OnceValue(func() map[string]bool {
		all := map[string]bool{}
		eachTemplate(patterns, func(text string) { addIdentifiers(text, all, nil) })
		return all
	})
	return func(name string) bool { return load()[name] }
}

// ImportedBy returns the names under which a template imports packages.
func ImportedBy(pattern string) []string {
	var names []string
	eachTemplate([]string{pattern}, func(text string) {
		addIdentifiers(text, map[string]bool{}, func(name string) { names = append(names, name) })
	})
	return names
}

// eachTemplate calls f with the text of each template that matches a pattern.
func eachTemplate(patterns []string, f func(text string)) {
	for _, pattern := range patterns {
		// The file system is part of the program, and so are the patterns: a test shows that each matches.
		matches, _ := fs.Glob(templates.FS, pattern)
		for _, name := range matches {
			text, _ := fs.ReadFile(templates.FS, name)
			f(string(text))
		}
	}
}

var (
	// control matches actions without a result, which may directly follow an identifier.
	control = regexp.MustCompile(`(?s)\{\{-?\s*(?:if|else|end|range|with|define|template|block|/\*|\$\w+\s*:?=).*?\}\}`)
	// action matches all others.
	action = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
)

// placeholder replaces the result of an action. Names that are composed with it, such as new{{.Plural}}, depend on the
// input and are not fixed identifiers.
const placeholder = "Ω"

// addIdentifiers adds the fixed identifiers of a template to all, and reports those of imports.
func addIdentifiers(text string, all map[string]bool, imported func(name string)) {
	src := []byte(action.ReplaceAllString(control.ReplaceAllString(text, " "), placeholder))
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile("", files.Base(), len(src)), src, nil, 0) // without a handler, errors are passed over
	add := func(name string, isImport bool) {
		if name == "" || strings.Contains(name, placeholder) {
			return
		}
		all[name] = true
		if isImport && imported != nil {
			imported(name)
		}
	}
	previous, alias, importing := token.ILLEGAL, "", false
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.IMPORT:
			importing = true
		case tok == token.RPAREN && importing:
			importing = false
		case tok == token.STRING && importing:
			if importPath, err := strconv.Unquote(literal); err == nil && alias == "" {
				alias = path.Base(importPath)
			}
			add(alias, true)
			alias = ""
		case tok == token.IDENT && importing:
			alias = literal
		case tok == token.IDENT && previous != token.PERIOD:
			add(literal, false)
		}
		previous = tok
	}
}
