package gotype

import (
	"cmp"
	"errors"
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
)

// gap is an import for which the go command has no package.
type gap struct {
	importPath string
	pos        token.Position
	load.Unavailable
}

// gapOf returns the unavailable import that a qualified name in a file refers to, or nil.
func (u *Universe) gapOf(file *load.File, e *ast.SelectorExpr) *gap {
	qualifier, ok := e.X.(*ast.Ident)
	if !ok {
		return nil
	}
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil || spec.Name != nil && spec.Name.Name != qualifier.Name {
			continue
		}
		// Without a name in the import, it is how the path ends, ignoring a major version.
		isNamed := spec.Name != nil || path.Base(importPath) == qualifier.Name || path.Base(path.Dir(importPath)) == qualifier.Name
		if reason, failed := u.Loaded.Unavailable(importPath); failed && isNamed {
			return &gap{importPath, u.Fset.Position(spec.Path.Pos()), reason}
		}
	}
	return nil
}

// Explain replaces diagnostics that follow from unavailable packages: with one per module, at the first import, with the go
// command's reason. Each package without a module also gets one diagnostic.
func Explain(diags diag.List) diag.List {
	if !diags.Failed() {
		return diags
	}
	gaps := map[string]*gap{}
	var explained diag.List
	for _, d := range diags {
		missing, ok := errors.AsType[*Missing](d.Cause)
		if !ok || missing.gap == nil {
			explained = append(explained, d)
			continue
		}
		key := cmp.Or(missing.gap.Module, missing.gap.importPath)
		pos := missing.gap.pos
		if first := gaps[key]; first == nil || cmp.Or(cmp.Compare(pos.Filename, first.pos.Filename), pos.Offset-first.pos.Offset) < 0 {
			gaps[key] = missing.gap
		}
	}
	for _, g := range gaps {
		what := "package " + g.importPath
		if g.Module != "" {
			what = "module " + g.Module
		}
		explained.AddHint(g.pos, g.Remedy, "%s is not available: %s", what, strings.TrimPrefix(g.Reason, g.Module+": "))
	}
	return explained
}
