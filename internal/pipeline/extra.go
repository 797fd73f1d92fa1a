package pipeline

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// checkExtras returns an error if a generator has the name or directory of another one.
func checkExtras(extras []Extra, opts Options) error {
	names := generators.Names()
	dirs, other := opts.Directories()
	dirs = append(dirs, other...)
	for _, e := range extras {
		switch {
		case e.Name == "" || strings.ContainsAny(e.Name, ", "):
			return fmt.Errorf("invalid generator name %q", e.Name)
		case slices.Contains(names, e.Name):
			return fmt.Errorf("duplicate generator %s", e.Name)
		case e.Dir == "." || path.Clean(e.Dir) != e.Dir || !filepath.IsLocal(filepath.FromSlash(e.Dir)):
			return fmt.Errorf("generator %s: %q is not a relative path inside the output directory", e.Name, e.Dir)
		}
		for _, dir := range dirs {
			if within(dir, e.Dir) || within(e.Dir, dir) {
				return fmt.Errorf("generator %s: another generator writes to %s", e.Name, dir)
			}
		}
		names, dirs = append(names, e.Name), append(dirs, e.Dir)
	}
	return nil
}

// within reports whether a slash-separated path is dir or below it.
func within(dir, name string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }

// files returns the files of the generator, with paths relative to the output directory.
func (e Extra) files(api *API) ([]render.File, error) {
	files, err := e.Files(api)
	if err != nil {
		return nil, fmt.Errorf("generator %s: %w", e.Name, err)
	}
	for i, file := range files {
		if path.Clean(file.Path) != file.Path || file.Path == "." || !filepath.IsLocal(filepath.FromSlash(file.Path)) {
			return nil, fmt.Errorf("generator %s: %q is not the path of a file below %s", e.Name, file.Path, e.Dir)
		}
		files[i].Path = path.Join(e.Dir, file.Path)
	}
	return files, nil
}
