package output

import (
	"errors"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

// linkCheck finds symbolic links that lead out of the module.
type linkCheck struct {
	root, module string
	// checked maps directories below the root to whether they are in the module.
	checked map[string]bool
}

func newLinkCheck(root, module string) linkCheck {
	return linkCheck{root: root, module: module, checked: map[string]bool{}}
}

// check reports whether a directory, slash-separated and relative to the root, is in the module. Each link that leads out of it is
// added to the diagnostics once.
func (c linkCheck) check(dir string, diags *diag.List) bool {
	if within, known := c.checked[dir]; known {
		return within
	}
	c.checked[dir] = (dir == "." || c.check(path.Dir(dir), diags)) && c.follow(dir, diags)
	return c.checked[dir]
}

// follow checks only the last element of a path.
func (c linkCheck) follow(dir string, diags *diag.List) bool {
	name := fileName(c.root, dir)
	if info, err := os.Lstat(name); dir != "." && (err != nil || info.Mode()&fs.ModeSymlink == 0) {
		return true // writing to it fails with a better error
	}
	pos := token.Position{Filename: name}
	resolved, err := realPath(name)
	module, errModule := realPath(c.module)
	if err = errors.Join(err, errModule); err != nil {
		diags.Add(pos, "cannot resolve the output directory: %v", err)
		return false
	}
	if rel, err := filepath.Rel(module, resolved); err != nil || !filepath.IsLocal(rel) {
		diags.AddHint(pos, "replace the link with a directory, or set --output-dir",
			"a symbolic link redirects the output outside of %s, to %s", c.module, resolved)
		return false
	}
	return true
}

// realPath resolves the symbolic links in a path. Its last elements need not exist.
func realPath(name string) (string, error) {
	resolved, err := filepath.EvalSymlinks(name)
	if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(name) == name {
		return resolved, err
	}
	if _, linked := os.Lstat(name); linked == nil {
		return "", err // the link exists, its target does not
	}
	parent, err := realPath(filepath.Dir(name))
	return filepath.Join(parent, filepath.Base(name)), err
}

// boundary is a file below the output directory that marks its directory as part of another module or output.
type boundary struct{ file, message, hint string }

var boundaries = []*boundary{
	{"go.mod", "this directory of the output is another module", "set --output-dir to a directory of one module, or remove this go.mod"},
	{ManifestName, "this directory belongs to another output",
		"use a separate directory for each output, or remove this file if nothing is generated here any more"},
}

// foreignDir is the directory of another module or output, slash-separated and relative to the root. Its boundary is nil if there is
// no such directory.
type foreignDir struct {
	dir string
	*boundary
}

// foreignDirs maps directories to the uppermost foreign directory that contains them.
type foreignDirs map[string]foreignDir

// of returns the uppermost foreign directory below the root that contains dir.
func (f foreignDirs) of(root, dir string) foreignDir {
	found, known := f[dir]
	if !known && dir != "." && dir != "/" {
		if found = f.of(root, path.Dir(dir)); found.boundary == nil {
			found = foreignDir{dir, boundaryIn(fileName(root, dir))}
		}
		f[dir] = found
	}
	return found
}

// boundaryIn returns the boundary of a directory, or nil.
func boundaryIn(dir string) *boundary {
	for _, b := range boundaries {
		if info, err := os.Lstat(filepath.Join(dir, b.file)); err == nil && !info.IsDir() {
			return b
		}
	}
	return nil
}
