package output

import (
	"errors"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// bound keeps what we write in the directory of the module, whatever symbolic links there are.
type bound struct {
	root, module string
	// checked are the directories below the root that were looked at, and whether they lie within.
	checked map[string]bool
}

func newBound(root, module string) bound {
	return bound{root: root, module: module, checked: map[string]bool{}}
}

// check reports a directory, slash-separated and relative to the root, that a symbolic link takes out of the bound. It
// reports no directory twice, nor those below one that it has reported.
func (b bound) check(dir string, diags *diag.List) bool {
	if within, known := b.checked[dir]; known {
		return within
	}
	b.checked[dir] = (dir == "." || b.check(path.Dir(dir), diags)) && b.follow(dir, diags)
	return b.checked[dir]
}

// follow looks at the last element of a path alone: check has seen to those before.
func (b bound) follow(dir string, diags *diag.List) bool {
	name := full(b.root, dir)
	if info, err := os.Lstat(name); dir != "." && (err != nil || info.Mode()&fs.ModeSymlink == 0) {
		return true // a directory that cannot be looked at cannot be written to, and that says more
	}
	pos := token.Position{Filename: name}
	resolved, err := realPath(name)
	module, errModule := realPath(b.module)
	if err = errors.Join(err, errModule); err != nil {
		diags.Add(pos, "cannot resolve the output directory: %v", err)
		return false
	}
	if rel, err := filepath.Rel(module, resolved); err != nil || !filepath.IsLocal(rel) {
		diags.AddHint(pos, "replace the link with a directory, or set --output-dir",
			"a symbolic link redirects the output outside of %s, to %s", b.module, resolved)
		return false
	}
	return true
}

// realPath follows the symbolic links in a path, whose last elements need not exist.
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

// border is a file below the output directory whose directory belongs to somebody else, with all that is below it.
type border struct{ file, begins, hint string }

var borders = []*border{
	{"go.mod", "this directory of the output is another module", "set --output-dir to a directory of one module, or remove this go.mod"},
	{manifestName, "this directory belongs to another output", "use a separate directory for each output, or remove this file if nothing is generated here any more"},
}

// edge is the place of a border, slash-separated and relative to the root; no border is nil.
type edge struct {
	at string
	*border
}

// edges are the uppermost borders between the root and directories that were looked at, which may have one themselves.
type edges map[string]edge

// above returns the uppermost directory with a border between the root and dir. The root itself has none.
func (e edges) above(root, dir string) edge {
	if dir == "." || dir == "/" {
		return edge{}
	}
	found, known := e[dir]
	if !known {
		if found = e.above(root, path.Dir(dir)); found.border == nil {
			found = edge{dir, borderIn(full(root, dir))}
		}
		e[dir] = found
	}
	return found
}

// borderIn returns the border of a directory, or nil.
func borderIn(dir string) *border {
	for _, b := range borders {
		if info, err := os.Lstat(filepath.Join(dir, b.file)); err == nil && !info.IsDir() {
			return b
		}
	}
	return nil
}
