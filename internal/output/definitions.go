package output

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// DefinitionDirs returns the directories in a module to which controller-gen has written CustomResourceDefinitions, slash-separated and
// relative to its root, and whether there are handwritten ones.
func DefinitionDirs(root string) (generated []string, handwritten bool) {
	eachFile(root, func(dir, name string) {
		if !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name)) {
			return
		}
		content, _ := regular.ReadFile(name)
		switch {
		case !bytes.Contains(content, []byte("\nkind: CustomResourceDefinition\n")):
		case !bytes.Contains(content, controllerGen):
			handwritten = true
		case !slices.Contains(generated, dir):
			generated = append(generated, dir)
		}
	})
	return generated, handwritten
}

// Dirs returns the output directories in a module, slash-separated and relative to its root.
func Dirs(root string) (dirs []string) {
	eachFile(root, func(dir, name string) {
		if filepath.Base(name) == ManifestName {
			dirs = append(dirs, dir)
		}
	})
	return dirs
}

// eachFile calls a function with the files of a module and their directories, which are slash-separated and relative to its root. Files
// that cannot be read are left to the run that writes.
func eachFile(root string, visit func(dir, name string)) {
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir() && name != root && (module.Ignored(d.Name()) || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir():
			dir, _ := filepath.Rel(root, filepath.Dir(name))
			visit(filepath.ToSlash(dir), name)
		}
		return nil
	})
}
