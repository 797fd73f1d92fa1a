package pipeline

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/traps"
)

// Read loads the packages and builds the model of their API. If there are diagnostics, the model must not be used, but the
// packages that were read are known.
func Read(ctx context.Context, opts run.Options) (*run.API, diag.List, error) {
	api, diags, err := loadAPI(ctx, opts)
	if err != nil {
		return nil, nil, err
	}
	problems, err := build(ctx, api)
	return api, append(diags, problems...), err
}

// loadAPI loads the packages and locates the output. Nothing else of the API is known yet.
func loadAPI(ctx context.Context, opts run.Options) (*run.API, diag.List, error) {
	opts.Load.Complete = func(file *modfile.File) error { // at the version that GoGet names
		return module.Complete(file, module.KubernetesVersion(file, module.ClientGoVersion))
	}
	opts.Load.Words = []string{"+" + marker.GenClient, "+" + marker.DeepCopyGen, "+" + marker.ObjectRoot}
	loaded, diags, err := load.Packages(ctx, opts.Load)
	if err != nil {
		return nil, nil, err
	}
	api := &run.API{Options: opts, Loaded: loaded, Layout: opts.Layout}
	if api.Place, api.Unlocated = placeOf(opts, loaded); api.Unlocated == nil {
		api.Layout.Root = api.Place.ImportPath
		api.Layout.SourceDirs, api.Unlocated = sourceDirs(api.Place, loaded)
	}
	return api, diags, nil
}

// model builds the model of the loaded packages.
func build(ctx context.Context, a *run.API) (problems diag.List, err error) {
	opts := &a.Options
	opts.Load.At("resolving")
	if opts.Resolve, err = resolveOptions(*opts); err != nil {
		return nil, err
	}
	if opts.Resolve.Apply, err = usesApply(a); err != nil {
		return nil, err
	}
	if opts.Resolve.Listers, err = among(a, option.ListersKey, opts.Values.Listers); err != nil {
		return nil, err
	}
	if opts.Resolve.Informers, err = among(a, option.InformersKey, opts.Values.Informers); err != nil {
		return nil, err
	}
	if opts.Resolve.Informers == nil {
		opts.Resolve.Informers = opts.Resolve.Listers
	}
	if a.Unlocated == nil && opts.Resolve.Kinds {
		opts.Resolve.Existing = existing{a.Place, opts.Layout}
	}
	if a.ClientGo, err = chooseClientGo(ctx, a); err != nil {
		return nil, err
	}
	opts.Resolve.Target, a.Layout.Target = a.ClientGo.Target, a.ClientGo.Target
	if runtime := opts.Values.Runtime; runtime != nil && *runtime && !a.ClientGo.Target.Runtime() {
		err := fmt.Errorf("needs the run-time library, %s: %s", resolve.LacksRuntime(a.ClientGo.Target), resolve.UpgradeForRuntime)
		return nil, opts.Problem(option.RuntimeKey, err)
	}
	a.Resolved, problems = resolve.API(ctx, a.Loaded, opts.Resolve)
	a.Layout.NoFakes = a.Layout.NoFakes || opts.Resolve.Clients && a.Unlocated == nil && existing{a.Place, opts.Layout}.lacksFakes()
	a.Layout.Runtime, a.Layout.NoSchema = a.Resolved.Runtime.Used, a.Resolved.NoSchema
	// Packages that were not found because of an interruption are not a problem of the API.
	return traps.Report(ctx, a, problems), ctx.Err()
}

// among returns a function that reports whether a package matches one of the patterns of an option; nil without patterns. A pattern that
// matches none of the loaded packages is an error.
func among(a *run.API, option string, patterns []string) (func(*load.Package) bool, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	for _, pattern := range patterns {
		if !slices.ContainsFunc(a.Loaded.Packages, func(pkg *load.Package) bool { return pkg.Matches(a.Options.Load.Dir, pattern) }) {
			return nil, a.Options.Problem(option, fmt.Errorf("pattern %s matches none of the packages", pattern))
		}
	}
	return func(pkg *load.Package) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool { return pkg.Matches(a.Options.Load.Dir, pattern) })
	}, nil
}

// chooseClientGo returns the requested release of client-go, or the release that the module of the output builds with. If the
// output location is unknown, it uses the module of the packages.
func chooseClientGo(ctx context.Context, a *run.API) (module.Release, error) {
	if a.Options.ClientGo != nil {
		return *a.Options.ClientGo, nil
	}
	dir := a.Place.Dir
	if a.Unlocated != nil {
		dir = a.Options.Load.Dir
	}
	owner, _ := module.Owner(dir)
	return module.ReleaseOf(ctx, owner.Dir)
}

// Resolve reads the API. An API with problems, or without anything to generate, is a diag.List.
func Resolve(ctx context.Context, opts run.Options) (*run.API, error) {
	api, diags, err := loadAPI(ctx, opts)
	if err != nil {
		return nil, err
	}
	return api, resolveAPI(ctx, api, diags)
}

// resolveAPI builds the model of the loaded packages. The diagnostics are from loading.
func resolveAPI(ctx context.Context, a *run.API, diags diag.List) error {
	problems, err := build(ctx, a)
	if err != nil {
		return err
	}
	diags = slices.Concat(diags, problems, newerRelease(a))
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
	if a.Unlocated != nil {
		return a.Unlocated
	}
	if a.Resolved.API.Apply != nil {
		a.Layout.ApplyConfigurations = a.Layout.ImportPath(a.Layout.ApplyConfigurationDir)
	}
	return checkExisting(a).Err()
}

// resolveOptions returns the options of package resolve, with the contents of the files that they name.
func resolveOptions(opts run.Options) (resolve.Options, error) {
	out := opts.Resolve
	var err error
	if out.CRDs, err = readCRDs(opts); err != nil {
		return out, err
	}
	out.Defines = opts.Manifests.Running(product.CRD) != nil
	out.DeepCopies = opts.Generators.Has(product.DeepCopy)
	out.Kinds = len(opts.Custom) > 0 // generators that may follow the rules of clients
	out.Clients = out.Kinds
	versioned := false
	for _, g := range opts.Generators {
		out.Kinds, out.Clients = out.Kinds || g.Folder != nil, out.Clients || g.Clients
		if g.InPackage != nil {
			out.InPackages, versioned = append(out.InPackages, g.InPackage), versioned || g.InPackage.Versioned
		}
	}
	out.Names = out.Kinds || versioned || opts.Manifests.Run()
	return out, nil
}

// readCRDs reads the manifests in the YAML files below a directory.
func readCRDs(opts run.Options) ([]resolve.CRD, error) {
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
		return nil, &option.FlagError{Flags: []string{"crd-dir"}, Err: err}
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
