package load

import (
	"bytes"
	"go/build/constraint"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

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
