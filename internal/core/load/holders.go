package load

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
)

// Holders returns the import paths of the packages with a file of this name in the module of a package or, if elsewhere is true, in the
// modules of the same owner that go.mod requires. Packages that generated code cannot import are left out.
func (r *Result) Holders(of *Package, file string, elsewhere bool) []string {
	if of.Module == nil {
		return nil
	}
	if !elsewhere {
		below := strings.TrimPrefix(of.Path, of.Module.Path) // modules in vendor directories have no root
		return holders(strings.TrimSuffix(of.Dir, filepath.FromSlash(below)), of.Module.Path, file, of.InMainModule())
	}
	root := module.Place{Dir: r.cfg.Dir}.Root()
	goMod, err := module.ReadFile(root)
	if err != nil {
		return nil // others report it
	}
	var found []string
	for _, required := range goMod.Require {
		other := required.Mod.Path
		if other == of.Module.Path || ownerOf(other) != ownerOf(of.Module.Path) {
			continue
		}
		dir := ""
		if r.local != nil {
			dir = r.local.Root(other)
		}
		if dir == "" {
			dir = module.Source(root, other)
		}
		if dir != "" {
			found = append(found, holders(dir, other, file, false)...)
		}
	}
	return found
}

// ownerOf returns the part of a module path that tells who owns the module: the host or, on hosts that many share, the first folder too.
func ownerOf(modulePath string) string {
	host, rest, _ := strings.Cut(modulePath, "/")
	if slices.Contains([]string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}, host) {
		account, _, _ := strings.Cut(rest, "/")
		return host + "/" + account
	}
	return host
}

// holders returns the import paths of the packages of one module that have a file of this name, with or without internal packages.
func holders(root, modulePath, file string, internal bool) (found []string) {
	skip := func(dir string) bool { return module.IsRoot(dir) || filepath.Base(dir) == "internal" && !internal }
	for name := range module.Files(root, skip) {
		if rel, err := filepath.Rel(root, filepath.Dir(name)); err == nil && filepath.Base(name) == file {
			found = append(found, path.Join(modulePath, filepath.ToSlash(rel)))
		}
	}
	return found
}
