package output

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Beside is a directory of handwritten code, such as an API package, to which single generated files are written.
// Other files there are ignored.
type Beside struct {
	// Dir is slash-separated and relative to the output directory. It may be outside of it.
	Dir string
	// Module is the directory of its module. No symbolic link may lead out of it.
	Module string
	// Names are what generated files are called there.
	Names []string
}

// site is a Beside that was looked at.
type site struct {
	Beside
	// outside says which symbolic link takes the directory out of its module. Nothing there is read or written then.
	outside diag.List
}

// addSites takes note of the directories that single files go into. The bound of each is its own module.
func (t *Tree) addSites(beside []Beside) error {
	t.beside, t.sites = beside, map[string]*site{}
	for _, b := range beside {
		inModule, err := filepath.Rel(b.Module, full(t.root, b.Dir))
		if err != nil {
			return err
		}
		s := &site{Beside: b}
		newBound(b.Module, b.Module).check(filepath.ToSlash(inModule), &s.outside)
		t.sites[b.Dir] = s
	}
	return nil
}

// siteOf returns the site of a file in an API package; nil for all other files.
func (t *Tree) siteOf(name string) *site {
	s := t.sites[path.Dir(name)]
	if s == nil || path.Clean(name) != name || !slices.Contains(s.Names, path.Base(name)) {
		return nil
	}
	return s
}

// belongs reports whether generated files may have a path: below the output directory, or in an API package.
func (t *Tree) belongs(name string) bool { return local(name) || t.siteOf(name) != nil }

// local reports whether a path is below the output directory.
func local(name string) bool { return filepath.IsLocal(filepath.FromSlash(name)) }

// scanSites finds the generated files in API packages and adds them to names. It also finds temporary files there.
func (t *Tree) scanSites(names map[string]string) error {
	for _, s := range t.sites {
		if len(s.outside) > 0 {
			continue
		}
		dir := full(t.root, s.Dir)
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		for _, entry := range entries {
			name := filepath.Join(dir, entry.Name())
			switch {
			case !entry.Type().IsRegular():
			case slices.Contains(s.Names, entry.Name()):
				names[path.Join(s.Dir, entry.Name())] = name
			case temporaryName.MatchString(entry.Name()):
				t.leftovers = append(t.leftovers, name)
			}
		}
	}
	return nil
}
