package output

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

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
