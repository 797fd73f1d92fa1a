// Package defaults plans the functions that set the defaults of objects, as defaulter-gen does: from handwritten functions such as
// SetDefaults_Robot and from markers.
//
// A package gets functions for its types, or for the types of another package, if the objects have something to default. The functions know
// the handwritten ones of all packages of the run.
package defaults

import (
	"go/token"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/gofile"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// File is the usual name of the file with generated defaults.
const File = "zz_generated.defaults.go"

// InPackage are the functions that set the defaults of the types of a package.
var InPackage = source.InPackage{SetAside: SetAside, Requested: Requested, ResolveAll: Resolve}

// SetAside treats generated defaults like files that were not parsed. They are about to be replaced or removed, so their declarations do
// not count.
func SetAside(loaded *load.Result) {
	for _, pkg := range loaded.Packages {
		if !pkg.InMainModule() {
			continue
		}
		ours := func(file *load.File) bool { return gofile.Ours(file, File) }
		for _, file := range pkg.Files {
			if ours(file) {
				pkg.Unparsed = append(pkg.Unparsed, file)
			}
		}
		pkg.Files = slices.DeleteFunc(slices.Clone(pkg.Files), ours)
	}
}

// Requested reports whether a package has a marker about defaults: as in code-generator's script, such packages are the input. Functions of
// packages that get no file count, too.
func Requested(s *source.Package, _ source.Objects) bool {
	about := func(set marker.Set) bool { return set.Has(marker.DefaulterGen) }
	return about(s.Markers) || about(s.Loose) ||
		slices.ContainsFunc(s.TypeNames, func(name string) bool { return about(s.Decls[name].Markers) })
}

// Resolve plans the defaults of all packages. A package is looked at with the functions of the packages before it, which decide the types
// that get a function. These functions then call the functions of all packages, as in upstream's program.
func Resolve(in source.Run) {
	r := &run{
		Run: in, own: map[string]bool{}, existing: map[*shape.Type]*functions{}, called: map[*shape.Function]bool{},
		handwritten: map[string][]*shape.Function{}, outside: map[string][]*shape.Function{},
	}
	for _, pkg := range in.World.Roots {
		r.own[pkg.Path] = pkg.InMainModule()
	}
	clear(in.World.Requested)
	var targets []*target
	for _, s := range in.Packages {
		in.World.Requested[s.Path] = true
		if t := r.target(s); t != nil {
			targets = append(targets, t)
			in.World.Requested[t.types.Path] = true
		}
	}
	peers := r.peers()
	for _, s := range in.Packages {
		for _, pkg := range append([]*gotype.Package{s.Package}, peers...) {
			r.index(pkg)
		}
		for _, t := range targets {
			if t.source == s {
				t.choose()
			}
		}
	}
	for _, t := range targets {
		if made := t.plan(); made != nil {
			in.Made(t.source).Defaults = made
		}
	}
	if !in.Diags.Failed() { // mistakes are why functions are not called
		r.reportLost()
	}
}

// run is the state of a run.
type run struct {
	source.Run

	// own are the import paths of packages that users can edit.
	own map[string]bool
	// existing are the handwritten functions for a type.
	existing map[*shape.Type]*functions
	// handwritten are functions with such names in packages of the run and in peers, by import path; outside is for other packages.
	handwritten, outside map[string][]*shape.Function
	// called are the functions that generated code calls.
	called map[*shape.Function]bool
}

// peers returns the packages whose functions count for all packages.
func (r *run) peers() (peers []*gotype.Package) {
	for _, importPath := range r.Peers.Extra {
		if pkg := r.World.Package(importPath); pkg != nil {
			peers = append(peers, pkg)
			r.World.Requested[importPath] = true
		} else {
			r.Diags.Add(token.Position{}, "package %s, a peer for defaults, cannot be found", importPath)
		}
	}
	return peers
}

// choose finds the types that get a function: types that request a function, if anything below them has a default.
func (t *target) choose() {
	for _, name := range slices.Sorted(slices.Values(t.types.TypeNames)) {
		if candidate := t.run.World.Lookup(t.types, name); candidate != nil && t.wants(candidate) && candidate.Exported() {
			t.candidates = append(t.candidates, candidate)
		}
	}
	for before := -1; before < len(t.promoted); {
		before = len(t.promoted)
		trial := t.newBuilder(&diag.List{})
		for _, candidate := range t.candidates {
			if !t.promoted[candidate] && trial.build(candidate, true) != nil {
				t.promoted[candidate] = true
			}
		}
	}
}

// wants reports whether a type requests a function: by a marker, or by a field.
func (t *target) wants(candidate *shape.Type) bool {
	if known := t.run.existing[candidate]; known != nil && known.object != nil {
		return false
	}
	if wanted, decided := ownRequest(candidate); decided {
		return wanted
	}
	return candidate.Kind == shape.Struct && slices.ContainsFunc(candidate.Members(), func(m shape.Member) bool {
		return slices.Contains(t.fields, m.Name)
	})
}

// plan plans the functions of the package; nil if it gets no file.
func (t *target) plan() *model.Defaults {
	made := &model.Defaults{File: gofile.Name(t.source.Package.Package, File), Tag: t.run.Peers.Tag()}
	b := t.newBuilder(t.run.Diags)
	made.Scheme = b.names.Of("k8s.io/apimachinery/pkg/runtime", "Scheme")
	for _, c := range t.candidates {
		root := b.build(c, true) // with warnings about types without a function, too
		if t.promoted[c] {
			t.checkName(model.ObjectDefaults(c.Name))
			t.checkObject(c)
			made.Types = append(made.Types, model.Defaulted{Name: c.Name, Type: b.names.Of(t.types.Path, c.Name), Root: root})
		}
	}
	if len(made.Types)+len(t.fields) == 0 {
		return nil
	}
	gofile.CheckOnly(t.source.Package.Package, made.File, File, t.run.Diags)
	t.checkName(model.NameRegisterDefaults)
	made.Imports = b.names.List()
	return made
}

// checkObject reports a type that cannot be registered.
func (t *target) checkObject(chosen *shape.Type) {
	decl := t.run.World.Decl(chosen.GoType)
	const hint = "put // +" + marker.DeepCopyInterfaces + "=k8s.io/apimachinery/pkg/runtime.Object above it, or remove +" + marker.DefaulterGen
	about := marker.Scan(t.run.World.Fset, decl.Above, decl.Doc)
	switch {
	case !literal(chosen):
		t.run.Diags.AddHint(t.run.position(chosen), "remove +"+marker.DefaulterGen+"=true",
			"type %s cannot have object defaults: only structs, maps, slices and arrays can", chosen.Name)
	case !t.run.Objects(decl) && !slices.ContainsFunc(about, marker.AboutDeepCopies):
		t.run.Diags.AddHint(t.run.position(chosen), hint, "type %s cannot have object defaults: it is no runtime.Object", chosen.Name)
	}
}

// literal reports whether T{} is a value of a type T.
func literal(t *shape.Type) bool {
	switch t.Bare().Kind {
	case shape.Struct, shape.Map, shape.Slice, shape.Array:
		return true
	}
	return false
}

// position returns the position of a declared type.
func (r *run) position(t *shape.Type) token.Position {
	if decl := r.World.Decl(t.GoType); decl != nil {
		return r.World.Fset.Position(decl.Spec.Name.Pos())
	}
	return token.Position{}
}

// checkName reports a name that the package declares by hand and that is about to be generated.
func (t *target) checkName(name string) {
	if what := t.source.Declared(name); what != "" {
		t.run.Diags.AddHint(t.source.Position(name), "rename or remove it", "%s is %s of this package, but also the name of a generated function",
			name, what)
	}
}
