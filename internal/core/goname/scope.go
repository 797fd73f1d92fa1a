// Package goname chooses identifiers for generated code that collide neither with each other nor with the identifiers of
// templates. The latter are read from the text of these files, so there is no list to maintain.
package goname

import (
	"go/scanner"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// Avoid reports whether a name must not be chosen.
type Avoid func(name string) bool

// Predeclared reports whether a name is a predeclared identifier of Go, such as string.
func Predeclared(name string) bool { return types.Universe.Lookup(name) != nil }

// reserved reports whether Go reserves a name: a keyword, or init, which can only be a function.
func reserved(name string) bool { return token.IsKeyword(name) || name == "init" }

// Unless returns name or, if name is reserved or avoided, otherwise.
func Unless(name, otherwise string, avoid ...Avoid) string {
	if reserved(name) || avoided(name, avoid) {
		return otherwise
	}
	return name
}

func avoided(name string, by []Avoid) bool {
	return slices.ContainsFunc(by, func(avoid Avoid) bool { return avoid(name) })
}

// Scope is a set of identifiers in one Go scope, such as a file.
type Scope struct {
	avoid []Avoid
	taken map[string]bool
}

// NewScope returns a scope that chooses no avoided name.
func NewScope(avoid ...Avoid) *Scope { return &Scope{avoid: avoid, taken: map[string]bool{}} }

// Free returns the first free candidate or, if all are taken, the last candidate with the lowest numeric suffix, from 2, that is
// free. The name is taken from then on.
func (s *Scope) Free(candidates ...string) string {
	name := candidates[len(candidates)-1]
	if i := slices.IndexFunc(candidates, s.free); i >= 0 {
		name = candidates[i]
	}
	for base, n := name, 2; !s.free(name); n++ {
		name = base + strconv.Itoa(n)
	}
	s.taken[name] = true
	return name
}

// Take marks a name as taken.
func (s *Scope) Take(name string) { s.taken[name] = true }

func (s *Scope) free(name string) bool {
	return !s.taken[name] && !reserved(name) && !avoided(name, s.avoid)
}

// Imports assigns import aliases within one file, one for each package.
type Imports struct {
	scope   *Scope
	aliases map[string]string
}

// NewImports returns an empty set of imports of a file.
func NewImports(scope *Scope) *Imports { return &Imports{scope, map[string]string{}} }

// Alias returns the alias of a package. For a new package, it chooses one of the candidates as Scope.Free does.
func (i *Imports) Alias(importPath string, candidates ...string) string {
	alias, known := i.aliases[importPath]
	if !known {
		alias = i.scope.Free(candidates...)
		i.aliases[importPath] = alias
	}
	return alias
}

// Uses reports whether a name is the alias of a package. It is an Avoid for parameters and variables, which would shadow the package.
func (i *Imports) Uses(name string) bool {
	return slices.Contains(slices.Collect(maps.Values(i.aliases)), name)
}

// Each calls f for each package and its alias, in the order of the import paths.
func (i *Imports) Each(f func(importPath, alias string)) {
	for _, importPath := range slices.Sorted(maps.Keys(i.aliases)) {
		f(importPath, i.aliases[importPath])
	}
}

// versionLike matches names of folders and packages that are named after an API version.
var versionLike = lazy.Regexp(`^v[0-9]+[a-z0-9]*$`)

// IsVersion reports whether a folder or package is named after an API version, such as v1beta1.
func IsVersion(name string) bool { return versionLike().MatchString(name) }

// ForImport returns the conventional alias for a package: its name, preceded by the folder above it if it is named after a
// version, as in appsv1.
func ForImport(importPath, name string) string {
	if IsVersion(name) {
		name = path.Base(path.Dir(importPath)) + name
	}
	return Package(name)
}

// Package derives a package name from the name of a folder: lower case, letters, digits and underscores only.
func Package(folder string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			return unicode.ToLower(r)
		}
		return -1
	}, folder)
	if name == "" || unicode.IsDigit(rune(name[0])) || token.IsKeyword(name) || name == "main" { // a program cannot be imported
		return "api" + name
	}
	return name
}

// Camel joins the words of a text, such as the labels of a name, with upper first letters: my-group becomes MyGroup.
func Camel(text string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		b.WriteString(UpperFirst(word))
	}
	return b.String()
}

// LowerFirst returns s with its first letter in lower case.
func LowerFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[size:]
}

// UpperFirst returns s with its first letter in upper case.
func UpperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// Templates returns an Avoid for the identifiers that occur in the given templates: imports, parameters, variables, types and functions.
// Patterns are as in path.Match, for names such as clientset/typed_kind.go.tmpl. Selected names, as in x.Name, do not collide with
// anything and are not avoided.
func Templates(patterns ...string) Avoid {
	load := sync.OnceValue(func() []*identifiers { return lists.FlatMap(patterns, matching) })
	return func(name string) bool {
		return slices.ContainsFunc(load(), func(file *identifiers) bool { return file.names[name] })
	}
}

// ImportedBy returns the names under which a template imports packages.
func ImportedBy(pattern string) []string {
	return lists.FlatMap(matching(pattern), func(file *identifiers) []string { return file.imports })
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
