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
	// Files that cannot be read are left to the run that writes.
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && name != root && (module.Ignored(d.Name()) || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name)):
			return nil
		}
		content, _ := regular.ReadFile(name)
		dir, _ := filepath.Rel(root, filepath.Dir(name))
		dir = filepath.ToSlash(dir)
		switch {
		case !bytes.Contains(content, []byte("\nkind: CustomResourceDefinition\n")):
		case !bytes.Contains(content, controllerGen):
			handwritten = true
		case !slices.Contains(generated, dir):
			generated = append(generated, dir)
		}
		return nil
	})
	return generated, handwritten
}
