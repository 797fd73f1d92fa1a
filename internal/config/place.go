package config

import (
	"errors"
	"path/filepath"

	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
)

// DefaultOutput is the output directory within a module, slash-separated.
const DefaultOutput = "pkg/generated"

// Place determines the output directory and its import path from go.mod.
func (o Options) Place(loaded *load.Result) (module.Place, error) {
	dir := o.OutputDir
	if dir == "" {
		root, err := inputModule(o.Load.Dir, loaded)
		if err != nil {
			return module.Place{}, err
		}
		dir = filepath.Join(root, filepath.FromSlash(DefaultOutput))
	}
	dir = o.Absolute(dir)
	if o.OutputPkg != "" {
		return module.Place{Dir: dir, ImportPath: o.OutputPkg}, nil
	}
	importPath, err := module.ImportPath(dir)
	return module.Place{Dir: dir, ImportPath: importPath}, err
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
		owner, err := module.Owner(cwd)
		return owner.Dir, err
	case 1:
		return root, nil
	}
	return "", errors.New("the packages are in several modules: set --output-dir")
}
