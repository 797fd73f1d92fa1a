package cli

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
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
)

// generateFlags are the flags as they were given.
type generateFlags struct {
	config                                   string
	outputDir, outputPkg, headerFile, crdDir string
	clientsetDir, listersDir, informersDir   string
	controllersDir                           string
	applyDir, applyPackage, openAPI          string
	prefersProtobuf, gvkConstants            bool
	adopt, force                             bool
	pluralExceptions, only, skip, buildTags  []string
	externalApply                            []string
}

func (f *generateFlags) register(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.StringVar(&f.outputDir, "output-dir", "", "directory to write to (default pkg/generated of the module that holds the packages)")
	flags.StringVar(&f.outputPkg, "output-pkg", "", "import path of the output directory (default: by the go.mod that owns it)")
	flags.StringVar(&f.headerFile, "go-header-file", "", "file whose text goes to the top of every generated file")
	flags.StringVar(&f.clientsetDir, "clientset-dir", "clientset/versioned", "directory of the clientset below the output directory")
	flags.StringVar(&f.listersDir, "listers-dir", "listers", "directory of the listers below the output directory")
	flags.StringVar(&f.informersDir, "informers-dir", "informers/externalversions", "directory of the informers below the output directory")
	flags.StringVar(&f.controllersDir, "controllers-dir", "controllers", "directory of the controllers below the output directory")
	flags.StringVar(&f.applyDir, "applyconfiguration-dir", "applyconfiguration", "directory of the apply configurations below the output directory")
	flags.StringSliceVar(&f.externalApply, "external-applyconfigurations", nil, "where types of other packages have their apply configurations, as path.Type:package,…")
	flags.StringVar(&f.openAPI, "openapi-schema", "", "OpenAPI v2 document in JSON that defines all kinds, to make the schema of the apply configurations from; by default it is made from the types")
	flags.StringVar(&f.applyPackage, "applyconfiguration-package", "", "import path of apply configurations that are there already, in place of generated ones")
	flags.StringSliceVar(&f.pluralExceptions, "plural-exceptions", nil, "plurals that the rule gets wrong, as Kind:Plural,…")
	flags.StringVar(&f.crdDir, "crd-dir", "", "directory of CustomResourceDefinitions that the types have to agree with")
	flags.BoolVar(&f.prefersProtobuf, "prefers-protobuf", false, "make clients ask for protobuf")
	flags.BoolVar(&f.gvkConstants, "gvk-constants", false, "declare FooGVK and FooGVR for each kind Foo beside the types")
	flags.StringSliceVar(&f.only, "only", nil, "run only these generators: "+strings.Join(generators.Names(), ", "))
	flags.StringSliceVar(&f.skip, "skip", nil, "do not run these generators")
	flags.BoolVar(&f.adopt, "adopt", false, "remove what client-gen, lister-gen and informer-gen have left in the directories that are written to")
	flags.BoolVar(&f.force, "force", false, "replace generated files that were edited by hand")
	flags.StringSliceVar(&f.buildTags, "build-tags", nil, "build tags under which the packages are read")
	flags.StringVar(&f.config, "config", configName, "file that carries these flags; by default that at the module's root, empty for none")
	markPaths(flags)
}

// options are the flags, checked and in the form in which the stages take them.
type options struct {
	load       load.Config
	resolve    resolve.Options
	layout     model.Layout
	generators []generators.Generator
	headerFile string
	// crdDir holds manifests to compare with; "" for none.
	crdDir string
	// openAPI is the document that says how fields merge; "" if the types do.
	openAPI string
	// adopt and force say how far the run may go with files that are there. writes is true if it touches any.
	adopt, force, writes bool
	// outputDir and outputPkg are as given; "" where they are to be found out.
	outputDir, outputPkg string
}

// options checks the flags. An error is a mistake in the command line.
func (f *generateFlags) options(dir string, patterns []string) (options, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	opts := options{
		load:       load.Config{Dir: dir, Patterns: patterns, BuildTags: f.buildTags},
		headerFile: f.headerFile,
		crdDir:     f.crdDir,
		openAPI:    f.openAPI,
		adopt:      f.adopt,
		force:      f.force,
		outputDir:  f.outputDir,
		outputPkg:  strings.TrimSuffix(f.outputPkg, "/"),
		layout:     model.Layout{ApplyConfigurations: f.applyPackage, PrefersProtobuf: f.prefersProtobuf, GVKConstants: f.gvkConstants},
	}
	var errs [11]error
	opts.layout.Clientset, errs[0] = cleanDir("--clientset-dir", f.clientsetDir)
	opts.layout.Listers, errs[1] = cleanDir("--listers-dir", f.listersDir)
	opts.layout.Informers, errs[2] = cleanDir("--informers-dir", f.informersDir)
	opts.layout.Controllers, errs[10] = cleanDir("--controllers-dir", f.controllersDir)
	opts.resolve.Plurals, errs[3] = f.plurals()
	opts.generators, errs[4] = f.generators()
	errs[8] = checkImportPath("--output-pkg", opts.outputPkg)
	errs[9] = checkImportPath("--applyconfiguration-package", f.applyPackage)
	opts.resolve.ApplyConfigurations.External, errs[5] = f.externals()
	if opts.layout.ApplyConfigurationDir, errs[6] = cleanDir("--applyconfiguration-dir", f.applyDir); f.withoutApply() {
		opts.layout.ApplyConfigurationDir = ""
	}
	opts.resolve.Apply = opts.layout.ApplyConfigurationDir != ""
	return opts, errors.Join(errs[:]...)
}

// checkImportPath returns an error if what a flag says cannot be, or be part of, the path of an import.
func checkImportPath(flag, importPath string) error {
	if importPath == "" || importPath == "." {
		return nil
	}
	if err := modpath.CheckImportPath(importPath); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// cleanDir returns the slash-separated form of a directory below the output directory.
func cleanDir(flag, dir string) (string, error) {
	clean := path.Clean(strings.ReplaceAll(dir, `\`, "/"))
	if dir == "" || path.IsAbs(clean) || strings.Contains(clean, ":") || clean == ".." || strings.HasPrefix(clean, "../") {
		return "", fmt.Errorf("%s: %q is not a directory below the output directory", flag, dir)
	}
	return clean, checkImportPath(flag, clean)
}

// applyGenerator is the name of the generator of apply configurations.
var applyGenerator = applyconfiguration.Generator{}.Name()

// withoutApply tells that apply configurations are not generated, be it in another run.
func (f *generateFlags) withoutApply() bool {
	return f.applyPackage != "" || slices.Contains(f.skip, applyGenerator)
}

// externals reads the flag in the form that it has in applyconfiguration-gen.
func (f *generateFlags) externals() (map[model.Type]string, error) {
	externals := map[model.Type]string{}
	for _, entry := range f.externalApply {
		typeName, pkg, ok := strings.Cut(entry, ":")
		dot := strings.LastIndex(typeName, ".")
		if !ok || dot <= 0 || !token.IsIdentifier(typeName[dot+1:]) || modpath.CheckImportPath(typeName[:dot]) != nil || modpath.CheckImportPath(pkg) != nil {
			return nil, fmt.Errorf("--external-applyconfigurations: %q is not of the form import/path.Type:import/path", entry)
		}
		t := model.Type{Package: typeName[:dot], Name: typeName[dot+1:]}
		if other, ok := externals[t]; ok && other != pkg {
			return nil, fmt.Errorf("--external-applyconfigurations: %s is given both in %s and in %s", typeName, other, pkg)
		}
		externals[t] = pkg
	}
	return externals, nil
}

func (f *generateFlags) plurals() (map[string]string, error) {
	plurals := map[string]string{}
	for _, exception := range f.pluralExceptions {
		kind, plural, ok := strings.Cut(exception, ":")
		if !ok || !token.IsIdentifier(kind) || !token.IsIdentifier(plural) {
			return nil, fmt.Errorf("--plural-exceptions: %q is not of the form Kind:Plural", exception)
		}
		if other, ok := plurals[kind]; ok && other != plural {
			return nil, fmt.Errorf("--plural-exceptions: %s is given both as %s and as %s", kind, other, plural)
		}
		plurals[kind] = plural
	}
	return plurals, nil
}

func (f *generateFlags) generators() ([]generators.Generator, error) {
	for _, list := range []struct {
		flag  string
		names []string
	}{{"--only", f.only}, {"--skip", f.skip}} {
		for _, name := range list.names {
			if !slices.Contains(generators.Names(), name) {
				return nil, fmt.Errorf("%s: there is no generator %q; there are %s", list.flag, name, strings.Join(generators.Names(), ", "))
			}
		}
	}
	var selected []generators.Generator
	for _, g := range generators.All {
		if g.Name() == applyGenerator && f.withoutApply() {
			continue
		}
		if (len(f.only) == 0 || slices.Contains(f.only, g.Name())) && !slices.Contains(f.skip, g.Name()) {
			selected = append(selected, g)
		}
	}
	if len(selected) == 0 {
		return nil, errors.New("--only and --skip leave no generator")
	}
	return selected, nil
}
