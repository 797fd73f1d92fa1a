package cluster

import (
	"cmp"
	"errors"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
)

// Output is a generator of manifests.
type Output struct {
	// Generator is its name, and Dir the absolute directory of the manifests.
	Generator, Dir string
	// Runs is true if the generator is selected.
	Runs bool
}

// Outputs are the generators of manifests that have a directory, whether or not they run.
type Outputs []Output

// Select returns the generators for which there is a directory, or which are named. absolute resolves a directory, and wanted reports
// whether the options select a generator.
func Select(values config.Values, absolute func(string) string, wanted func(generator string) bool) (all Outputs) {
	for _, g := range []struct{ name, dir, byDefault string }{
		{generators.CRD, values.CRDOutputDir, config.DefaultCRDs}, {generators.RBAC, values.RBACOutputDir, config.DefaultRoles},
	} {
		if g.dir != "" || slices.Contains(values.Only, g.name) {
			all = append(all, Output{g.name, absolute(cmp.Or(g.dir, g.byDefault)), wanted(g.name)})
		}
	}
	return all
}

// Check returns an error if two generators write to the same directory, so that each would remove the files of the other.
func (o Outputs) Check() error {
	for i, output := range o {
		if slices.ContainsFunc(o[:i], func(other Output) bool { return other.Dir == output.Dir }) {
			return errors.New("need different directories")
		}
	}
	return nil
}

// Meet reports whether a generator that runs and one of the others that run write to the same directory.
func (o Outputs) Meet(others Outputs) bool {
	return slices.ContainsFunc(o, func(a Output) bool {
		return slices.ContainsFunc(others, func(b Output) bool { return a.Runs && b.Runs && a.Dir == b.Dir })
	})
}

// Run reports whether any of the generators runs.
func (o Outputs) Run() bool {
	return slices.ContainsFunc(o, func(output Output) bool { return output.Runs })
}

// Running returns the generator with a name, or nil if it does not run.
func (o Outputs) Running(generator string) *Output {
	i := slices.IndexFunc(o, func(output Output) bool { return output.Runs && output.Generator == generator })
	if i < 0 {
		return nil
	}
	return &o[i]
}
