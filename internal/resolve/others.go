package resolve

import (
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// Others returns the kinds of packages that are not part of the run, as a run with only these packages would have them. Mistakes in
// the packages are left to the runs that they are part of.
func (r Result) Others(packages []*load.Package) Result {
	others := newResolver(r.universe, r.opts)
	for _, pkg := range packages {
		declared := r.universe.Package(pkg.Path)
		if declared == nil {
			continue // it could not be read
		}
		s := source.Read(r.universe.Fset, declared)
		s.WithRoots = r.opts.Roots
		others.all = append(others.all, s)
		if len(s.ClientTypes()) > 0 {
			others.add(candidate{Package: s, clients: true})
		}
	}
	others.finish()
	return others.result
}
