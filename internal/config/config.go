// Package config turns flags and .informer-gen.yaml into options, and locates the configuration file, the module and the output
// directory. It reads these files and go.mod, and writes nothing.
//
// There are two ways to get options. Commands register Flags and use a CommandLine, which merges the configuration file. Programs
// fill in Flags and call Options.
package config

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
)

// FileName is the file at the root of a module that carries the flags.
const FileName = ".informer-gen.yaml"

// Options are the validated settings of one output, in the form that the stages take.
type Options struct {
	Load    load.Config
	Resolve resolve.Options
	// Layout lacks everything that depends on the packages: the root, the directories of sources, and handwritten files.
	Layout     model.Layout
	Generators []generators.Generator
	// ClientGo is the requested release of client-go; nil for the release of the output's module.
	ClientGo *module.Release
	// Extra are the names of the selected generators that are not built in.
	Extra []string
	// HeaderFile holds the text for the top of every generated file; "" for none.
	HeaderFile string
	// CRDDir is the directory of manifests to compare with; "" for none.
	CRDDir string
	// OpenAPI is the document that defines how fields merge; "" if the types do.
	OpenAPI string
	// Strict turns warnings into errors.
	Strict bool
	// Adopt and Force allow a run to remove or replace existing files.
	Adopt, Force bool
	// Prune removes the files of kinds whose packages are not loaded.
	Prune bool
	// OutputDir and OutputPkg are as given; "" if they follow from the module.
	OutputDir, OutputPkg string
}

// Absolute resolves a path relative to the directory of the packages.
func (o Options) Absolute(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(o.Load.Dir, name)
}

// Selects reports whether the generator with this name runs.
func (o Options) Selects(name string) bool {
	return slices.ContainsFunc(o.Generators, func(g generators.Generator) bool { return g.Name == name })
}

// Directories returns the directories of the selected generators and those of the others, relative to the output directory.
// Generators that write to API packages have none.
func (o Options) Directories() (owned, other []string) {
	for _, g := range generators.All {
		dir := g.Dir(&o.Layout)
		switch {
		case dir == "":
		case o.Selects(g.Name):
			owned = append(owned, dir)
		default:
			other = append(other, dir)
		}
	}
	return owned, other
}

// BesideNames returns the names of the files that the selected generators write to API packages.
func (o Options) BesideNames() []string {
	var names []string
	for _, g := range o.Generators {
		if name := g.Beside; name != "" {
			names = append(names, name)
		}
	}
	return names
}

// UsageError is a mistake on the command line, as opposed to a mistake in the files that it names.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e UsageError) Unwrap() error { return e.Err }

// FlagError is a problem with the value of a flag, or with a combination of flags.
type FlagError struct {
	// Flags are the names of the flags, without dashes.
	Flags []string
	Err   error
}

func (e *FlagError) Error() string { return e.text("--") }

// Unwrap returns the error of the value.
func (e *FlagError) Unwrap() error { return e.Err }

// text returns the problem with a prefix before the names: dashes on the command line, nothing in a file.
func (e *FlagError) text(prefix string) string {
	separator := " "
	if len(e.Flags) == 1 {
		separator = ": "
	}
	return prefix + strings.Join(e.Flags, " and "+prefix) + separator + e.Err.Error()
}

// FlagErrors are all problems with a set of flags, in the order of the flags.
type FlagErrors []*FlagError

// add records a problem if err is not nil.
func (e *FlagErrors) add(err error, flags ...string) {
	if err != nil {
		*e = append(*e, &FlagError{Flags: flags, Err: err})
	}
}

// err returns the problems as an error, or nil if there are none.
func (e FlagErrors) err() error {
	if len(e) == 0 {
		return nil
	}
	return e
}

func (e FlagErrors) Error() string { return errors.Join(e.Unwrap()...).Error() }

// Unwrap returns the problems one by one.
func (e FlagErrors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}
