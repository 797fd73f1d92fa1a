package load

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/golist"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// otherModules reports patterns that match nothing because they lead into another module, which the go command skips. It returns
// the other results: those for such patterns would be less helpful.
func otherModules(cfg Config, found []golist.Package, diags *diag.List) []golist.Package {
	for _, pattern := range cfg.Patterns {
		dir, local := patternDir(cfg.Dir, pattern)
		if !local || slices.ContainsFunc(found, func(p golist.Package) bool { return p.Dir != "" && p.Error == nil && Within(dir, p.Dir) }) {
			continue
		}
		root, path := ModuleAt(dir)
		if here, _ := ModuleAt(cfg.Dir); root == "" || root == here {
			continue
		}
		at, rest := filepath.ToSlash(diag.Relative(cfg.Dir, root)), "."
		if rel, err := filepath.Rel(root, dir); err == nil && rel != "." {
			rest = "./" + filepath.ToSlash(rel)
		}
		if strings.HasSuffix(pattern, "...") {
			rest += "/..."
		}
		*diags = append(*diags, diag.Diagnostic{
			Message: pattern + " belongs to module " + path + " in " + at + ", which is neither the main module nor in a workspace with it",
			Hint:    "run cd " + at + " && informer-gen-lite " + rest + ", or list both modules in a go.work",
			Subject: pattern,
		})
		found = slices.DeleteFunc(found, func(p golist.Package) bool {
			return p.Error != nil && (p.ImportPath == pattern || p.Dir != "" && Within(dir, p.Dir))
		})
	}
	return found
}

// patternDir returns the directory that a relative or absolute pattern starts in, and whether it is such a pattern.
func patternDir(cwd, pattern string) (dir string, local bool) {
	dir = filepath.FromSlash(strings.TrimSuffix(pattern, "..."))
	switch {
	case strings.Contains(dir, "..."):
		return "", false
	case filepath.IsAbs(dir):
		return filepath.Clean(dir), true
	case dir == "." || dir == ".." || strings.HasPrefix(dir, "."+string(filepath.Separator)), strings.HasPrefix(dir, ".."+string(filepath.Separator)):
		return filepath.Join(cwd, dir), true
	}
	return "", false
}

// Within reports whether name is dir or below it.
func Within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// ModuleAt returns the directory and the path of the module that a directory belongs to, according to the go.mod in it or above
// it; "" without one. The path is "" if go.mod does not declare it.
func ModuleAt(dir string) (root, path string) {
	for root = dir; ; root = filepath.Dir(root) {
		if text, err := regular.ReadFile(filepath.Join(root, "go.mod")); err == nil {
			return root, modfile.ModulePath(text)
		}
		if root == filepath.Dir(root) {
			return "", ""
		}
	}
}
