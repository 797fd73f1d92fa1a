package repository

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
)

// Marker returns a pattern for a marker, as the functions of kube_codegen.sh search for it in Go files.
func Marker(name string) string { return `(?m)^\s*//\s*\+` + name }

// Markers that several steps search for.
var (
	Genclient = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(Marker("genclient")) })
	GroupName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(Marker("groupName")) })
)

// objectMeta matches the field that makes a type a kind.
var objectMeta = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*(\w+\.)?ObjectMeta\b`) })

// WithKinds returns the directories below another with packages that controller-gen finds kinds in.
func (r *Repository) WithKinds(root string) []string {
	served := r.Marked(root, objectMeta())
	return slices.DeleteFunc(r.Marked(root, GroupName()), func(dir string) bool { return !slices.Contains(served, dir) })
}

// Ignored reports whether patterns of the go command do not match a directory.
func (r *Repository) Ignored(dir string) bool {
	return slices.ContainsFunc(strings.Split(Relative(r.Root, dir), "/"), module.Ignored)
}
