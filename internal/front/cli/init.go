package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
)

func (a app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a commented " + option.FileName + " for this module, and print the go:generate line",
		Long: `Init looks for types with +genclient and for existing clients in the module of the working directory, and writes a matching
` + option.FileName + ` to the module root, with all other keys as comments. It never overwrites a file.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.init(cmd.Context()) },
	}
}

func (a app) init(ctx context.Context) error {
	owner, err := module.Owner(a.dir)
	if err != nil {
		return fmt.Errorf("no go.mod in %s or its parents: %s must be next to one", a.dir, option.FileName)
	}
	root := owner.Dir
	settings, apis, elsewhere, err := propose(ctx, root)
	if err != nil {
		return err
	}
	name := filepath.Join(root, option.FileName)
	shown := diag.Relative(a.dir, name)
	err = output.Create(name, []byte(config.Text(settings, a.house.Products.Names())))
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists: remove it to create a new one", shown)
	} else if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s written\n", shown)
	if settings[option.KindsKey] != nil {
		fmt.Fprintln(a.stdout, "No type has +genclient: clients are generated for all kinds with +kubebuilder:object:root=true.")
	} else if settings[option.PackagesKey] == nil {
		fmt.Fprintln(a.stdout, "No type has +genclient yet: set packages when one does.")
		a.report.warn(a, elsewhere.AsWarnings())
	}
	a.printGoGenerate(root, apis)
	return nil
}

// printGoGenerate prints the go:generate directive and where it belongs. It names a version, so that the program is built with
// its own go.mod: as a tool of the module it would raise the versions of shared requirements.
func (a app) printGoGenerate(root, apiRoot string) {
	info, _ := debug.ReadBuildInfo()
	fmt.Fprintf(a.stdout, "\nFor go generate ./..., add this line to %s:\n\n\t//go:generate go run "+
		"github.com/informer-gen-lite/informer-gen-lite/cmd/informer-gen-lite@%s\n",
		diag.Relative(a.dir, filepath.Join(root, filepath.FromSlash(apiRoot), "doc.go")), releaseOf(info))
	fmt.Fprintf(a.stdout, "\nIt does not change go.mod, whereas go get -tool would upgrade its k8s.io modules.\n")
}

// propose inspects a module, and returns the keys of its configuration and the directory with all API packages, relative to the
// module's root. Mistakes in its API types are left for generate to report. Without such packages, there may be some in nested modules.
func propose(ctx context.Context, root string) (settings map[string]any, apis string, elsewhere diag.List, err error) {
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
	dirs := lists.Map(versions, func(version *model.Version) string { return relative[version.Source.Path] })
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
