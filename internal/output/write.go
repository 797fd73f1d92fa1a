package output

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// Plan is what has to be done to a tree so that it holds the rendered files and no stale ones.
type Plan struct {
	root string
	// Write are the files that are missing or differ.
	Write []render.File
	// Unchanged counts the files that stand already as they should.
	Unchanged int
	// Remove are the paths of our own files that are no longer generated.
	Remove []string
}

// Plan compares the rendered files with the tree. Files of ours below the owned directories that were not rendered are
// stale; those below an other directory, which may lie in an owned one, are not looked at. A hand-written file in the
// way of a rendered one is an error, and so nothing is planned.
func (t *Tree) Plan(files []render.File, owned, other []string) (*Plan, error) {
	plan := &Plan{root: t.root}
	var diags diag.List
	rendered := map[string]bool{}
	for _, file := range files {
		rendered[file.Path] = true
		switch existing, exists := t.files[file.Path]; {
		case exists && bytes.Equal(existing, file.Content):
			plan.Unchanged++
		case exists && !generated(existing):
			diags.AddHint(token.Position{Filename: filepath.Join(t.root, filepath.FromSlash(file.Path))},
				"move it, or send the output elsewhere with --output-dir", "a hand-written file stands where a generated one belongs")
		default:
			plan.Write = append(plan.Write, file)
		}
	}
	in := func(dirs []string, name string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return below(dir, name) })
	}
	for name, content := range t.files {
		if !rendered[name] && ours(content) && in(owned, name) && !in(other, name) {
			plan.Remove = append(plan.Remove, name)
		}
	}
	slices.Sort(plan.Remove)
	return plan, diags.Err()
}

// Apply writes and removes what is planned.
func (p *Plan) Apply() error {
	made := map[string]bool{}
	for _, file := range p.Write {
		name := filepath.Join(p.root, filepath.FromSlash(file.Path))
		if dir := filepath.Dir(name); !made[dir] {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return err
			}
			made[dir] = true
		}
		if err := replace(name, file.Content); err != nil {
			return err
		}
	}
	for _, name := range p.Remove {
		if err := os.Remove(filepath.Join(p.root, filepath.FromSlash(name))); err != nil {
			return err
		}
		p.removeEmpty(path.Dir(name))
	}
	return nil
}

// replace writes a file under another name and renames it, so that there is never half a file.
func replace(name string, content []byte) error {
	temporary := fmt.Sprintf("%s.tmp%d", name, os.Getpid())
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	if err := os.Rename(temporary, name); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return nil
}

// removeEmpty removes a directory that a removed file has left empty, and its parents likewise, up to the root.
func (p *Plan) removeEmpty(dir string) {
	for ; dir != "." && dir != "/"; dir = path.Dir(dir) {
		full := filepath.Join(p.root, filepath.FromSlash(dir))
		if entries, err := os.ReadDir(full); err != nil || len(entries) > 0 {
			return
		}
		if err := os.Remove(full); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
}
