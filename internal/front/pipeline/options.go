package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	modpath "golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
)

// Configured returns the options in the texts of configuration files, which need not exist.
func Configured(files []run.ConfigFile, adopt bool, house run.House) ([]run.Options, error) {
	var outputs []config.Output
	for _, file := range files {
		of, err := config.Parse(file.Name, file.Text)
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, of...)
	}
	for i := range outputs {
		outputs[i].Values.Adopt = adopt || outputs[i].Values.Adopt
	}
	return AllOptions(outputs, house)
}

// AllOptions validates the options of outputs. The house has the products and the wings, and custom are the names of generators that are
// not built in. Problems with a configuration file are a diag.List, with a command line an option.UsageError, and with others
// option.FlagErrors.
func AllOptions(outputs []config.Output, house run.House, custom ...string) ([]run.Options, error) {
	var diags diag.List
	all := make([]run.Options, len(outputs))
	for i, o := range outputs {
		var problems option.FlagErrors
		all[i], problems = newOptions(o, house, custom)
		if err := o.Locate(problems, &diags); err != nil {
			return nil, err
		}
	}
	if len(diags) == 0 {
		checkApart(all, outputs, &diags)
	}
	return all, diags.Err()
}

// CommandLineOptions returns the options of all outputs that a command line requests.
func CommandLineOptions(given config.CommandLine, house run.House) ([]run.Options, error) {
	outputs, err := given.Outputs()
	if err != nil {
		return nil, err
	}
	return AllOptions(outputs, house)
}

// Unconfigured returns an error for each output in the module that is not verified because there is no configuration file. Git may ignore
// the file.
func Unconfigured(given config.CommandLine, runs []run.Run) error {
	if name, err := given.File(); name != "" || err != nil || given.Module == "" || given.Given.Changed(option.OutputDirKey) {
		return err
	}
	var diags diag.List
	for _, dir := range output.Dirs(given.Module) {
		isVerified := func(r run.Run) bool {
			return r.API.Place.Dir == filepath.Join(given.Module, filepath.FromSlash(dir))
		}
		if !slices.ContainsFunc(runs, isVerified) {
			diags.AddHint(token.Position{Filename: filepath.Join(given.Module, option.FileName)},
				"restore the file that generate had there, or use its flags", "there is no such file, but output in %s", dir)
		}
	}
	return diags.Err()
}

// newOptions returns the options of one output.
func newOptions(o config.Output, house run.House, custom []string) (run.Options, option.FlagErrors) {
	errs := o.Values.Check()
	v := o.Values
	opts := run.Options{
		Values: v, Wings: house.Wings, Products: house.Products,
		Load: load.Config{Dir: o.Dir, Patterns: o.Packages, BuildTags: v.BuildTags},
		Layout: model.Layout{
			Clientset: v.ClientsetDir, Listers: v.ListersDir, Informers: v.InformersDir, Controllers: v.ControllersDir,
			ApplyConfigurations: v.ApplyConfigurationPackage, PrefersProtobuf: v.PrefersProtobuf, GVKConstants: v.GVKConstants,
			PluralListerErrors: v.ListerErrors == option.ListerErrorsPlural, NoFakes: slices.Contains(v.Skip, option.Fake),
		},
		Resolve: resolve.Options{
			GroupFolders: v.Folders == option.FoldersGroup, SourceFolders: v.Folders == option.FoldersSource,
			Roots: slices.Contains(v.Kinds, option.Roots), Runtime: v.Runtime, Schema: v.Schema,
			Peers: source.Peers{Base: v.BasePeers, Extra: v.ExtraPeers, SkipUnsafe: v.SkipUnsafe, BuildTag: v.GeneratedBuildTag},
		},
	}
	if len(o.Packages) == 0 {
		opts.Load.Patterns = []string{"./..."}
	}
	if v.ClientGo != "" {
		choice, err := module.ParseRelease(v.ClientGo)
		errs.Add(err, "client-go")
		opts.ClientGo = &choice
	}
	// A run without the generator of apply configurations that neither skips it nor names a package relies on the output of another run.
	if v.ApplyConfigurationPackage == "" && !slices.Contains(v.Skip, product.Apply) {
		opts.Layout.ApplyConfigurationDir = v.ApplyConfigurationDir
		opts.Resolve.Apply = true
	}
	var err error
	opts.Resolve.ApplyConfigurations.External, err = externals(v.ExternalApplyConfigurations)
	errs.Add(err, "external-applyconfigurations")
	opts.Resolve.Plurals, err = pairs(v.PluralExceptions, "plurals", "Kind:Plural", func(kind, plural string) bool {
		return token.IsIdentifier(kind) && token.IsIdentifier(plural)
	})
	errs.Add(err, "plural-exceptions")
	opts.Resolve.GroupGoNames, err = pairs(v.GroupGoNames, "names", "group:Name, with an exported Go name", func(_, name string) bool {
		return token.IsIdentifier(name) && token.IsExported(name)
	})
	errs.Add(err, option.GroupGoNamesKey)
	opts = withGenerators(opts, custom, &errs)
	for _, wing := range house.Wings {
		if wing.Options != nil {
			errs = append(errs, wing.Options(o.Dir, v)...)
		}
	}
	opts.Locate = o.Locate
	return opts, errs
}

// externals reads import paths of apply configurations, in the form of the flag of applyconfiguration-gen.
func externals(entries []string) (map[model.Type]string, error) {
	typeOf := func(name string) model.Type {
		dot := max(0, strings.LastIndex(name, "."))
		return model.Type{Package: name[:dot], Name: strings.TrimPrefix(name[dot:], ".")}
	}
	found, err := pairs(entries, "packages", "import/path.Type:import/path", func(name, pkg string) bool {
		t := typeOf(name)
		return token.IsIdentifier(t.Name) && modpath.CheckImportPath(t.Package) == nil && modpath.CheckImportPath(pkg) == nil
	})
	externals := map[model.Type]string{}
	for name, pkg := range found {
		externals[typeOf(name)] = pkg
	}
	return externals, err
}

// pairs reads entries of a form such as key:value, with one value for each key. The core group has an empty name.
func pairs(entries []string, values, form string, valid func(key, value string) bool) (map[string]string, error) {
	all := map[string]string{}
	for _, entry := range entries {
		key, value, ok := strings.Cut(entry, ":")
		if !ok || !valid(key, value) {
			return nil, fmt.Errorf("%q is not of the form %s", entry, form)
		}
		if other, ok := all[key]; ok && other != value {
			return nil, fmt.Errorf("%s has two %s, %s and %s", key, values, other, value)
		}
		all[key] = value
	}
	return all, nil
}

// withGenerators returns the options with the generators that run. The generator of apply configurations runs only if clients use its
// output, and generators of manifests only if they are named or have a directory.
func withGenerators(o run.Options, custom []string, errs *option.FlagErrors) run.Options {
	only, skip := o.Values.Only, o.Values.Skip
	known := slices.Concat(o.Products.Names(), custom)
	for _, list := range []struct {
		flag  string
		names []string
	}{{"only", only}, {"skip", skip}} {
		for _, name := range list.names {
			if !slices.Contains(known, name) && (list.flag != "skip" || name != option.Fake) {
				errs.Add(fmt.Errorf("unknown generator %q, must be one of %s", name, strings.Join(known, ", ")), list.flag)
				return o
			}
		}
	}
	wanted := func(name string) bool {
		return (len(only) == 0 || slices.Contains(only, name)) && !slices.Contains(skip, name)
	}
	for _, g := range o.Products {
		if g.Jobs != nil && wanted(g.Name) && (g.Name != product.Apply || o.Resolve.Apply) {
			o.Generators = append(o.Generators, g)
		}
	}
	for _, name := range custom {
		if wanted(name) {
			o.Custom = append(o.Custom, name)
		}
	}
	o.Manifests = run.SelectManifests(o.Products, o.Values, o.Absolute, wanted)
	if err := o.Manifests.Check(); err != nil {
		errs.Add(err, option.CRDOutputDirKey, option.RBACOutputDirKey)
	}
	if len(o.Generators)+len(o.Custom) == 0 && !o.Manifests.Run() {
		errs.Add(errors.New("leave no generator"), "only", "skip")
	}
	return o
}

// placeOf determines the output directory and its import path from go.mod.
func placeOf(o run.Options, loaded *load.Result) (module.Place, error) {
	dir := o.Absolute(o.Values.OutputDir)
	if o.Values.OutputDir == "" {
		root, err := inputModule(o.Load.Dir, loaded)
		if err != nil {
			return module.Place{}, err
		}
		dir = filepath.Join(root, filepath.FromSlash(option.DefaultOutput))
	}
	if o.Values.OutputPkg != "" {
		return module.Place{Dir: dir, ImportPath: o.Values.OutputPkg}, nil
	}
	importPath, err := module.ImportPath(dir)
	return module.Place{Dir: dir, ImportPath: importPath}, err
}

// inputModule returns the root of the module that holds the packages. For packages of dependencies, which are never written to,
// it is the module of the working directory.
func inputModule(cwd string, loaded *load.Result) (string, error) {
	var roots []string
	for _, pkg := range loaded.Packages {
		if pkg.InMainModule() && !slices.Contains(roots, pkg.Module.Dir) {
			roots = append(roots, pkg.Module.Dir)
		}
	}
	switch len(roots) {
	case 0:
		owner, err := module.Owner(cwd)
		return owner.Dir, err
	case 1:
		return roots[0], nil
	}
	return "", errors.New("the packages are in several modules: set --output-dir")
}

// checkApart reports outputs that would write to the same directories and remove each other's files there. Outputs may share the output
// directory if only one of them writes to directories there.
func checkApart(all []run.Options, outputs []config.Output, diags *diag.List) {
	roots, dirs := make([]string, len(all)), make([][]string, len(all))
	for i, opts := range all {
		roots[i] = opts.Absolute(cmp.Or(opts.Values.OutputDir, option.DefaultOutput))
		owned, _ := opts.Directories()
		for _, dir := range owned {
			dirs[i] = append(dirs[i], filepath.Join(roots[i], filepath.FromSlash(dir)))
		}
		for j := range i {
			shared := roots[i] == roots[j]
			all[i].Shared, all[j].Shared = all[i].Shared || shared, all[j].Shared || shared
			same := len(dirs[i]) > 0 && len(dirs[j]) > 0 || opts.Manifests.Meet(all[j].Manifests)
			if shared && same || module.AnyWithin(dirs[i], dirs[j]) || module.AnyWithin(dirs[j], dirs[i]) {
				diags.AddHint(outputs[i].Pos, "set a different output-dir for each",
					"outputs %d and %d write to the same directory", j+1, i+1)
			}
		}
	}
}
