package output

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// Options say which files a run answers for, and how far it may go.
type Options struct {
	// Owned are the directories in which a file of ours that is no longer generated is stale. Those in Other are left
	// alone, even where they lie in an owned one.
	Owned, Other []string
	// Beside are the names of such files in API packages.
	Beside []string
	// Adopt makes files stale too that the generators of k8s.io/code-generator have left.
	Adopt bool
	// Force replaces files of ours that were edited by hand.
	Force bool
}

// Plan lists the changes after which a tree has the rendered files and no stale ones.
type Plan struct {
	root string
	// Write are the files that are missing or differ. The manifest, if it is among them, is the last.
	Write []render.File
	// Unchanged counts the files that stand already as they should.
	Unchanged int
	// Remove are the paths of the files that are no longer generated.
	Remove []string

	old map[string][]byte
	// scanned is the manifest that was on disk.
	scanned []byte
	// renew recomputes the plan.
	renew func() (*Plan, error)
	// journal, if there is one, is the manifest to be had while files are replaced.
	journal   []byte
	leftovers []string
	// gone are stale files that a killed run may have removed, but not yet their directories.
	gone []string
}

// Old returns what stands at a path that is to be written or removed, with \n at the end of lines; nil if nothing does.
func (p *Plan) Old(name string) []byte { return p.old[name] }

// Upstreams returns how many files of k8s.io/code-generator are replaced or removed.
func (p *Plan) Upstreams() int {
	n := 0
	for _, content := range p.old {
		if upstreams(content) != "" {
			n++
		}
	}
	return n
}

// Idle reports whether there is nothing to do.
func (p *Plan) Idle() bool { return len(p.Write)+len(p.Remove)+len(p.leftovers) == 0 }

// Renew plans again if what the plan is about has changed on disk since: another run may have written.
func (p *Plan) Renew() (*Plan, error) {
	if p.current() {
		return p, nil
	}
	return p.renew()
}

// current reports whether nobody has touched the files that the plan changes, and no run has changed any others: that would have
// changed the manifest, too.
func (p *Plan) current() bool {
	manifest, err := regular.ReadFile(full(p.root, manifestName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) || !bytes.Equal(manifest, p.scanned) {
		return false
	}
	for _, file := range p.Write {
		if file.Path != manifestName && !p.asPlanned(file.Path) {
			return false
		}
	}
	return !slices.ContainsFunc(p.Remove, func(name string) bool { return !p.asPlanned(name) })
}

// asPlanned reports whether a file that is to be changed is as the plan found it.
func (p *Plan) asPlanned(name string) bool {
	onDisk := full(p.root, name)
	info, err := os.Lstat(onDisk)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) && len(p.old[name]) == 0
	}
	if !info.Mode().IsRegular() {
		return false
	}
	content, err := readText(onDisk)
	return err == nil && bytes.Equal(content, p.old[name])
}

// Plan compares the rendered files with the tree. What would do harm is reported, and so nothing is planned: a
// handwritten file in the way of a rendered one, one of ours that was edited, a link that leads elsewhere.
func (t *Tree) Plan(files []render.File, opts Options) (*Plan, error) {
	p := &planner{
		tree: t, opts: opts, rendered: map[string]bool{}, beyond: map[string]bool{}, edges: edges{},
		plan: &Plan{root: t.root, old: map[string][]byte{}, scanned: t.scanned, leftovers: t.leftovers},
	}
	p.next = t.recorded.foreign(t.root, p.covers)
	for _, file := range files {
		if !t.belongs(file.Path) || path.Clean(file.Path) != file.Path || file.Path == "." {
			return nil, fmt.Errorf("internal error: %q is not a path inside the output directory, please report this", file.Path)
		}
		if err := p.file(file); err != nil {
			return nil, err
		}
	}
	p.plan.renew = func() (*Plan, error) {
		tree, err := Scan(t.root, t.module, t.dirs, t.beside...)
		if err != nil {
			return nil, err
		}
		return tree.Plan(files, opts)
	}
	p.stale()
	if err := p.manifest(); err != nil {
		return nil, err
	}
	return p.plan, p.diags.Err()
}

type planner struct {
	tree     *Tree
	opts     Options
	plan     *Plan
	rendered map[string]bool
	edges    edges
	// beyond are the directories of others that were reported.
	beyond map[string]bool
	next   manifest
	diags  diag.List
}

// covers reports whether the run is responsible for a file.
func (p *planner) covers(name string) bool {
	if p.tree.siteOf(name) != nil {
		return slices.Contains(p.opts.Beside, path.Base(name))
	}
	return below(p.opts.Owned, name) && !below(p.opts.Other, name)
}

// within reports a file that a symbolic link takes out of its module, or that would lie in the directory of somebody else.
func (p *planner) within(name string) bool {
	if s := p.tree.siteOf(name); s != nil {
		p.diags = append(p.diags, s.outside...)
		return len(s.outside) == 0
	}
	dir := path.Dir(name)
	if !p.tree.bound.check(dir, &p.diags) {
		return false
	}
	above := p.edges.above(p.tree.root, dir)
	if above.border == nil {
		return true
	}
	if !p.beyond[above.at] {
		p.beyond[above.at] = true
		p.refuse(path.Join(above.at, above.file), above.hint, "%s", above.begins)
	}
	return false
}

// file plans what becomes of a rendered file.
func (p *planner) file(file render.File) error {
	p.rendered[file.Path] = true
	p.next.add(file.Path, checksum(file.Content))
	existing, err := p.existing(file.Path)
	switch {
	case err != nil:
		return err
	case len(existing) == 0: // an empty file has nothing to lose; a crash may have left it
		p.plan.Write = append(p.plan.Write, file)
	case bytes.Equal(existing, file.Content):
		p.plan.Unchanged++
	case !p.tree.generated(file.Path, existing):
		p.refuse(file.Path, "move it, or set --output-dir", "a handwritten file is in the way of a generated file")
	case p.mayTouch(file.Path, existing):
		p.plan.Write = append(p.plan.Write, file)
		p.plan.old[file.Path] = existing
	}
	return nil
}

// existing returns the content of the file at a path, or nothing. In addition to the files of the tree it finds
// those that a scan does not reach, behind a link or on a file system that ignores case.
func (p *planner) existing(name string) ([]byte, error) {
	if !p.within(name) {
		return nil, nil
	}
	if content, scanned := p.tree.files[name]; scanned {
		return content, nil
	}
	onDisk := full(p.tree.root, name)
	info, err := os.Lstat(onDisk)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		p.refuse(name, "move it, or set --output-dir", "%s is in the way of a generated file", kindOf(info.Mode()))
		return nil, nil
	}
	return readText(onDisk)
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	}
	return "something that is not a file"
}

// mayTouch reports a file of ours that was edited, unless it may be lost.
func (p *planner) mayTouch(name string, content []byte) bool {
	if p.opts.Force || !p.tree.ours(name, content) || !p.tree.recorded.edited(name, content) {
		return true
	}
	p.refuse(name, "move the change to a handwritten file, then run with --force to regenerate this one",
		"this generated file was edited")
	return false
}

func (p *planner) refuse(name, hint, format string, args ...any) {
	p.diags.AddHint(token.Position{Filename: full(p.tree.root, name)}, hint, format, args...)
}

// stale plans the removal of files that are no longer generated.
func (p *planner) stale() {
	withTypes := map[string]bool{}
	for name := range p.tree.Handwritten() {
		withTypes[path.Dir(name)] = true
	}
	for name, content := range p.tree.files {
		beside := withTypes[path.Dir(name)] || p.tree.siteOf(name) != nil
		if p.rendered[name] || !p.covers(name) || !p.obsolete(name, content, beside) {
			continue
		}
		if p.mayTouch(name, content) {
			p.plan.Remove = append(p.plan.Remove, name)
			p.plan.old[name] = content
		}
	}
	slices.Sort(p.plan.Remove)
	for name := range p.tree.recorded {
		if _, there := p.tree.files[name]; !there && !p.rendered[name] && p.covers(name) && p.tree.bound.check(path.Dir(name), new(diag.List)) {
			p.plan.gone = append(p.plan.gone, name)
		}
	}
}

// obsolete reports whether a file that was not rendered is to be removed. Deep copies and registrations belong to the types
// in their package, so those of upstream are obsolete only where there are no types.
func (p *planner) obsolete(name string, content []byte, withTypes bool) bool {
	if p.tree.ours(name, content) {
		return true
	}
	switch upstreams(content) {
	case "client", "lister", "informer", "applyconfiguration":
		return p.opts.Adopt
	case "deepcopy", "register":
		return p.opts.Adopt && !withTypes
	}
	return false
}

// manifest plans the manifest, which is to list what will be there.
func (p *planner) manifest() error {
	file := render.File{Path: manifestName, Content: p.next.format()}
	existing, err := p.existing(manifestName)
	switch {
	case err != nil:
		return err
	case bytes.Equal(existing, file.Content):
		p.plan.Unchanged++
		return nil
	case len(existing) > 0:
		p.plan.old[manifestName] = existing
	}
	var write []string
	for _, f := range p.plan.Write {
		write = append(write, f.Path)
	}
	p.plan.journal = p.tree.recorded.before(p.next, write, p.plan.Remove)
	p.plan.Write = append(p.plan.Write, file)
	return nil
}
