package model

import (
	"go/token"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// reserved are the names that templates give to fixed imports, parameters and variables. A name that is derived from
// the user's input gives way to them.
var reserved = []string{
	"apply", "applyconfigurations", "c", "cache", "clientset", "context", "ctx", "data", "discovery", "emptyResult",
	"err", "fake", "fakediscovery", "flowcontrol", "fmt", "gentype", "http", "internalinterfaces", "json", "labels",
	"listers", "metav1", "name", "obj", "options", "opts", "patchOpts", "pt", "reflect", "request", "rest", "result",
	"runtime", "schema", "scheme", "serializer", "subresources", "sync", "testing", "time", "timeout", "types",
	"utilruntime", "wait", "watch",
}

// unreserved returns name, or otherwise where name is taken: by a template, by the language, or by its predeclared
// identifiers.
func unreserved(name, otherwise string) string {
	if slices.Contains(reserved, name) || token.IsKeyword(name) || slices.Contains(predeclared, name) {
		return otherwise
	}
	return name
}

// predeclared are the predeclared identifiers that templates use.
var predeclared = []string{"byte", "error", "make", "map", "nil", "new", "panic", "string", "true"}

func lowerFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[size:]
}

// UpperFirst returns s with its first letter in upper case.
func UpperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// PackageName makes the name of a Go package from a folder's name: lower case, letters, digits and underscores only.
func PackageName(folder string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '_':
			return unicode.ToLower(r)
		default:
			return -1
		}
	}, folder)
	if name == "" || unicode.IsDigit(rune(name[0])) || token.IsKeyword(name) {
		return "api" + name
	}
	return name
}
