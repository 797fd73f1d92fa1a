package informergen

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster"
)

// Config is the configuration of one output. The zero value runs all generators for the packages below the working directory and
// writes to pkg/generated in their module. Each field corresponds to a flag of the command; see docs/flags.md.
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
	// Schema decides whether apply configurations have a schema and Extract functions. By default, they have them unless the existing apply
	// configurations have no schema.
	Schema *bool

	// PluralExceptions maps kinds to irregular plurals, both in Go form.
	PluralExceptions map[string]string
	// GroupGoNames maps groups to their names in Go identifiers, such as the "Api" of ApiV1. By default, a group has the name that
	// checked-in clients give it, or that of its first label.
	GroupGoNames map[string]string
	// Listers and Informers are patterns for the packages that get listers and informers. By default, all packages get listers, except for
	// those that only have a client in the existing output, and packages with listers get informers, which need them.
	Listers, Informers []string
	// CRDDir is a directory of CustomResourceDefinitions to check the types against.
	CRDDir string
	// CRDOutputDir is the directory for generated CustomResourceDefinitions. By default, none are generated.
	CRDOutputDir string
	// CRDOptions are options of controller-gen's generator crd, such as maxDescLen=0.
	CRDOptions []string
	// RBACOutputDir is the directory for generated roles. By default, none are generated.
	RBACOutputDir string
	// RBACNamespaces are the namespaces that controllers are limited to. By default, they may work in all.
	RBACNamespaces []string
	// RBACRoleName is the name of all roles. By default, they have the names of the controllers.
	RBACRoleName string
	// RBACPaths are patterns for the packages whose +kubebuilder:rbac markers count. By default, all packages of the module count.
	RBACPaths []string
	// RBACOptions are options of controller-gen's generator rbac, such as fileName=role.yaml.
	RBACOptions []string
	// ManifestsDeployments are the Deployments, StatefulSets and DaemonSets that run controllers, for the command verify --manifests. A name
	// may begin with a kind: StatefulSet/x. Generate and Verify do not compare rendered manifests.
	ManifestsDeployments []string
	// AllowedChanges are changes of CustomResourceDefinitions that the command verify --against allows, each as "change: reason". Generate and
	// Verify do not compare definitions with earlier ones.
	AllowedChanges []string
	// PrefersProtobuf makes clients request protobuf.
	PrefersProtobuf bool
	// GVKConstants declares FooGVK and FooGVR for each kind Foo in the API package.
	GVKConstants bool

	// Runtime generates code that uses the run-time library or, if it is false, reports markers that need the library. By default,
	// the library is used if a marker needs it.
	Runtime *bool

	// Kinds is {"roots"} to also generate clients for types with +kubebuilder:object:root=true and a list type. By default, only
	// types with +genclient have clients.
	Kinds []string
	// Only and Skip select generators by name. docs/flags.md lists the names of the built-in ones.
	Only, Skip []string
	// Generators run in addition to the built-in ones.
	Generators []Generator

	// Strict turns warnings into errors.
	Strict bool
	// Adopt removes files of k8s.io/code-generator from the output directories.
	Adopt bool
	// Prune removes the files of packages that still exist but are not in Packages. Otherwise they are Diagnostics.
	Prune bool
	// AcceptLoss are files, and directories of files, that may lose what only they have when they are replaced. Otherwise, that is an error.
	AcceptLoss []string
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
	text, err := regular.ReadFile(name)
	var outputs []config.Output
	if err == nil {
		outputs, err = config.Parse(name, text)
	}
	if err == nil {
		_, err = pipeline.AllOptions(outputs, inLibrary)
	}
	if err != nil {
		return nil, publicError(err)
	}
	configs := make([]Config, len(outputs))
	for i, output := range outputs {
		configs[i] = Config{Dir: output.Dir, Packages: output.Packages}
		copyOptions(&configs[i], &output.Values)
	}
	return configs, nil
}

// copyOptions copies the fields for options from a Config to option.Values or back. Zero values stay at their defaults.
func copyOptions(to, from any) {
	for _, o := range option.Options {
		field, value := reflect.ValueOf(to).Elem().FieldByName(o.Field), reflect.ValueOf(from).Elem().FieldByName(o.Field)
		if !field.IsValid() || !value.IsValid() || value.IsZero() {
			continue
		}
		switch entries := value.Interface().(type) {
		case map[string]string:
			value = reflect.ValueOf(joined(entries))
		case []string:
			if field.Kind() == reflect.Map {
				value = reflect.ValueOf(pairs(entries))
			}
		}
		field.Set(value)
	}
}

// inLibrary are the products, and the wings that make files. All other wings have commands, and dependencies that programs need not build.
var inLibrary = run.House{Products: generators.All, Wings: []run.Wing{cluster.Wing}}

// options validates and converts the configuration.
func (c Config) options() (run.Options, error) {
	dir := c.Dir
	if dir == "" {
		dir = "."
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return run.Options{}, err
	}
	if info, err := os.Stat(dir); err != nil {
		return run.Options{}, &ConfigError{"Dir", err}
	} else if !info.IsDir() {
		return run.Options{}, &ConfigError{"Dir", errors.New(dir + " is not a directory")}
	}
	values := option.Default()
	copyOptions(&values, &c)
	var custom []string
	for _, g := range c.Generators {
		custom = append(custom, g.Name())
	}
	all, err := pipeline.AllOptions([]config.Output{{Values: values, Dir: dir, Packages: c.Packages}}, inLibrary, custom...)
	if err != nil {
		return run.Options{}, err
	}
	return all[0], nil
}

// pairs splits entries of the form key:value.
func pairs(entries []string) map[string]string {
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
