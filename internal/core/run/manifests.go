package run

import (
	"cmp"
	"errors"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
)

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
