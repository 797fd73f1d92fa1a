// Package goname chooses identifiers for generated code that collide neither with each other nor with the identifiers of
// templates. The latter are read from the text of these files, so there is no list to maintain.
package goname

import (
	"go/token"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
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
var versionLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^v[0-9]+[a-z0-9]*$`) })

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
