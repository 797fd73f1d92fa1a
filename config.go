package informergen

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
)

// Config is the configuration of one output. The zero value runs all generators for the packages below the working directory and
// writes to pkg/generated in their module. Each field corresponds to a flag of the command; see docs/usage.md.
type Config struct {
	// Dir is the base directory of Packages and relative paths. The default is the working directory.
	Dir string
	// Packages are package patterns of the go command. The default is ./....
	Packages []string
	// BuildTags are the build tags for reading packages.
	BuildTags []string

	// OutputDir is the directory to write to. The default is pkg/generated in the module of the packages.
	OutputDir string
	// OutputPkg is the import path of OutputDir. The default is derived from the go.mod that owns it.
	OutputPkg string
	// ClientGo is the release of k8s.io/client-go to generate for, such as v0.35. The default is the release that the module of
	// OutputDir builds with.
	ClientGo string
	// GoHeaderFile is a file with the comment at the top of every generated Go file, such as a license.
	GoHeaderFile string

	// Directories below OutputDir, slash-separated. The defaults are clientset/versioned, listers,
	// informers/externalversions, controllers and applyconfiguration.
	ClientsetDir, ListersDir, InformersDir, ControllersDir, ApplyConfigurationDir string

	// Folders selects the name of a group's folder if its versions are directly below a folder api or apis: "source" uses the name
	// of that folder, "group" the first label of the group. The default is "source", unless the existing output uses "group".
	Folders string
	// ListerErrors is the form of the resource in NotFound errors of listers: "singular", which is the default, or "plural".
	ListerErrors string

	// ApplyConfigurationPackage is the import path of existing apply configurations to use instead of generated ones.
	ApplyConfigurationPackage string
	// ExternalApplyConfigurations maps types of other packages, in the form import/path.Type, to the packages with their apply
	// configurations.
	ExternalApplyConfigurations map[string]string
	// OpenAPISchema is an OpenAPI v2 document in JSON, the source of the schema of apply configurations. By default the schema is
	// derived from the types.
	OpenAPISchema string

	// PluralExceptions maps kinds to irregular plurals, both in Go form.
	PluralExceptions map[string]string
	// CRDDir is a directory of CustomResourceDefinitions to check the types against.
	CRDDir string
	// PrefersProtobuf makes clients request protobuf.
	PrefersProtobuf bool
	// GVKConstants declares FooGVK and FooGVR for each kind Foo in the API package.
	GVKConstants bool
	// Tracing adds a package tracing to the controllers, for OpenTelemetry spans. It imports go.opentelemetry.io/otel/trace.
	Tracing bool

	// Kinds is {"roots"} to also generate clients for types with +kubebuilder:object:root=true and a list type. By default, only
	// types with +genclient have clients.
	Kinds []string
	// Only and Skip select generators by name. docs/usage.md lists the names of the built-in ones.
	Only, Skip []string
	// Generators run in addition to the built-in ones.
	Generators []Generator

	// Strict turns warnings into errors.
	Strict bool
	// Adopt removes files of k8s.io/code-generator from the output directories.
	Adopt bool
	// Prune removes the files of packages that still exist but are not in Packages. Otherwise they are Diagnostics.
	Prune bool
	// Force replaces edited generated files.
	Force bool
}

// ReadConfig reads a configuration file, such as .informer-gen.yaml, and returns one Config for each output. The error is
// Diagnostics if the file is invalid.
func ReadConfig(name string) ([]Config, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	outputs, err := config.Read(name)
	if err != nil {
		return nil, publicError(err)
	}
	configs := make([]Config, len(outputs))
	for i, output := range outputs {
		f := output.Flags
		configs[i] = Config{
			Dir: output.Dir, Packages: output.Packages, BuildTags: f.BuildTags,
			OutputDir: f.OutputDir, OutputPkg: f.OutputPkg, ClientGo: f.ClientGo, GoHeaderFile: f.HeaderFile,
			ClientsetDir: f.ClientsetDir, ListersDir: f.ListersDir, InformersDir: f.InformersDir,
			ControllersDir: f.ControllersDir, ApplyConfigurationDir: f.ApplyConfigurationDir,
			Folders: f.Folders, ListerErrors: f.ListerErrors, Strict: f.Strict,
			ApplyConfigurationPackage: f.ApplyConfigurationPackage, ExternalApplyConfigurations: pairs(f.ExternalApplyConfigurations),
			OpenAPISchema: f.OpenAPISchema, PluralExceptions: pairs(f.PluralExceptions), CRDDir: f.CRDDir,
			PrefersProtobuf: f.PrefersProtobuf, GVKConstants: f.GVKConstants, Tracing: f.Tracing,
			Kinds: f.Kinds, Only: f.Only, Skip: f.Skip, Adopt: f.Adopt, Prune: true, Force: f.Force,
		}
	}
	return configs, nil
}

// options validates and converts the configuration.
func (c Config) options() (config.Options, error) {
	dir := c.Dir
	if dir == "" {
		dir = "."
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return config.Options{}, err
	}
	if info, err := os.Stat(dir); err != nil {
		return config.Options{}, &ConfigError{"Dir", err}
	} else if !info.IsDir() {
		return config.Options{}, &ConfigError{"Dir", errors.New(dir + " is not a directory")}
	}
	f := config.Default()
	f.OutputDir, f.OutputPkg, f.ClientGo, f.HeaderFile, f.CRDDir = c.OutputDir, c.OutputPkg, c.ClientGo, c.GoHeaderFile, c.CRDDir
	for _, part := range []struct {
		flag  *string
		given string
	}{
		{&f.ClientsetDir, c.ClientsetDir}, {&f.ListersDir, c.ListersDir}, {&f.InformersDir, c.InformersDir},
		{&f.ControllersDir, c.ControllersDir}, {&f.ApplyConfigurationDir, c.ApplyConfigurationDir},
		{&f.Folders, c.Folders}, {&f.ListerErrors, c.ListerErrors},
	} {
		if part.given != "" {
			*part.flag = part.given
		}
	}
	f.ApplyConfigurationPackage, f.OpenAPISchema = c.ApplyConfigurationPackage, c.OpenAPISchema
	f.ExternalApplyConfigurations, f.PluralExceptions = joined(c.ExternalApplyConfigurations), joined(c.PluralExceptions)
	f.PrefersProtobuf, f.GVKConstants, f.Tracing = c.PrefersProtobuf, c.GVKConstants, c.Tracing
	f.Strict, f.Adopt, f.Prune, f.Force = c.Strict, c.Adopt, c.Prune, c.Force
	f.Kinds, f.Only, f.Skip, f.BuildTags = c.Kinds, c.Only, c.Skip, c.BuildTags
	for _, g := range c.Generators {
		f.Extra = append(f.Extra, g.Name())
	}
	return f.Options(dir, c.Packages)
}

// pairs splits entries of the form key:value.
func pairs(entries []string) map[string]string {
	if len(entries) == 0 {
		return nil
	}
	all := map[string]string{}
	for _, entry := range entries {
		key, value, _ := strings.Cut(entry, ":")
		all[key] = value
	}
	return all
}

// joined is the inverse of pairs, sorted.
func joined(all map[string]string) []string {
	var entries []string
	for _, key := range slices.Sorted(maps.Keys(all)) {
		entries = append(entries, key+":"+all[key])
	}
	return entries
}
