package output

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Options define which files a run owns and which it may replace.
type Options struct {
	// Owned are the directories whose obsolete generated files are removed. Directories in Other are left alone, even below an owned one.
	Owned, Other []string
	// PackageFiles are the names of the owned files in API packages.
	PackageFiles []string
	// Manifests are the directories in which the run owns the generated manifests.
	Manifests []string
	// Shared is true if another run has the same output directory. The manifest keeps the files that it wrote elsewhere.
	Shared bool
	// Adopt also removes files of the programs of k8s.io/code-generator. Programs has the replaced programs, such as client for client-gen:
	// true for programs that write to API packages.
	Adopt    bool
	Programs map[string]bool
	// Force replaces edited generated files.
	Force bool
	// MayLose reports whether the file with an absolute name may lose what only it has; nil for no file.
	MayLose func(name string) bool
}

// Plan lists the changes that bring a tree up to date.
type Plan struct {
	root string
	// modules are the modules of API packages by their directories.
	modules map[string]string
	// Write are the files that are missing or differ. If the manifest is among them, it is the last.
	Write []render.File
	// Unchanged is the number of files already up to date.
	Unchanged int
	// Remove are the paths of the files that are no longer generated.
	Remove []string

	opts Options
	old  map[string][]byte
	// scanned is the text of the manifest on disk.
	scanned []byte
	// renew recomputes the plan.
	renew func() (*Plan, error)
	// journal is the manifest on disk while files are replaced; nil if it does not change.
	journal   []byte
	leftovers []string
	// gone are stale files that do not exist any more. A killed run may have left their empty directories.
	gone []string
}

// Old returns the current content of a file that the plan changes, with \n at the end of lines; nil for a new file.
func (p *Plan) Old(name string) []byte { return p.old[name] }

// Manifests returns the paths of manifests that are new or no longer generated.
func (p *Plan) Manifests() (names []string) {
	for _, file := range p.Write {
		if isManifest(file.Path) && p.old[file.Path] == nil {
			names = append(names, file.Path)
		}
	}
	return append(names, lists.Filter(p.Remove, isManifest)...)
}

// UpstreamFiles returns the number of replaced or removed files of k8s.io/code-generator.
func (p *Plan) UpstreamFiles() int {
	n := 0
	for _, content := range p.old {
		if wrote, _ := p.opts.upstream(content); wrote {
			n++
		}
	}
	return n
}

// New reports whether there was no output before: no manifest, and no file that the plan replaces or keeps.
func (p *Plan) New() bool {
	return p.scanned == nil && len(p.old)+p.Unchanged+len(p.Remove) == 0
}

// Idle reports whether there is nothing to do.
func (p *Plan) Idle() bool { return len(p.Write)+len(p.Remove)+len(p.leftovers) == 0 }

// Renew returns the plan or, if the files on disk have changed since, a new one: another run may have written.
func (p *Plan) Renew() (*Plan, error) {
	if p.current() {
		return p, nil
	}
	return p.renew()
}

// current reports whether the files that the plan changes are unmodified. If another run had changed other files, the manifest would
// differ too.
func (p *Plan) current() bool {
	manifest, err := regular.ReadFile(fileName(p.root, ManifestName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) || !bytes.Equal(manifest, p.scanned) {
		return false
	}
	for _, file := range p.Write {
		if file.Path != ManifestName && !p.asPlanned(file.Path) {
			return false
		}
	}
	return !slices.ContainsFunc(p.Remove, func(name string) bool { return !p.asPlanned(name) })
}

// asPlanned reports whether a file is still as the plan found it.
func (p *Plan) asPlanned(name string) bool {
	onDisk := fileName(p.root, name)
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

// Plan compares the rendered files with the tree. It plans nothing if it finds handwritten files in the way, edited files, or links out
// of the module.
func (t *Tree) Plan(files []render.File, opts Options) (*Plan, error) {
	p := &planner{
		tree: t, opts: opts, rendered: map[string]bool{}, reported: map[string]bool{}, foreignDirs: foreignDirs{},
		plan: &Plan{root: t.root, opts: opts, modules: map[string]string{}, old: map[string][]byte{}, scanned: t.scanned, leftovers: t.leftovers},
	}
	for dir, pkg := range t.packages {
		p.plan.modules[dir] = pkg.Module
	}
	p.next = t.recorded.foreign(t.root, p.owns)
	if opts.Shared {
		maps.Copy(p.next, t.elsewhere.foreign(t.root, func(string) bool { return false }))
	}
	for _, file := range files {
		if !t.belongs(file.Path) || path.Clean(file.Path) != file.Path || file.Path == "." {
			return nil, fmt.Errorf("internal error: %q is not a path inside the output directory, please report this", file.Path)
		}
		if err := p.file(file); err != nil {
			return nil, err
		}
	}
	p.plan.renew = func() (*Plan, error) {
		tree, err := Scan(t.root, t.module, t.dirs, t.packageDirs...)
		if err != nil {
			return nil, err
		}
		return tree.Plan(files, opts)
	}
	p.stale()
	p.checkNames()
	if err := p.manifest(); err != nil {
		return nil, err
	}
	return p.plan, p.diags.Err()
}

type planner struct {
	tree        *Tree
	opts        Options
	plan        *Plan
	rendered    map[string]bool
	foreignDirs foreignDirs
	// reported are the foreign directories with a diagnostic.
	reported map[string]bool
	next     manifest
	diags    diag.List
}

// owns reports whether the run is responsible for a file.
func (p *planner) owns(name string) bool {
	if pkg := p.tree.packageOf(name); pkg != nil {
		return slices.Contains(p.opts.PackageFiles, pkg.usual(path.Base(name))) || isManifest(name) && slices.Contains(p.opts.Manifests, pkg.Dir)
	}
	return below(p.opts.Owned, name) && !below(p.opts.Other, name)
}

// checkLocation reports whether a file may be written: not if a symbolic link leads out of its module, or if it is in a foreign
// directory. These are diagnostics.
func (p *planner) checkLocation(name string) bool {
	if pkg := p.tree.packageOf(name); pkg != nil {
		p.diags = append(p.diags, pkg.outside...)
		return len(pkg.outside) == 0
	}
	dir := path.Dir(name)
	if !p.tree.links.check(dir, &p.diags) {
		return false
	}
	foreign := p.foreignDirs.of(p.tree.root, dir)
	if foreign.boundary == nil {
		return true
	}
	if !p.reported[foreign.dir] {
		p.reported[foreign.dir] = true
		p.refuse(path.Join(foreign.dir, foreign.file), foreign.hint, "%s", foreign.message)
	}
	return false
}

// file plans one rendered file.
func (p *planner) file(file render.File) error {
	p.rendered[file.Path] = true
	existing, err := p.existing(file.Path)
	if isManifest(file.Path) {
		file.Content = commented(file.Content, existing)
	}
	p.next.add(file.Path, checksum(file.Content))
	switch {
	case err != nil:
		return err
	case len(existing) == 0: // an empty file has no edits to lose; a crash may have left it
		p.plan.Write = append(p.plan.Write, file)
	case bytes.Equal(existing, file.Content):
		p.plan.Unchanged++
	case !p.tree.generated(file.Path, existing) && (!p.opts.Adopt || !isRole(file.Path, existing)):
		p.refuse(file.Path, p.wayOut(file.Path), "a handwritten file is in the way of a generated file")
	case isManifest(file.Path) && p.losesParts(file, existing):
	case p.mayReplace(file.Path, existing):
		p.plan.Write = append(p.plan.Write, file)
		p.plan.old[file.Path] = existing
	}
	return nil
}

// commented returns a manifest with the comments above the existing one, such as a license, unless it has its own.
func commented(content, existing []byte) []byte {
	own, document := Document(content)
	kept, _ := Document(existing)
	if bytes.Contains(own, []byte("#")) || !bytes.Contains(kept, []byte("#")) {
		return content
	}
	return slices.Concat(kept, document)
}

// Document splits a manifest after the comments, empty lines and separators above its first document.
func Document(manifest []byte) (above, document []byte) {
	above = heading().Find(manifest)
	return above, manifest[len(above):]
}

var heading = lazy.Regexp(`\A((#.*|---)?\n)*`)

// existing returns the content of the file at a path, or nil. It also finds files that a scan does not reach, behind a link or on a
// file system that ignores case.
func (p *planner) existing(name string) ([]byte, error) {
	if !p.checkLocation(name) {
		return nil, nil
	}
	if content, scanned := p.tree.files[name]; scanned {
		return content, nil
	}
	onDisk := fileName(p.tree.root, name)
	info, err := os.Lstat(onDisk)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		p.refuse(name, p.wayOut(name), "%s is in the way of a generated file", kindOf(info.Mode()))
		return nil, nil
	}
	return readText(onDisk)
}

// wayOut is what to do about something in the way of a generated file. Manifests may have been written by the scaffold or by a program that
// does not mark them.
func (p *planner) wayOut(name string) string {
	switch pkg := p.tree.packageOf(name); {
	case isRole(name, p.tree.files[name]):
		return "use --adopt to replace it if controller-gen wrote it, or move it"
	case pkg != nil && pkg.Manifests && isManifest(name):
		return "move it, remove it if it follows from the types, or set another directory"
	}
	return "move it, or set --output-dir"
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

// mayReplace reports whether a file may be replaced or removed. It reports edited generated files, unless Force is set.
func (p *planner) mayReplace(name string, content []byte) bool {
	if p.opts.Force || p.mayLose(name) || !p.tree.ours(name, content) || !p.tree.recorded.edited(name, content) {
		return true
	}
	p.refuse(name, "move the change to a handwritten file, then run with --force to regenerate this one",
		"this generated file was edited")
	return false
}

func (p *planner) refuse(name, hint, format string, args ...any) {
	p.diags.AddHint(token.Position{Filename: fileName(p.tree.root, name)}, hint, format, args...)
}

// stale plans the removal of files that are no longer generated.
func (p *planner) stale() {
	withTypes := map[string]bool{}
	for name := range p.tree.Handwritten() {
		withTypes[path.Dir(name)] = true
	}
	for name, content := range p.tree.files {
		hasTypes := withTypes[path.Dir(name)] || p.tree.packageOf(name) != nil
		if p.rendered[name] || !p.owns(name) || !p.obsolete(name, content, hasTypes) {
			continue
		}
		if p.mayReplace(name, content) {
			p.plan.Remove = append(p.plan.Remove, name)
			p.plan.old[name] = content
		}
	}
	slices.Sort(p.plan.Remove)
	for name := range p.tree.recorded {
		if _, exists := p.tree.files[name]; !exists && !p.rendered[name] && p.owns(name) && p.tree.links.check(path.Dir(name), new(diag.List)) {
			p.plan.gone = append(p.plan.gone, name)
		}
	}
}

// obsolete reports whether a file that was not rendered is removed. Deep copies and registrations belong to the types in their package,
// so files of upstream with them are obsolete only in packages without types.
func (p *planner) obsolete(name string, content []byte, hasTypes bool) bool {
	if p.tree.ours(name, content) {
		return true
	}
	wrote, inPackage := p.opts.upstream(content)
	return wrote && p.opts.Adopt && (!inPackage || !hasTypes)
}

// manifest plans the update of the manifest.
func (p *planner) manifest() error {
	file := render.File{Path: ManifestName, Content: p.next.format()}
	existing, err := p.existing(ManifestName)
	switch {
	case err != nil:
		return err
	case bytes.Equal(existing, file.Content):
		p.plan.Unchanged++
		return nil
	case len(existing) > 0:
		p.plan.old[ManifestName] = existing
	}
	p.plan.journal = p.tree.recorded.journal(p.next, p.plan.Write, p.plan.Remove)
	p.plan.Write = append(p.plan.Write, file)
	return nil
}
