package pipeline

import (
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// invisible reports imports that the go command refuses: of internal packages, whose parent directory does not contain the
// importing file. Files in API packages import what these may import.
func (a *API) invisible(files []render.File) diag.List {
	var diags diag.List
	reported := map[string]bool{}
	imports := ofEach(files, goImports)
	for i, file := range files {
		importer := path.Join(a.Place.ImportPath, path.Dir(file.Path))
		if a.isSource(path.Dir(file.Path)) {
			continue
		}
		for _, importPath := range imports[i] {
			parent, internal := parentOfInternal(importPath)
			if !internal || parent == "" || reported[importPath] || strings.HasPrefix(importer+"/", parent+"/") {
				continue
			}
			reported[importPath] = true
			diags.AddHint(a.importPos(importPath), "move the types out of the internal directory, or the output below "+parent,
				"package %s is internal to %s, and %s cannot import it", importPath, parent, importer)
		}
	}
	return diags
}

// isSource reports whether a directory of the output is that of an API package.
func (a *API) isSource(dir string) bool {
	for _, source := range a.Layout.SourceDirs {
		if source == dir {
			return true
		}
	}
	return false
}

// parentOfInternal returns the part of an import path above its last element "internal".
func parentOfInternal(importPath string) (parent string, ok bool) {
	elements := strings.Split(importPath, "/")
	for i, element := range slices.Backward(elements) {
		if element == "internal" {
			return strings.Join(elements[:i], "/"), true
		}
	}
	return "", false
}

// importPos returns the position of a loaded package, or of its import in a loaded package.
func (a *API) importPos(importPath string) token.Position {
	for _, origin := range a.Resolved.Versions {
		if origin.Source.Path == importPath {
			return origin.Pos
		}
	}
	for _, pkg := range a.Loaded.Packages {
		for _, file := range pkg.Files {
			for _, spec := range file.Imports {
				if imported, err := strconv.Unquote(spec.Path.Value); err == nil && imported == importPath {
					return a.Loaded.Fset.Position(spec.Pos())
				}
			}
		}
	}
	return token.Position{}
}
