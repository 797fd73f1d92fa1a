// Package run has the types that the tiers of the tool share: the options of one output, its API, and the files of a run; and the
// interface between wings and the front.
package run

import (
	"cmp"
	"errors"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Options are the validated options of one output, in the form that the stages take.
type Options struct {
	// Values are the values that need no other form.
	Values  option.Values
	Load    load.Config
	Resolve resolve.Options
	// Layout lacks everything that depends on the packages: the root, the directories of sources, and handwritten files.
	Layout model.Layout
	// Products are all products, and Generators the selected ones, without manifests.
	Products, Generators product.Table
	// ClientGo is the requested release of client-go; nil for the release of the output's module.
	ClientGo *module.Release
	// Custom are the names of the selected generators that are not built in.
	Custom []string
	// Manifests are the generators of manifests with a directory, whether or not they run.
	Manifests Manifests
	// Shared is true if another output has the same output directory.
	Shared bool
	// Wings work alongside the generators.
	Wings []Wing
	// Locate adds problems with values of the configuration file to diagnostics. It returns the others as an error.
	Locate func(problems option.FlagErrors, diags *diag.List) error
}

// Problem returns an error about the value of a flag, with its position if the configuration file has it.
func (o Options) Problem(flag string, err error) error {
	var diags diag.List
	if err := o.Locate(option.FlagErrors{{Flags: []string{flag}, Err: err}}, &diags); err != nil {
		return err
	}
	return diags.Err()
}

// Absolute resolves a path relative to the directory of the packages.
func (o Options) Absolute(name string) string { return diag.Absolute(o.Load.Dir, name) }

// Directories returns the directories of the selected generators and of the other generators, relative to the output directory.
// Generators that write to API packages have none.
func (o Options) Directories() (owned, other []string) {
	for _, g := range o.Products {
		dir := g.Dir(&o.Layout)
		switch {
		case dir == "":
		case o.Generators.Has(g.Name):
			owned = append(owned, dir)
		default:
			other = append(other, dir)
		}
	}
	return owned, other
}

// ReadBoilerplate reads the text for the top of generated files.
func ReadBoilerplate(opts Options) ([]byte, error) {
	if opts.Values.GoHeaderFile == "" {
		return nil, nil
	}
	name := opts.Absolute(opts.Values.GoHeaderFile)
	text, err := regular.ReadFile(name)
	if err != nil {
		return nil, &option.FlagError{Flags: []string{"go-header-file"}, Err: err}
	}
	return text, render.CheckBoilerplate(name, text)
}

// Manifest is a generator of manifests.
type Manifest struct {
	// Generator is its name, and Dir the absolute directory of the manifests.
	Generator, Dir string
	// Runs is true if the generator is selected.
	Runs bool
}

// Manifests are the generators of manifests that have a directory, whether or not they run.
type Manifests []Manifest

// SelectManifests returns the generators for which there is a directory, or which are named. absolute resolves a directory, and wanted
// reports whether the options select a generator.
func SelectManifests(
	products product.Table, values option.Values, absolute func(string) string, wanted func(generator string) bool,
) (all Manifests) {
	for _, p := range products {
		if p.Manifests == nil {
			continue
		}
		if dir := p.Manifests(values); dir != "" || slices.Contains(values.Only, p.Name) {
			all = append(all, Manifest{p.Name, absolute(cmp.Or(dir, p.ManifestsDir)), wanted(p.Name)})
		}
	}
	return all
}

// Check returns an error if two generators write to the same directory, so that each would remove the files of the other.
func (m Manifests) Check() error {
	for i, output := range m {
		if slices.ContainsFunc(m[:i], func(other Manifest) bool { return other.Dir == output.Dir }) {
			return errors.New("need different directories")
		}
	}
	return nil
}

// Meet reports whether a generator that runs and one of the others that run write to the same directory.
func (m Manifests) Meet(others Manifests) bool {
	return slices.ContainsFunc(m, func(a Manifest) bool {
		return slices.ContainsFunc(others, func(b Manifest) bool { return a.Runs && b.Runs && a.Dir == b.Dir })
	})
}

// Run reports whether any of the generators runs.
func (m Manifests) Run() bool {
	return slices.ContainsFunc(m, func(output Manifest) bool { return output.Runs })
}

// Running returns the generator with a name, or nil if it does not run.
func (m Manifests) Running(generator string) *Manifest {
	i := slices.IndexFunc(m, func(output Manifest) bool { return output.Runs && output.Generator == generator })
	if i < 0 {
		return nil
	}
	return &m[i]
}
