package load

import (
	"go/build"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
)

// otherModules reports patterns that match nothing because they lead into another module, which the go command skips. It returns
// the other results: those for such patterns would be less helpful.
func otherModules(cfg Config, found []module.Package, diags *diag.List) []module.Package {
	for _, pattern := range cfg.Patterns {
		dir, local := patternDir(cfg.Dir, pattern)
		isFound := func(p module.Package) bool { return p.Dir != "" && p.Error == nil && module.Within(dir, p.Dir) }
		if !local || slices.ContainsFunc(found, isFound) {
			continue
		}
		owner, _ := module.Owner(dir)
		if here, _ := module.Owner(cfg.Dir); owner.Dir == "" || owner.Dir == here.Dir {
			continue
		}
		at, rest := filepath.ToSlash(diag.Relative(cfg.Dir, owner.Dir)), "."
		if rel, err := filepath.Rel(owner.Dir, dir); err == nil && rel != "." {
			rest = "./" + filepath.ToSlash(rel)
		}
		if strings.HasSuffix(pattern, "...") {
			rest += "/..."
		}
		diags.AddHint(token.Position{}, "run cd "+at+" && informer-gen-lite "+rest+", or list both modules in a go.work", "%w", &Unmatched{
			pattern, pattern + " belongs to module " + owner.ImportPath + " in " + at +
				", which is neither the main module nor in a workspace with it",
		})
		found = slices.DeleteFunc(found, func(p module.Package) bool {
			return p.Error != nil && (p.ImportPath == pattern || p.Dir != "" && module.Within(dir, p.Dir))
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
	case filepath.IsAbs(dir), build.IsLocalImport(filepath.ToSlash(dir)):
		return diag.Absolute(cwd, dir), true
	}
	return "", false
}
