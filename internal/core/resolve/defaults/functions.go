package defaults

import (
	"cmp"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
)

// functions are the handwritten functions for a type.
type functions struct {
	// object sets all defaults, base the defaults of the type itself. additional functions are called after base. They may be nil.
	object, base *shape.Function
	additional   []*shape.Function
}

// prefix begins the names of handwritten functions that set defaults of a type.
const prefix = "SetDefaults_"

// index finds the handwritten functions of a package.
func (r *run) index(pkg *gotype.Package) {
	if _, known := r.handwritten[pkg.Path]; known {
		return
	}
	r.handwritten[pkg.Path] = r.World.Functions(pkg, prefix, r.Peers.Tag())
	for _, f := range slices.Concat(r.handwritten[pkg.Path], r.World.Functions(pkg, model.ObjectDefaults(""), r.Peers.Tag())) {
		r.add(f)
	}
}

// defaulted returns the type whose defaults a function may set: func(*T).
func defaulted(f *shape.Function) *shape.Type {
	if len(f.Params) != 1 || len(f.Results) != 0 || f.Params[0].Kind != shape.Pointer {
		return nil
	}
	return f.Params[0].Elem()
}

// add adds a function to the functions of the type that it is named after.
func (r *run) add(f *shape.Function) {
	t := defaulted(f)
	if t == nil {
		return
	}
	known := cmp.Or(r.existing[t], &functions{})
	switch base := prefix + t.Joined(0); {
	case f.Name == base:
		if known.base != nil {
			r.duplicate(f, known.base)
		}
		known.base = f
	case strings.HasPrefix(f.Name, base+"_"):
		known.additional = append(known.additional, f)
	case f.Name == model.ObjectDefaults(t.Joined(0)):
		if known.base != nil && known.base.Package != f.Package {
			r.duplicate(f, known.base)
		}
		known.object = f
	default:
		return
	}
	r.existing[t] = known
}

// duplicate reports two functions of two packages for the same type.
func (r *run) duplicate(f, other *shape.Function) {
	r.called[f], r.called[other] = true, true
	r.Diags.AddHint(f.Pos, "remove or rename one of them, or generate defaults for their packages separately",
		"%s sets the defaults of %s, as does the function at %s in package %s", f.Name, defaulted(f), diag.Line(other.Pos), other.Package.Path)
}

// covers reports whether a function sets all defaults below its type.
func covers(f *shape.Function) bool {
	all := f.Markers().All(marker.DefaulterGen)
	return len(all) == 1 && all[0].Value == "covers"
}
