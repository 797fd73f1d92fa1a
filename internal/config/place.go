package config

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"

	modpath "golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
)

// DefaultOutput is the output directory within a module, slash-separated.
const DefaultOutput = "pkg/generated"

// Place is a directory with the import path that the go command knows it by.
type Place struct{ Dir, ImportPath string }

// Module returns the directory of the module that the place belongs to or, without a module, the directory of the place.
func (p Place) Module() string {
	if module, err := OwningModule(p.Dir); err == nil {
		return module.Dir
	}
	return p.Dir
}

// Place determines the output directory and its import path from go.mod.
func (o Options) Place(loaded *load.Result) (Place, error) {
	dir := o.OutputDir
	if dir == "" {
		root, err := inputModule(o.Load.Dir, loaded)
		if err != nil {
			return Place{}, err
		}
		dir = filepath.Join(root, filepath.FromSlash(DefaultOutput))
	}
	dir = o.Absolute(dir)
	if o.OutputPkg != "" {
		return Place{dir, o.OutputPkg}, nil
	}
	importPath, err := ImportPathOf(dir)
	return Place{dir, importPath}, err
}

// inputModule returns the root of the module that holds the packages. For packages of dependencies, which are never written to,
// it is the module of the working directory.
func inputModule(cwd string, loaded *load.Result) (string, error) {
	roots := map[string]bool{}
	root := ""
	for _, pkg := range loaded.Packages {
		if pkg.InMainModule() {
			root = pkg.Module.Dir
			roots[root] = true
		}
	}
	switch len(roots) {
	case 0:
		module, err := OwningModule(cwd)
		return module.Dir, err
	case 1:
		return root, nil
	}
	return "", errors.New("the packages are in several modules: set --output-dir")
}

// ImportPathOf returns the import path of a directory, which need not exist yet.
func ImportPathOf(dir string) (string, error) {
	module, err := OwningModule(dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(module.Dir, dir)
	if err != nil {
		return "", err
	}
	importPath := path.Join(module.ImportPath, filepath.ToSlash(rel))
	if err := modpath.CheckImportPath(importPath); err != nil {
		return "", fmt.Errorf("%s cannot be a Go package: %w", dir, err)
	}
	return importPath, nil
}

// OwningModule finds the go.mod in dir or above it and returns the root of its module.
func OwningModule(dir string) (Place, error) {
	root, modulePath := load.ModuleAt(dir)
	switch {
	case root == "":
		return Place{}, fmt.Errorf("no go.mod in %s or its parents: set --output-pkg", dir)
	case modulePath == "":
		return Place{}, fmt.Errorf("%s: no module path", filepath.Join(root, "go.mod"))
	}
	return Place{root, modulePath}, nil
}

// Within reports whether name is dir or below it.
func Within(dir, name string) bool { return load.Within(dir, name) }

// AnyWithin reports whether any of the names is one of the directories or below one.
func AnyWithin(names, dirs []string) bool {
	for _, name := range names {
		for _, dir := range dirs {
			if Within(dir, name) {
				return true
			}
		}
	}
	return false
}
