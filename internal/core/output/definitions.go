package output

import (
	"bytes"
	"iter"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

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

// files yields the files of a module. Those that cannot be read are left to the run that writes.
func files(root string) iter.Seq[string] {
	return module.Files(root, func(dir string) bool { return filepath.Base(dir) == "node_modules" })
}
