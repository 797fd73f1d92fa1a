package cli

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/mod/modfile"
	modpath "golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
)

// defaultOutput is the output directory within a module, unless the user names another.
const defaultOutput = "pkg/generated"

// place is where the output goes: a directory, and the import path that the go command knows it by.
type place struct{ dir, importPath string }

// locate finds the output directory and its import path, so that nobody has to say what go.mod says already.
func locate(opts options, loaded *load.Result) (place, error) {
	dir := opts.outputDir
	if dir == "" {
		root, err := inputModule(opts.load.Dir, loaded)
		if err != nil {
			return place{}, err
		}
		dir = filepath.Join(root, filepath.FromSlash(defaultOutput))
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(opts.load.Dir, dir)
	}
	if opts.outputPkg != "" {
		return place{dir, opts.outputPkg}, nil
	}
	importPath, err := importPathOf(dir)
	return place{dir, importPath}, err
}

// inputModule returns the root of the module that holds the packages; for packages of dependencies, which nobody
// writes to, that of the working directory.
func inputModule(cwd string, loaded *load.Result) (string, error) {
	roots := map[string]bool{}
	root := ""
	for _, pkg := range loaded.Packages {
		if pkg.Module != nil && pkg.Module.Main {
			root = pkg.Module.Dir
			roots[root] = true
		}
	}
	switch len(roots) {
	case 0:
		dir, _, err := owningModule(cwd)
		return dir, err
	case 1:
		return root, nil
	}
	return "", errors.New("the packages lie in several modules: say with --output-dir where the output belongs")
}

// importPathOf returns the import path of a directory, which need not exist yet.
func importPathOf(dir string) (string, error) {
	root, modulePath, err := owningModule(dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return "", err
	}
	importPath := path.Join(modulePath, filepath.ToSlash(rel))
	if err := modpath.CheckImportPath(importPath); err != nil {
		return "", fmt.Errorf("no package can be in %s: %w", dir, err)
	}
	return importPath, nil
}

// owningModule finds the go.mod in dir or above it, and returns its directory and the path of its module.
func owningModule(dir string) (root, modulePath string, err error) {
	for root = dir; ; root = filepath.Dir(root) {
		name := filepath.Join(root, "go.mod")
		if data, err := os.ReadFile(name); err == nil {
			if modulePath = modfile.ModulePath(data); modulePath == "" {
				return "", "", fmt.Errorf("%s: no module path", name)
			}
			return root, modulePath, nil
		}
		if root == filepath.Dir(root) {
			return "", "", fmt.Errorf("no go.mod in %s or above: say with --output-pkg which import path it has", dir)
		}
	}
}
