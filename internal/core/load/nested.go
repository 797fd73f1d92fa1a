package load

import (
	"bytes"
	"go/build"
	"go/build/constraint"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
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
		at, rest := diag.Relative(cfg.Dir, owner.Dir), "."
		if rel, err := filepath.Rel(owner.Dir, dir); err == nil && rel != "." {
			rest = "./" + filepath.ToSlash(rel)
		}
		if strings.HasSuffix(pattern, "...") {
			rest += "/..."
		}
		diags.AddHint(token.Position{}, runIn(at)+rest+", or list both modules in a go.work", "%w", &Unmatched{
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

// runIn begins a hint with a command for another module.
func runIn(dir string) string { return "run cd " + filepath.ToSlash(dir) + " && informer-gen-lite " }

// Nested returns an error for each module below the directories of the patterns that has a file with one of the words: like the go
// command, patterns do not match packages of other modules.
func (r *Result) Nested() diag.List {
	var diags diag.List
	for _, pattern := range r.cfg.Patterns {
		top, local := patternDir(r.cfg.Dir, pattern)
		if !local || !strings.HasSuffix(pattern, "...") {
			continue
		}
		_ = filepath.WalkDir(top, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil || !entry.IsDir() || name == top:
				return nil
			case module.Ignored(entry.Name()):
				return fs.SkipDir
			case !module.IsRoot(name):
				return nil
			}
			owner, err := module.Owner(name)
			if pos := firstWord(name, r.cfg.Words); err == nil && pos.IsValid() {
				diags.AddHint(pos, runIn(diag.Relative(r.cfg.Dir, name))+"./...",
					"this marker is in module %s, which %s does not match", owner.ImportPath, pattern)
			}
			return nil
		})
	}
	return diags
}

// firstWord returns the position of the first comment line with one of the words in the Go files of a module.
func firstWord(root string, words []string) token.Position {
	for name := range module.Files(root, module.IsRoot) {
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			src, _ := regular.ReadFile(name) // an unreadable file has no words
			if pos := wordIn(name, src, words); pos.IsValid() {
				return pos
			}
		}
	}
	return token.Position{}
}

// wordIn returns the position of the first line comment that begins with one of the words.
func wordIn(name string, src []byte, words []string) token.Position {
	line := 0
	for text := range bytes.Lines(src) {
		line++
		for _, word := range words {
			if before, _, found := bytes.Cut(text, []byte(word)); found && string(bytes.TrimSpace(before)) == "//" {
				return token.Position{Filename: name, Line: line, Column: 1 + len(before)}
			}
		}
	}
	return token.Position{}
}

// hidden warns about files with one of the words that build constraints exclude from a package of the main module: their types may
// be all that the user wants to generate for.
func hidden(p module.Package, words []string, diags *diag.List) {
	if p.Module == nil || !p.Module.Main {
		return
	}
	for _, name := range p.IgnoredGoFiles {
		file := filepath.Join(p.Dir, name)
		src, err := regular.ReadFile(file)
		wanted := func(word string) bool { return bytes.Contains(src, []byte(word)) }
		if err != nil || strings.HasSuffix(name, "_test.go") || !slices.ContainsFunc(words, wanted) {
			continue
		}
		pos, because, hint := constraintOf(file, src)
		diags.Warn(pos, hint, "%s is not read: %s excludes it", name, because)
	}
}

// constraintOf returns the position of what excludes a file from the build, its text, and what can be done about it.
func constraintOf(file string, src []byte) (pos token.Position, because, hint string) {
	pos = token.Position{Filename: file, Line: 1, Column: 1}
	hint = "types of an API must not depend on the platform: remove the constraint, or move the types"
	line := 0
	for text := range bytes.Lines(src) {
		line++
		expr, err := constraint.Parse(string(bytes.TrimSpace(text)))
		if err != nil || !constraint.IsGoBuild(string(bytes.TrimSpace(text))) {
			continue
		}
		pos.Line = line
		if tag, ok := expr.(*constraint.TagExpr); ok {
			hint = "to read it, use --build-tags=" + tag.Tag + " (build-tags: [" + tag.Tag + "] in .informer-gen.yaml)"
		}
		return pos, string(bytes.TrimSpace(text)), hint
	}
	return pos, "its name", hint
}
