package controller

import "github.com/informer-gen-lite/informer-gen-lite/internal/core/model"

var (
	BuiltinPlurals = builtinPlurals
	FindGenerated  = findGenerated
)

// EachBuiltin calls f for each built-in kind.
func EachBuiltin(f func(folder, group, version, kind string)) {
	for _, b := range builtins() {
		f(b.folder(), b.group, b.version, b.kind)
	}
}

// FindBuiltin returns a built-in kind, and the release of client-go that added it.
func FindBuiltin(group, version, kind string) (related model.Related, since model.Target, found bool) {
	b := findBuiltin(group, version, kind)
	if b == nil {
		return related, since, false
	}
	return b.related(), b.since, true
}
