package pipeline

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/generators/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/generators/deepcopy"
	"github.com/informer-gen-lite/informer-gen-lite/generators/register"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
)

// API is the API of one output and the location of its files, determined without reading the output.
type API struct {
	Options  Options
	Loaded   *load.Result
	Resolved resolve.Result
	// Place is the output directory, and Layout the layout of the output there.
	Place  module.Place
	Layout model.Layout
	// ClientGo is the release of client-go that the output is generated for.
	ClientGo module.Release
	// Warnings are about harmless oddities in the input.
	Warnings diag.List

	// unlocated is why the output has no place, if it has none.
	unlocated error
}

// Read loads the packages and builds the model of their API. If there are diagnostics, the model must not be used, but the
// packages that were read are known.
func Read(ctx context.Context, opts Options) (*API, diag.List, error) {
	api, diags, err := loadAPI(ctx, opts)
	if err != nil {
		return nil, nil, err
	}
	problems, err := api.model(ctx)
	if err != nil {
		return nil, nil, err
	}
	return api, append(diags, problems...), nil
}

// loadAPI loads the packages and locates the output. Nothing else of the API is known yet.
func loadAPI(ctx context.Context, opts Options) (*API, diag.List, error) {
	opts.Load.Complete = func(file *modfile.File) error { // at the version that GoGet names
		return module.Complete(file, module.KubernetesVersion(file, module.ClientGoVersion))
	}
	opts.Load.Words = []string{"+" + marker.GenClient, "+" + marker.DeepCopyGen, "+" + marker.ObjectRoot}
	loaded, diags, err := load.Packages(ctx, opts.Load)
	if err != nil {
		return nil, nil, err
	}
	api := &API{Options: opts, Loaded: loaded, Layout: opts.Layout}
	if api.Place, api.unlocated = opts.Locate(loaded); api.unlocated == nil {
		api.Layout.Root = api.Place.ImportPath
		api.Layout.SourceDirs, api.unlocated = sourceDirs(api.Place, loaded)
	}
	return api, diags, nil
}

// model builds the model of the loaded packages.
func (a *API) model(ctx context.Context) (problems diag.List, err error) {
	opts := &a.Options
	opts.Load.At("resolving")
	if opts.Resolve, err = resolveOptions(*opts); err != nil {
		return nil, err
	}
	if opts.Resolve.Apply, err = a.usesApply(); err != nil {
		return nil, err
	}
	if opts.Resolve.Listers, err = a.among(config.ListersKey, opts.Values.Listers); err != nil {
		return nil, err
	}
	if opts.Resolve.Informers, err = a.among(config.InformersKey, opts.Values.Informers); err != nil {
		return nil, err
	}
	if opts.Resolve.Informers == nil {
		opts.Resolve.Informers = opts.Resolve.Listers
	}
	if a.unlocated == nil && opts.Resolve.Kinds {
		opts.Resolve.Existing = existing{a.Place.Dir, opts.Layout}
	}
	if a.ClientGo, err = a.chooseClientGo(ctx); err != nil {
		return nil, err
	}
	opts.Resolve.Target, a.Layout.Target = a.ClientGo.Target, a.ClientGo.Target
	if runtime := opts.Values.Runtime; runtime != nil && *runtime && !a.ClientGo.Target.Runtime() {
		err := fmt.Errorf("needs the run-time library, %s: %s", resolve.LacksRuntime(a.ClientGo.Target), resolve.UpgradeForRuntime)
		return nil, opts.problem(config.RuntimeKey, err)
	}
	a.Resolved, problems = resolve.API(ctx, a.Loaded, opts.Resolve)
	a.Layout.NoFakes = a.Layout.NoFakes || opts.Resolve.Clients && a.unlocated == nil && existing{a.Place.Dir, opts.Layout}.lacksFakes()
	a.Layout.Runtime, a.Layout.NoSchema = a.Resolved.Runtime.Used, a.Resolved.NoSchema
	// Packages that were not found because of an interruption are not a problem of the API.
	return problems, ctx.Err()
}

// among returns a function that reports whether a package matches one of the patterns of an option; nil without patterns. A pattern that
// matches none of the loaded packages is an error.
func (a *API) among(option string, patterns []string) (func(*load.Package) bool, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	for _, pattern := range patterns {
		if !slices.ContainsFunc(a.Loaded.Packages, func(pkg *load.Package) bool { return pkg.Matches(a.Options.Load.Dir, pattern) }) {
			return nil, a.Options.problem(option, fmt.Errorf("pattern %s matches none of the packages", pattern))
		}
	}
	return func(pkg *load.Package) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool { return pkg.Matches(a.Options.Load.Dir, pattern) })
	}, nil
}

// chooseClientGo returns the requested release of client-go, or the release that the module of the output builds with. If the
// output location is unknown, it uses the module of the packages.
func (a *API) chooseClientGo(ctx context.Context) (module.Release, error) {
	if a.Options.ClientGo != nil {
		return *a.Options.ClientGo, nil
	}
	dir := a.Place.Dir
	if a.unlocated != nil {
		dir = a.Options.Load.Dir
	}
	owner, _ := module.Owner(dir)
	return module.ReleaseOf(ctx, owner.Dir)
}

// Resolve reads the API. An API with problems, or without anything to generate, is a diag.List.
func Resolve(ctx context.Context, opts Options) (*API, error) {
	api, diags, err := loadAPI(ctx, opts)
	if err != nil {
		return nil, err
	}
	return api, api.resolve(ctx, diags)
}

// resolve builds the model of the loaded packages. The diagnostics are those of loading.
func (a *API) resolve(ctx context.Context, diags diag.List) error {
	problems, err := a.model(ctx)
	if err != nil {
		return err
	}
	diags = slices.Concat(diags, problems, a.newerRelease())
	if a.Options.Values.Strict {
		diags = diags.AsErrors()
	}
	if !diags.Failed() && !a.Options.Manifests.Run() { // which find kinds without markers of ours, or markers of other packages
		diags = append(diags, a.Resolved.Nothing...)
	}
	if err := diags.Err(); err != nil {
		return err
	}
	a.Warnings = diags
	if a.unlocated != nil {
		return a.unlocated
	}
	if a.Resolved.API.Apply != nil {
		a.Layout.ApplyConfigurations = a.Layout.ImportPath(a.Layout.ApplyConfigurationDir)
	}
	return a.checkExisting().Err()
}

// add adds diagnostics that resolving did not find. The error has all of them.
func (a *API) add(diags diag.List) error {
	if a.Options.Values.Strict {
		diags = diags.AsErrors()
	}
	a.Warnings = append(a.Warnings, diags...)
	return a.Warnings.Err()
}

// resolveOptions returns the options of package resolve, with the contents of the files that they name.
func resolveOptions(opts Options) (resolve.Options, error) {
	out := opts.Resolve
	var err error
	if out.CRDs, err = readCRDs(opts); err != nil {
		return out, err
	}
	out.Defines = opts.Manifests.Running(generators.CRD) != nil
	out.DeepCopies = opts.Selects(deepcopy.Generator.Name)
	out.Register = opts.Selects(register.Generator.Name)
	out.Kinds = len(opts.Custom) > 0 // generators that may follow the rules of clients
	out.Clients = out.Kinds
	for _, g := range opts.Generators {
		out.Kinds = out.Kinds || g.PackageFile == ""
		out.Clients = out.Clients || g.PackageFile == "" && g.Name != applyconfiguration.Generator.Name
	}
	out.Names = out.Kinds || out.Register || opts.Manifests.Run()
	return out, nil
}

// readCRDs reads the manifests in the YAML files below a directory.
func readCRDs(opts Options) ([]resolve.CRD, error) {
	if opts.Values.CRDDir == "" {
		return nil, nil
	}
	var crds []resolve.CRD
	err := filepath.WalkDir(opts.Absolute(opts.Values.CRDDir), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name)) {
			return err
		}
		text, err := regular.ReadFile(name)
		crds = append(crds, resolve.ParseCRDs(name, text)...)
		return err
	})
	if err != nil {
		return nil, &config.FlagError{Flags: []string{"crd-dir"}, Err: err}
	}
	return crds, nil
}

// sourceDirs returns the directories of the packages that may be written to, by import path, relative to the output directory.
func sourceDirs(place module.Place, loaded *load.Result) (map[string]string, error) {
	dirs := map[string]string{}
	for _, pkg := range loaded.Packages {
		if !pkg.InMainModule() {
			continue
		}
		dir, err := filepath.Rel(place.Dir, pkg.Dir)
		if err != nil {
			return nil, err
		}
		dirs[pkg.Path] = filepath.ToSlash(dir)
	}
	return dirs, nil
}
