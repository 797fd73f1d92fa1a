// Package proposal proposes the configuration of a module, from its types and clients.
package proposal

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
)

// Make inspects a module, and returns the keys of its configuration and the directory with all API packages, relative to the
// module's root. Mistakes in its API types are left for generate to report. Without such packages, there may be some in nested modules.
func Make(ctx context.Context, root string) (settings map[string]any, apis string, elsewhere diag.List, err error) {
	settings = map[string]any{option.OutputDirKey: option.DefaultOutput}
	opts := run.Options{Load: load.Config{Dir: root, Patterns: []string{"./..."}}}
	opts.Resolve.Roots = true
	api, _, err := pipeline.Read(ctx, opts)
	if err != nil {
		return nil, "", nil, err
	}
	versions := slices.DeleteFunc(api.Resolved.API.Versions(), func(v *model.Version) bool {
		return !api.Resolved.Versions[v].Source.HasMarkers(marker.GenClient)
	})
	if len(versions) == 0 { // no type has the marker, so kinds with controller-gen markers count
		if versions = api.Resolved.API.Versions(); len(versions) > 0 {
			settings[option.KindsKey] = []string{option.Roots}
		}
	}
	relative := map[string]string{}
	var outputs []string
	for _, pkg := range api.Loaded.Packages {
		rel, err := filepath.Rel(root, pkg.Dir)
		if err != nil {
			return nil, "", nil, err
		}
		relative[pkg.Path] = filepath.ToSlash(rel)
		if output, ok := strings.CutSuffix("/"+relative[pkg.Path], "/clientset/versioned"); ok {
			outputs = append(outputs, path.Clean("./"+output))
		}
	}
	if len(outputs) == 1 {
		settings[option.OutputDirKey] = outputs[0]
	}
	switch generated, handwritten := output.DefinitionDirs(root); {
	case len(generated) == 1:
		settings[option.CRDOutputDirKey] = generated[0]
	case len(generated) == 0 && !handwritten:
		settings[option.CRDOutputDirKey] = option.DefaultCRDs
	}
	var dirs []string
	for _, version := range versions {
		dirs = append(dirs, relative[version.Source.Path])
	}
	if len(dirs) == 0 {
		return settings, ".", api.Loaded.Nested(), nil
	}
	apis = apiRoot(dirs)
	settings[option.PackagesKey] = []string{"./" + path.Join(apis, "...")}
	return settings, apis, nil, nil
}

// apiRoot returns the directory above all API packages, with room for more versions and groups.
func apiRoot(dirs []string) (root string) {
	for i, dir := range dirs {
		if goname.IsVersion(path.Base(dir)) {
			dir = path.Dir(dir)
		}
		if parent := path.Dir(dir); path.Base(parent) == "apis" || path.Base(parent) == "api" {
			dir = parent
		}
		if i == 0 {
			root = dir
		}
		for root != "." && !strings.HasPrefix(dir+"/", root+"/") {
			root = path.Dir(root)
		}
	}
	return root
}
