package gotype

import (
	"cmp"
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
)

// Gap is a type that cannot be resolved because the go command has no package for an import.
type Gap struct {
	// Import is the import path, and Pos the position of the import.
	Import string
	Pos    token.Position
	// Unavailable is the go command's reason.
	load.Unavailable
	// Missing represents the type.
	Missing *Missing
}

// addGap records a qualified name in a file if the go command could not provide the imported package.
func (u *Universe) addGap(file *load.File, e *ast.SelectorExpr, missing *Missing) {
	qualifier, ok := e.X.(*ast.Ident)
	if !ok {
		return
	}
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil || spec.Name != nil && spec.Name.Name != qualifier.Name {
			continue
		}
		if reason, failed := u.loaded.Unavailable(importPath); failed && (spec.Name != nil || mayBeCalled(importPath, qualifier.Name)) {
			u.gaps = append(u.gaps, Gap{importPath, u.Fset.Position(spec.Path.Pos()), reason, missing})
			return
		}
	}
}

// mayBeCalled reports whether an unavailable package may have a name: its import path ends with the name, ignoring a major
// version.
func mayBeCalled(importPath, name string) bool {
	return path.Base(importPath) == name || path.Base(path.Dir(importPath)) == name
}

// Explain replaces diagnostics that follow from unavailable packages: with one per module, at the first import, with the go
// command's reason. Each package without a module also gets one diagnostic.
func (u *Universe) Explain(diags diag.List) diag.List {
	if len(u.gaps) == 0 || !diags.Failed() {
		return diags
	}
	causes := map[string]Gap{}
	var explained diag.List
	for _, d := range diags {
		gap, found := u.cause(d)
		if !found {
			explained = append(explained, d)
			continue
		}
		key := gap.Module
		if key == "" {
			key = gap.Import
		}
		if first, known := causes[key]; !known || before(gap.Pos, first.Pos) {
			causes[key] = gap
		}
	}
	for _, gap := range causes {
		explained = append(explained, gap.diagnostic())
	}
	return explained
}

// cause returns the gap that caused a diagnostic.
func (u *Universe) cause(d diag.Diagnostic) (Gap, bool) {
	for _, gap := range u.gaps {
		if strings.Contains(d.Message, gap.Missing.Reason) {
			return gap, true
		}
	}
	return Gap{}, false
}

func before(a, b token.Position) bool {
	return cmp.Or(strings.Compare(a.Filename, b.Filename), cmp.Compare(a.Offset, b.Offset)) < 0
}

func (g Gap) diagnostic() diag.Diagnostic {
	what := "package " + g.Import
	if g.Module != "" {
		what = "module " + g.Module
	}
	reason, remedy, _ := strings.Cut(strings.TrimPrefix(g.Reason, g.Module+": "), "; to add it: ")
	if remedy != "" {
		remedy = "run " + remedy
	}
	return diag.Diagnostic{Pos: g.Pos, Message: what + " is not available: " + reason, Hint: remedy}
}
