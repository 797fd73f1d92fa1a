package resolve

import (
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// resolveAll makes what depends on several packages.
func (r *resolver) resolveAll(candidates []candidate) {
	run := source.Run{
		World: shape.NewWorld(r.universe), Target: r.opts.Target, Peers: r.opts.Peers, Objects: r.copies.IsObject,
		Made: r.packageOf, Diags: &r.diags,
		Declares: func(p *source.Package, name string) bool {
			return p.Declared(name) != "" || slices.ContainsFunc(candidates, func(c candidate) bool {
				return c.Package == p && slices.ContainsFunc(c.requested, func(p *source.InPackage) bool { return slices.Contains(p.Declares, name) })
			})
		},
	}
	for _, p := range r.opts.InPackages {
		run.Packages = nil
		var named []string // packages, which are read at the same time: it saves a tenth of a run
		for _, c := range candidates {
			if p.ResolveAll != nil && slices.Contains(c.requested, p) {
				run.Packages = append(run.Packages, c.Package)
				for _, m := range c.Markers {
					if marker.ForAnyType(m) && strings.Contains(m.Value, "/") && !slices.Contains(named, m.Value) {
						named = append(named, m.Value)
					}
				}
			}
		}
		if len(run.Packages) > 0 {
			slices.SortFunc(run.Packages, func(a, b *source.Package) int { return strings.Compare(a.Path, b.Path) })
			r.universe.Expect(named)
			p.ResolveAll(run)
		}
	}
}
