package pipeline

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/generators/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/generators/clientset"
	"github.com/informer-gen-lite/informer-gen-lite/generators/controller"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
)

// usesApply reports whether clients of the output have apply methods: apply configurations are generated for it, or a
// directory of them is there.
func usesApply(opts config.Options, loaded *load.Result) (bool, error) {
	if !opts.Resolve.Apply || opts.Selects(applyconfiguration.Generator.Name) {
		return opts.Resolve.Apply, nil
	}
	place, err := opts.Place(loaded)
	if err != nil {
		return false, err
	}
	entries, err := os.ReadDir(filepath.Join(place.Dir, filepath.FromSlash(opts.Layout.ApplyConfigurationDir)))
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return path.Ext(e.Name()) == ".go" }), nil
}

// checkExisting reports apply configurations that clients refer to, and that are neither generated nor there.
func (a *API) checkExisting() diag.List {
	opts := a.Options
	if a.Resolved.API.Apply == nil || opts.Selects(applyconfiguration.Generator.Name) ||
		!opts.Selects(clientset.Generator.Name) && !opts.Selects(controller.Generator.Name) {
		return nil
	}
	var diags diag.List
	files := generators.FilesOf(a.Resolved.API, &a.Layout, []generators.Generator{applyconfiguration.Generator})
	for _, kind := range a.Resolved.API.Kinds() {
		for _, file := range files[kind] {
			name := filepath.Join(a.Place.Dir, filepath.FromSlash(file))
			if _, err := os.Stat(name); err != nil {
				diags.AddHint(a.Resolved.Declared[kind], "run the generator applyconfiguration too, or leave apply methods out with --skip applyconfiguration",
					"the apply configuration of %s is neither generated nor in %s", kind.Name, file)
			}
		}
	}
	return diags
}
