package apicompare

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// Tree is a set of packages by their path relative to the root of the tree.
type Tree struct {
	Packages map[string]*types.Package
	// Broken are the packages that do not compile.
	Broken []Finding
}

// Load reads what packages export, as the compiler wrote it down. The patterns are resolved in dir; root is the import
// path that all of them share.
func Load(dir, root string, patterns ...string) (Tree, error) {
	loaded, err := packages.Load(&packages.Config{
		// Without syntax and dependencies the types come from export data: nothing is type-checked here.
		Mode: packages.NeedName | packages.NeedTypes,
		Dir:  dir,
		Env:  scratch.Environment(),
		// Paths are trimmed so that both trees, and later runs, find the same compiled packages in Go's cache.
		BuildFlags: []string{"-trimpath"},
	}, patterns...)
	if err != nil {
		return Tree{}, err
	}
	tree := Tree{Packages: map[string]*types.Package{}}
	for _, p := range loaded {
		name := strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, root), "/")
		if len(p.Errors) > 0 {
			tree.Broken = append(tree.Broken, Finding{name, "", fmt.Sprintf("does not compile in %s: %v", dir, p.Errors)})
			continue
		}
		tree.Packages[name] = p.Types
	}
	if len(loaded) == 0 {
		return Tree{}, fmt.Errorf("no packages in %s match %s", dir, strings.Join(patterns, " "))
	}
	return tree, nil
}

func (t Tree) isBroken(name string) bool {
	for _, f := range t.Broken {
		if f.Package == name {
			return true
		}
	}
	return false
}
