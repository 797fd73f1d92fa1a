package config

import (
	"errors"
	"fmt"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	modpath "golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/generators/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
)

// Flags are the flags as given. See the usage of each.
type Flags struct {
	Config                                        string
	OutputDir, OutputPkg, HeaderFile, CRDDir      string
	ClientsetDir, ListersDir, InformersDir        string
	ControllersDir, ApplyConfigurationDir         string
	ApplyConfigurationPackage, OpenAPISchema      string
	ClientGo, Folders, ListerErrors               string
	PrefersProtobuf, GVKConstants, Tracing        bool
	Strict, Adopt, Force, Prune                   bool
	ExternalApplyConfigurations, PluralExceptions []string
	Kinds, Only, Skip, BuildTags                  []string

	// Extra are the names of generators that are not built in. They are not a flag: programs add them.
	Extra []string
}

// The values of --folders, which has no default, and of --lister-errors, default first.
const (
	foldersSource        = "source"
	foldersGroup         = "group"
	listerErrorsSingular = "singular"
	listerErrorsPlural   = "plural"
)

// Default returns the flags of an empty command line.
func Default() Flags {
	return Flags{
		Config:                FileName,
		ClientsetDir:          "clientset/versioned",
		ListersDir:            "listers",
		InformersDir:          "informers/externalversions",
		ControllersDir:        "controllers",
		ApplyConfigurationDir: "applyconfiguration",
		ListerErrors:          listerErrorsSingular,
	}
}

// Register sets the flags to their defaults and defines them.
func (f *Flags) Register(flags *pflag.FlagSet) {
	*f = Default()
	flags.SortFlags = false
	text := func(value *string, name, usage string) { flags.StringVar(value, name, *value, usage) }
	list := func(value *[]string, name, usage string) { flags.StringSliceVar(value, name, nil, usage) }
	boolean := func(value *bool, name, usage string) { flags.BoolVar(value, name, false, usage) }
	text(&f.OutputDir, OutputDirKey, "output directory (default: pkg/generated in the module of the packages)")
	text(&f.OutputPkg, "output-pkg", "import path of the output directory (default: derived from its go.mod)")
	text(&f.ClientGo, "client-go", "release of k8s.io/client-go to generate for, such as v0.35 (default: the release that the module of the output directory uses)")
	text(&f.HeaderFile, "go-header-file", "file with the header of all generated files, such as a license")
	text(&f.ClientsetDir, "clientset-dir", "directory of the clientset, relative to the output directory")
	text(&f.ListersDir, "listers-dir", "directory of the listers, relative to the output directory")
	text(&f.InformersDir, "informers-dir", "directory of the informers, relative to the output directory")
	text(&f.ControllersDir, "controllers-dir", "directory of the controllers, relative to the output directory")
	text(&f.ApplyConfigurationDir, "applyconfiguration-dir", "directory of the apply configurations, relative to the output directory")
	text(&f.Folders, "folders", "how to name the directory of a group whose versions are directly in api or apis: source (like that directory) or group (the first label of the group); by default source, unless the output already uses group")
	text(&f.ListerErrors, "lister-errors", "resource name in NotFound errors of listers: singular or plural")
	list(&f.ExternalApplyConfigurations, "external-applyconfigurations", "packages of apply configurations for types of other packages, as path.Type:package,…")
	text(&f.OpenAPISchema, "openapi-schema", "OpenAPI v2 document (JSON) with definitions of all kinds, for the schema of apply configurations; by default it is derived from the types")
	text(&f.ApplyConfigurationPackage, "applyconfiguration-package", "import path of existing apply configurations to use instead of generated ones")
	list(&f.PluralExceptions, "plural-exceptions", "irregular plurals, as Kind:Plural,…")
	text(&f.CRDDir, "crd-dir", "directory of CustomResourceDefinitions to check the types against")
	boolean(&f.PrefersProtobuf, "prefers-protobuf", "make clients request protobuf")
	boolean(&f.GVKConstants, "gvk-constants", "declare FooGVK and FooGVR for each kind Foo in the API package")
	boolean(&f.Tracing, "tracing", "generate the package tracing, which adds OpenTelemetry spans to controllers")
	list(&f.Kinds, KindsKey, "kinds to generate clients for in addition to those with +genclient: "+Roots+" (types with +kubebuilder:object:root=true and a list type)")
	list(&f.Only, "only", "only run these generators: "+strings.Join(generators.Names(), ", "))
	list(&f.Skip, "skip", "do not run these generators")
	boolean(&f.Strict, "strict", "treat warnings as errors")
	boolean(&f.Adopt, "adopt", "replace the output of code-generator in the output directories and API packages; run migrate --check first")
	boolean(&f.Prune, "prune", "remove generated files of packages that are not part of this run; implied if the packages come from a configuration file")
	boolean(&f.Force, "force", "overwrite generated files that were edited")
	list(&f.BuildTags, "build-tags", "build tags for reading packages")
	text(&f.Config, "config", "configuration file with these flags, by default in the module root; empty for none")
}

// PathFlag is a flag whose value is the name of a file or directory, relative to where it is set.
type PathFlag struct {
	Name string
	// Extensions are the allowed file extensions, without dots. An empty list allows all names.
	Extensions []string
	// Dir is true if the value is a directory.
	Dir bool
}

// PathFlags returns the flags whose values are paths.
func PathFlags() []PathFlag {
	return []PathFlag{
		{Name: "output-dir", Dir: true},
		{Name: "crd-dir", Dir: true},
		{Name: "go-header-file"},
		{Name: "openapi-schema", Extensions: []string{"json"}},
		{Name: "config", Extensions: []string{"yaml", "yml"}},
	}
}

// Options checks the flags. Packages are patterns relative to dir, by default ./.... An error is a FlagErrors.
func (f *Flags) Options(dir string, packages []string) (Options, error) {
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	opts := Options{
		Load:       load.Config{Dir: dir, Patterns: packages, BuildTags: f.BuildTags},
		HeaderFile: f.HeaderFile,
		CRDDir:     f.CRDDir,
		OpenAPI:    f.OpenAPISchema,
		Strict:     f.Strict,
		Adopt:      f.Adopt,
		Force:      f.Force,
		Prune:      f.Prune,
		OutputDir:  f.OutputDir,
		OutputPkg:  strings.TrimSuffix(f.OutputPkg, "/"),
		Layout: model.Layout{
			ApplyConfigurations: f.ApplyConfigurationPackage, PrefersProtobuf: f.PrefersProtobuf, GVKConstants: f.GVKConstants,
			Tracing: f.Tracing, PluralListerErrors: f.ListerErrors == listerErrorsPlural,
		},
	}
	opts.Resolve.GroupFolders, opts.Resolve.SourceFolders = f.Folders == foldersGroup, f.Folders == foldersSource
	opts.Resolve.Roots = slices.Contains(f.Kinds, Roots)
	var errs FlagErrors
	f.checkChoices(&errs)
	errs.add(checkImportPath(opts.OutputPkg), "output-pkg")
	if f.ClientGo != "" {
		choice, err := module.ParseRelease(f.ClientGo)
		errs.add(err, "client-go")
		opts.ClientGo = &choice
	}
	for _, part := range []struct {
		flag, given string
		dir         *string
	}{
		{"clientset-dir", f.ClientsetDir, &opts.Layout.Clientset},
		{"listers-dir", f.ListersDir, &opts.Layout.Listers},
		{"informers-dir", f.InformersDir, &opts.Layout.Informers},
		{"controllers-dir", f.ControllersDir, &opts.Layout.Controllers},
		{"applyconfiguration-dir", f.ApplyConfigurationDir, &opts.Layout.ApplyConfigurationDir},
	} {
		var err error
		*part.dir, err = cleanDir(part.given)
		errs.add(err, part.flag)
	}
	if f.withoutApply() {
		opts.Layout.ApplyConfigurationDir = ""
	}
	opts.Resolve.Apply = opts.Layout.ApplyConfigurationDir != ""
	var err error
	opts.Resolve.ApplyConfigurations.External, err = f.externals()
	errs.add(err, "external-applyconfigurations")
	errs.add(checkImportPath(f.ApplyConfigurationPackage), "applyconfiguration-package")
	opts.Resolve.Plurals, err = f.plurals()
	errs.add(err, "plural-exceptions")
	opts.Generators, opts.Extra = f.selected(&errs)
	return opts, errs.err()
}

// checkChoices checks the flags with a fixed set of values.
func (f *Flags) checkChoices(errs *FlagErrors) {
	for _, kinds := range f.Kinds {
		errs.add(checkOneOf(kinds, Roots), KindsKey)
	}
	if f.Folders != "" {
		errs.add(checkOneOf(f.Folders, foldersSource, foldersGroup), "folders")
	}
	errs.add(checkOneOf(f.ListerErrors, listerErrorsSingular, listerErrorsPlural), "lister-errors")
}

// checkOneOf returns an error if a value is not one of the allowed values.
func checkOneOf(value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return fmt.Errorf("unknown value %q, must be one of %s", value, strings.Join(values, ", "))
}

// checkImportPath returns an error if a value cannot be an import path or part of one.
func checkImportPath(importPath string) error {
	if importPath == "" || importPath == "." {
		return nil
	}
	return modpath.CheckImportPath(importPath)
}

// cleanDir returns the slash-separated form of a directory below the output directory.
func cleanDir(dir string) (string, error) {
	clean := path.Clean(strings.ReplaceAll(dir, `\`, "/"))
	if dir == "" || path.IsAbs(clean) || strings.Contains(clean, ":") || clean == ".." || strings.HasPrefix(clean, "../") {
		return "", fmt.Errorf("%q is not a relative path inside the output directory", dir)
	}
	return clean, checkImportPath(clean)
}

// ApplyGenerator returns the name of the generator of apply configurations.
func ApplyGenerator() string { return applyconfiguration.Generator.Name }

// withoutApply reports whether apply configurations are never generated for this output. A run without their generator that
// neither skips it nor names a package relies on the output of another run.
func (f *Flags) withoutApply() bool {
	return f.ApplyConfigurationPackage != "" || slices.Contains(f.Skip, ApplyGenerator())
}

// externals reads import paths of apply configurations, in the form of the flag of applyconfiguration-gen.
func (f *Flags) externals() (map[model.Type]string, error) {
	externals := map[model.Type]string{}
	for _, entry := range f.ExternalApplyConfigurations {
		typeName, pkg, ok := strings.Cut(entry, ":")
		dot := strings.LastIndex(typeName, ".")
		if !ok || dot <= 0 || !token.IsIdentifier(typeName[dot+1:]) || modpath.CheckImportPath(typeName[:dot]) != nil || modpath.CheckImportPath(pkg) != nil {
			return nil, fmt.Errorf("%q is not of the form import/path.Type:import/path", entry)
		}
		t := model.Type{Package: typeName[:dot], Name: typeName[dot+1:]}
		if other, ok := externals[t]; ok && other != pkg {
			return nil, fmt.Errorf("%s is in both %s and %s", typeName, other, pkg)
		}
		externals[t] = pkg
	}
	return externals, nil
}

// plurals reads the exceptions to the rule for plurals.
func (f *Flags) plurals() (map[string]string, error) {
	plurals := map[string]string{}
	for _, exception := range f.PluralExceptions {
		kind, plural, ok := strings.Cut(exception, ":")
		if !ok || !token.IsIdentifier(kind) || !token.IsIdentifier(plural) {
			return nil, fmt.Errorf("%q is not of the form Kind:Plural", exception)
		}
		if other, ok := plurals[kind]; ok && other != plural {
			return nil, fmt.Errorf("%s has two plurals, %s and %s", kind, other, plural)
		}
		plurals[kind] = plural
	}
	return plurals, nil
}

// selected returns the selected generators in the order of their output, and the names of those that are not built in.
func (f *Flags) selected(errs *FlagErrors) (builtin []generators.Generator, extra []string) {
	known := slices.Concat(generators.Names(), f.Extra)
	for _, list := range []struct {
		flag  string
		names []string
	}{{"only", f.Only}, {"skip", f.Skip}} {
		for _, name := range list.names {
			if !slices.Contains(known, name) {
				errs.add(fmt.Errorf("unknown generator %q, must be one of %s", name, strings.Join(known, ", ")), list.flag)
				return nil, nil
			}
		}
	}
	wanted := func(name string) bool {
		return (len(f.Only) == 0 || slices.Contains(f.Only, name)) && !slices.Contains(f.Skip, name)
	}
	for _, g := range generators.All {
		if wanted(g.Name) && (g.Name != ApplyGenerator() || !f.withoutApply()) {
			builtin = append(builtin, g)
		}
	}
	for _, name := range f.Extra {
		if wanted(name) {
			extra = append(extra, name)
		}
	}
	if len(builtin)+len(extra) == 0 {
		errs.add(errors.New("leave no generator"), "only", "skip")
	}
	return builtin, extra
}
