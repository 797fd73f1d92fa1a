// Package output writes rendered files to disk. It reads everything before it changes anything, replaces files by rename, leaves
// unchanged files alone, and never overwrites or removes files that it did not write.
//
// Scan reads the Tree on disk, Tree.Plan computes the changes, and Plan.Apply makes them. A killed run leaves only complete files, and
// the next run completes the output. See Apply for the order of changes, and manifest for the detection of edited files.
package output

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Tree is the content of the generators' directories before a run.
type Tree struct {
	root, module string
	dirs         []string
	packageDirs  []PackageDir
	// packages are the scanned packageDirs, by path.
	packages map[string]*apiPackage
	// files are the Go files by slash-separated path relative to the root. Lines end with \n, also if git checked out \r\n.
	files map[string][]byte
	// leftovers are the absolute names of temporary files and directories of killed runs.
	leftovers []string
	// recorded is the manifest, and scanned its text on disk. Its entries elsewhere do not belong to the output.
	recorded, elsewhere manifest
	scanned             []byte
	links               linkCheck
}

// Scan reads the Go files below the given directories, and other files there that the manifest lists. The directories are
// slash-separated and relative to root; a missing one is empty. Scan also reads the single files in API packages. Symbolic links that
// lead out of the module are an error.
func Scan(root, module string, dirs []string, packages ...PackageDir) (*Tree, error) {
	t := &Tree{root: root, module: module, dirs: dirs, files: map[string][]byte{}, links: newLinkCheck(root, module)}
	if err := t.addPackages(packages); err != nil {
		return nil, err
	}
	var diags diag.List
	for _, dir := range append([]string{"."}, dirs...) {
		t.links.check(dir, &diags)
	}
	if len(diags) > 0 {
		return nil, diags
	}
	if err := t.scanRoot(); err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, dir := range dirs {
		if err := t.walk(dir, names); err != nil {
			return nil, err
		}
	}
	if err := t.scanPackages(names); err != nil {
		return nil, err
	}
	return t, t.read(names)
}

// scanRoot reads the manifest and finds the temporary files next to it.
func (t *Tree) scanRoot() error {
	data, err := regular.ReadFile(filepath.Join(t.root, ManifestName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	t.scanned, t.recorded = data, parseManifest(data, t.belongs)
	t.elsewhere = parseManifest(data, func(name string) bool { return !t.belongs(name) })
	return t.findLeftovers(".")
}

// findLeftovers finds the temporary files and directories in a directory.
func (t *Tree) findLeftovers(dir string) error {
	name := fileName(t.root, dir)
	entries, err := os.ReadDir(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if temporaryName().MatchString(entry.Name()) {
			t.leftovers = append(t.leftovers, filepath.Join(name, entry.Name()))
		}
	}
	return nil
}

// walk adds the Go files below dir to names, which maps paths to file names. It also finds temporary files and directories there and
// in the parents of dir, up to the root. It enters dir even if that is a symbolic link, and skips foreign directories.
func (t *Tree) walk(dir string, names map[string]string) error {
	if (foreignDirs{}).of(t.root, dir).boundary != nil {
		return nil
	}
	for above := path.Dir(path.Clean(dir)); above != "."; above = path.Dir(above) {
		if err := t.findLeftovers(above); err != nil {
			return err
		}
	}
	start, err := filepath.EvalSymlinks(filepath.Join(t.root, filepath.FromSlash(dir)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return filepath.WalkDir(start, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() && name != start && temporaryName().MatchString(d.Name()):
			t.leftovers = append(t.leftovers, name)
			return fs.SkipDir
		case d.IsDir() && name != start && (module.Ignored(d.Name()) || boundaryIn(name) != nil):
			return fs.SkipDir
		case d.Type().IsRegular() && temporaryName().MatchString(d.Name()):
			t.leftovers = append(t.leftovers, name)
		case d.Type().IsRegular():
			rel, err := filepath.Rel(start, name)
			if err != nil {
				return err
			}
			if rel = path.Join(dir, filepath.ToSlash(rel)); isGo(rel) || t.recorded.has(rel) {
				names[rel] = name
			}
		}
		return nil
	})
}

func (t *Tree) read(names map[string]string) error {
	paths := slices.Sorted(maps.Keys(names))
	contents := make([][]byte, len(paths))
	var group errgroup.Group
	group.SetLimit(2 * runtime.GOMAXPROCS(0))
	for i, name := range paths {
		group.Go(func() (err error) {
			contents[i], err = readText(names[name])
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, name := range paths {
		t.files[name] = contents[i]
	}
	return nil
}

// readText reads a file and ends its lines with \n. Go source has no other \r\n, because gofmt drops them.
func readText(name string) ([]byte, error) {
	content, err := os.ReadFile(name)
	if bytes.IndexByte(content, '\r') < 0 {
		return content, err // the usual case, without a copy
	}
	return bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")), err
}

// Handwritten returns the Go files that no generator wrote.
func (t *Tree) Handwritten() map[string]bool {
	found := map[string]bool{}
	for name, content := range t.files {
		if !t.generated(name, content) {
			found[name] = true
		}
	}
	return found
}

// isRole reports whether a file may be one of roles that controller-gen wrote, which does not mark it: a manifest without a comment.
func isRole(name string, content []byte) bool {
	return isManifest(name) && bytes.HasPrefix(content, []byte("---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ")) &&
		!bytes.Contains(content, []byte("#"))
}

// generated reports whether a generator wrote the file.
func (t *Tree) generated(name string, content []byte) bool {
	return t.ours(name, content) || isGo(name) && origin.Of(content) != nil || isManifest(name) && bytes.Contains(content, controllerGen)
}

// controllerGen marks the CustomResourceDefinitions of controller-gen, which are replaced. It never removes any, so they stay if they are
// no longer generated.
var controllerGen = []byte("\n    " + origin.ControllerGen + ": ")

// ours reports whether this tool wrote the file. Go files have the generated-code marker. Other files may have it or are in the manifest.
func (t *Tree) ours(name string, content []byte) bool {
	if isGo(name) {
		return slices.Contains(origin.Of(content), origin.Us)
	}
	return t.recorded.has(name) || bytes.Contains(content[:min(len(content), 4096)], mark)
}

// mark is the text of the generated-code marker without the comment sign, for files in languages other than Go.
var mark = []byte(strings.TrimPrefix(render.GeneratedBy, "// "))

// upstream reports whether a program of k8s.io/code-generator that this tool replaces wrote the file, and whether such files belong to the
// types in their package.
func (o Options) upstream(content []byte) (wrote, inPackage bool) {
	for _, by := range origin.Of(content) {
		if program, ok := strings.CutSuffix(strings.TrimPrefix(by, "by "), "-gen."); ok && !wrote {
			inPackage, wrote = o.Programs[program]
		}
	}
	return wrote, inPackage
}

func isGo(name string) bool { return path.Ext(name) == ".go" }

// fileName returns the file name of a path.
func fileName(root, name string) string { return filepath.Join(root, filepath.FromSlash(name)) }

// below reports whether a file is in one of the directories; "." contains everything.
func below(dirs []string, name string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		dir = path.Clean(dir)
		return dir == "." || strings.HasPrefix(name, dir+"/")
	})
}

// DefinitionDirs returns the directories in a module to which controller-gen has written CustomResourceDefinitions, slash-separated and
// relative to its root, and whether there are handwritten ones.
func DefinitionDirs(root string) (generated []string, handwritten bool) {
	for name := range files(root) {
		if !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name)) {
			continue
		}
		content, _ := regular.ReadFile(name)
		switch dir := filepath.ToSlash(diag.Relative(root, filepath.Dir(name))); {
		case !bytes.Contains(content, []byte("\nkind: CustomResourceDefinition\n")):
		case !bytes.Contains(content, controllerGen):
			handwritten = true
		case !slices.Contains(generated, dir):
			generated = append(generated, dir)
		}
	}
	return generated, handwritten
}

// Dirs returns the output directories in a module, slash-separated and relative to its root.
func Dirs(root string) (dirs []string) {
	for name := range files(root) {
		if filepath.Base(name) == ManifestName {
			dirs = append(dirs, filepath.ToSlash(diag.Relative(root, filepath.Dir(name))))
		}
	}
	return dirs
}

// files yields the files of a module. Unreadable files are left to the run that writes.
func files(root string) iter.Seq2[string, fs.DirEntry] {
	return module.Files(root, func(dir string) bool { return filepath.Base(dir) == "node_modules" })
}

// PackageDir is a directory of handwritten files with generated ones among them: an API package, or the manifests of a project. Other
// files there are ignored.
type PackageDir struct {
	// Dir is slash-separated and relative to the output directory. It may be outside of it.
	Dir string
	// Module is the directory of its module. No symbolic link may lead out of it.
	Module string
	// Names are the names of the generated files.
	Names []string
	// Kept maps the names of files that keep another name than the usual one to that.
	Kept map[string]string
	// Manifests is true if generated manifests are in the directory. They have the extension .yaml.
	Manifests bool
}

// usual returns the usual name of a generated file; "" for other files.
func (d PackageDir) usual(base string) string {
	if usual := d.Kept[base]; usual != "" {
		return usual
	}
	if slices.Contains(d.Names, base) || d.Manifests && isManifest(base) {
		return base
	}
	return ""
}

func isManifest(name string) bool { return path.Ext(name) == ".yaml" }

// apiPackage is a scanned package directory.
type apiPackage struct {
	PackageDir
	// outside reports the symbolic link that leads out of the module, if there is one. Nothing there is read or written then.
	outside diag.List
}

// addPackages adds the directories with single generated files. Each must stay in its own module.
func (t *Tree) addPackages(dirs []PackageDir) error {
	t.packageDirs, t.packages = dirs, map[string]*apiPackage{}
	for _, d := range dirs {
		inModule, err := filepath.Rel(d.Module, fileName(t.root, d.Dir))
		if err != nil {
			return err
		}
		p := &apiPackage{PackageDir: d}
		newLinkCheck(d.Module, d.Module).check(filepath.ToSlash(inModule), &p.outside)
		t.packages[d.Dir] = p
	}
	return nil
}

// packageOf returns the API package of a generated file, or nil.
func (t *Tree) packageOf(name string) *apiPackage {
	p := t.packages[path.Dir(name)]
	if p == nil || path.Clean(name) != name || p.usual(path.Base(name)) == "" {
		return nil
	}
	return p
}

// belongs reports whether a generated file may have this path: below the output directory, or in an API package.
func (t *Tree) belongs(name string) bool {
	return filepath.IsLocal(filepath.FromSlash(name)) || t.packageOf(name) != nil
}

// scanPackages adds the generated files in API packages to names, and finds temporary files there.
func (t *Tree) scanPackages(names map[string]string) error {
	for _, p := range t.packages {
		if len(p.outside) > 0 {
			continue
		}
		dir := fileName(t.root, p.Dir)
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, entry := range entries {
			name := filepath.Join(dir, entry.Name())
			switch {
			case !entry.Type().IsRegular():
			case p.usual(entry.Name()) != "":
				names[path.Join(p.Dir, entry.Name())] = name
			case temporaryName().MatchString(entry.Name()):
				t.leftovers = append(t.leftovers, name)
			}
		}
	}
	return nil
}
