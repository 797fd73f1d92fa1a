package defaults

import (
	"path"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// target is a package that gets functions.
type target struct {
	run    *run
	source *source.Package
	// types is the package with the types.
	types *gotype.Package
	// request is the first marker that requests functions. The package gets a file without any if fields are requested: the names of fields
	// that types with defaults have.
	request marker.Marker
	fields  []string
	// candidates are the types that request a function, promoted the types that get a function.
	candidates []*shape.Type
	promoted   map[*shape.Type]bool
}

// target reads the markers of a package. It returns nil if the package gets no functions. A marker on a type is enough, as for releases of
// defaulter-gen up to v0.35; later ones ignore it.
func (r *run) target(s *source.Package) *target {
	if !s.InMainModule() {
		return nil
	}
	t := &target{run: r, source: s, types: s.Package, promoted: map[*shape.Type]bool{}}
	requests := s.Markers.All(marker.DefaulterGen)
	for _, m := range requests {
		if m.Disables() != requests[0].Disables() {
			r.Diags.AddHint(m.Pos, "remove one of them", "marker +%s=%s contradicts +%s=%s at %s",
				m.Name, m.Value, m.Name, requests[0].Value, diag.Line(requests[0].Pos))
			return nil
		}
		t.fields = append(t.fields, m.Value)
	}
	disabled := len(requests) > 0 && requests[0].Disables()
	r.checkMarkers(s, disabled)
	if len(requests) == 0 {
		requests = r.requestsOf(s)
	}
	if len(requests) == 0 || disabled {
		return nil
	}
	t.request = requests[0]
	for _, m := range s.Markers.All(marker.DefaulterTypes) {
		if t.types != s.Package {
			r.Diags.AddHint(m.Pos, "remove one of them", "there is another +%s", m.Name)
			return nil
		}
		t.types = r.typesOf(s, m)
		if t.types == nil {
			return nil
		}
	}
	return t
}

// requestsOf returns the markers by which types of a package request functions.
func (r *run) requestsOf(s *source.Package) (requests marker.Set) {
	for _, name := range s.TypeNames {
		if declared := r.World.Lookup(s.Package, name); declared != nil {
			if wanted, _ := ownRequest(declared); wanted {
				requests = append(requests, declared.Detached().All(marker.DefaulterGen)...)
			}
		}
	}
	return requests
}

// ownRequest returns the decision of a type's markers, which are in a comment of their own.
func ownRequest(t *shape.Type) (wanted, decided bool) {
	all := t.Detached().All(marker.DefaulterGen)
	decided = len(all) == 1 && (all[0].Value == "true" || all[0].Disables())
	return decided && !all[0].Disables(), decided
}

// typesOf returns the package that a marker names.
func (r *run) typesOf(s *source.Package, m marker.Marker) *gotype.Package {
	if m.Value == "." {
		return s.Package
	}
	if strings.HasPrefix(m.Value, ".") {
		r.Diags.AddHint(m.ValuePos(0), "write +"+m.Name+"="+path.Join(s.Path, m.Value), "%s is not an import path", m.Value)
		return nil
	}
	pkg := r.World.Package(m.Value)
	if pkg == nil {
		r.Diags.Add(m.ValuePos(0), "package %s cannot be found", m.Value)
	}
	return pkg
}

// checkMarkers warns about markers on types that have no effect.
func (r *run) checkMarkers(s *source.Package, disabled bool) {
	for _, name := range s.TypeNames {
		wanted, decided := false, false
		if declared := r.World.Lookup(s.Package, name); declared != nil {
			wanted, decided = ownRequest(declared)
		}
		for _, m := range s.Decls[name].Markers.All(marker.DefaulterGen) {
			switch {
			case disabled && wanted:
				r.Diags.Warn(m.Pos, "remove one of them", "marker +%s has no effect on type %s: the package has +%s=false", m.Name, name, m.Name)
			case !decided:
				r.Diags.Warn(m.Pos, "write +"+m.Name+"=true or false in a comment of its own, with an empty line below it",
					"marker +%s=%s has no effect on type %s", m.Name, m.Value, name)
			}
		}
	}
}
