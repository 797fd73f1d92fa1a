// Package conversion plans conversions between the types of API packages and types of the same names in other packages, their peers.
//
// The functions that exist are found by syntax and by their names, as conversion-gen finds them.
package conversion

import (
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/gofile"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// File is the usual name of the file with generated conversions.
const File = "zz_generated.conversion.go"

// basePeers are the packages whose functions count for all conversions unless an option says otherwise: the default of conversion-gen.
var basePeers = []string{
	"k8s.io/apimachinery/pkg/apis/meta/v1", "k8s.io/apimachinery/pkg/conversion", "k8s.io/apimachinery/pkg/runtime",
}

// InPackage are the conversions of a package.
var InPackage = source.InPackage{SetAside: SetAside, Requested: Requested, ResolveAll: Resolve}

// SetAside drops the generated conversions from the loaded packages. They are about to be replaced or removed, so their declarations do
// not count.
func SetAside(loaded *load.Result) {
	for _, pkg := range loaded.Packages {
		if pkg.InMainModule() {
			pkg.Files = slices.DeleteFunc(slices.Clone(pkg.Files), func(f *load.File) bool { return gofile.Ours(f, File) })
		}
	}
}

// Requested reports whether a package has the marker for conversions. With the value false it still registers handwritten functions.
func Requested(s *source.Package, _ source.Objects) bool {
	return s.InMainModule() && s.Markers.Has(marker.ConversionGen)
}

// request is a package that gets conversions.
type request struct {
	*source.Package
	// types is the package with the types.
	types *gotype.Package
	// peers are the packages with the other types, in the order in which they are searched.
	peers []*gotype.Package
}

// resolver plans the conversions of all packages of a run.
type resolver struct {
	source.Run
	// scanned are the handwritten conversions of packages.
	scanned  map[*gotype.Package][]*function
	requests []*request
	// unique are the only functions of the run for their pairs. memory knows what none of all functions converts.
	unique map[shape.Pair]*function
	memory *shape.Memory
}

// Resolve plans the conversions that packages request.
func Resolve(in source.Run) {
	r := &resolver{Run: in, scanned: map[*gotype.Package][]*function{}}
	others := r.settings()
	for _, s := range in.Packages {
		r.requests = append(r.requests, r.read(s, others))
	}
	r.scanAll()
	for _, q := range r.requests {
		p := newPlanner(r, q)
		p.plan()
		in.Made(q.Package).Conversions = &p.made
	}
}

// settings returns the packages that count for all.
func (r *resolver) settings() (others []*gotype.Package) {
	base := r.Peers.Base
	if base == nil {
		base = basePeers
	}
	for _, importPath := range slices.Concat(base, r.Peers.Extra) {
		if pkg := r.World.Package(importPath); pkg != nil {
			others = append(others, pkg)
		} else if slices.Contains(r.Peers.Extra, importPath) {
			r.Diags.AddHint(token.Position{}, "remove it from extra-peer-dirs, or add a requirement to go.mod",
				"package %s, whose conversions count for all packages, cannot be found", importPath)
		}
	}
	return others
}

// read reads the markers of a package.
func (r *resolver) read(s *source.Package, others []*gotype.Package) *request {
	q := &request{Package: s, types: s.Package}
	markers := s.Markers.All(marker.ConversionGen)
	disabled := slices.ContainsFunc(markers, marker.Marker.Disables)
	for _, m := range markers {
		switch {
		case m.Disables():
		case disabled:
			r.Diags.AddHint(m.Pos, "remove one of them", "+%s=%s contradicts +%s=false", m.Name, m.Value, m.Name)
		default:
			if pkg := r.named(m); pkg != nil {
				q.peers = append(q.peers, pkg)
			}
		}
	}
	if !disabled {
		q.peers = append(q.peers, others...)
	}
	if m, ok := s.Markers.Get(marker.ConversionTypes); ok {
		if pkg := r.named(m); pkg != nil {
			q.types = pkg
		}
	}
	for _, pkg := range append(slices.Clone(q.peers), q.types, s.Package) {
		r.World.Requested[pkg.Path] = true
	}
	switch spec := s.Values[builder]; {
	case spec != nil && isComposite(spec.Type):
		r.Diags.AddHint(s.Position(builder), "use runtime.SchemeBuilder", "%s has another type than generated conversions need", builder)
	case !r.Declares(s, builder):
		r.Diags.AddHint(s.Start(), "declare it: var "+builder+" = &SchemeBuilder, with the runtime.SchemeBuilder of the package",
			"package %s has no variable %s, which generated conversions register with", s.Path, builder)
	}
	return q
}

// builder is the variable that generated conversions add their registration to.
const builder = model.NameLocalSchemeBuilder

// isComposite reports whether an expression, if there is one, is a type without methods.
func isComposite(expr ast.Expr) bool {
	switch expr.(type) {
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return true
	}
	return false
}

// named returns the package that a marker names.
func (r *resolver) named(m marker.Marker) *gotype.Package {
	if strings.HasPrefix(m.Value, "./") || strings.HasPrefix(m.Value, "../") {
		r.Diags.AddHint(m.ValuePos(0), "write the import path", "+%s needs an import path, got %q", m.Name, m.Value)
		return nil
	}
	pkg := r.World.Package(m.Value)
	if pkg == nil {
		r.Diags.AddHint(m.ValuePos(0), "correct the import path, or add a requirement to go.mod", "package %s cannot be found", m.Value)
	}
	return pkg
}

// function is a handwritten conversion.
type function struct {
	*shape.Function
	pair shape.Pair
	// drop leaves out fields that the function would convert. copyOnly functions do what an assignment does.
	drop, copyOnly bool
}

// scope is the type of the last parameter of a conversion.
const scopePackage, scopeName = "k8s.io/apimachinery/pkg/conversion", "Scope"

// prefix begins the names of conversions.
const prefix = "Convert_"

// scan returns the handwritten conversions of a package.
func (r *resolver) scan(pkg *gotype.Package) []*function {
	found, known := r.scanned[pkg]
	if !known {
		for _, f := range r.World.Functions(pkg, prefix, r.Peers.Tag()) {
			if conversion := r.conversion(f); conversion != nil {
				found = append(found, conversion)
			}
		}
		r.scanned[pkg] = found
	}
	return found
}

// visible returns the functions of a package and its peers.
func (r *resolver) visible(q *request) map[shape.Pair]*function {
	functions := map[shape.Pair]*function{}
	for _, pkg := range sourcesOf(q) {
		for _, f := range r.scan(pkg) {
			other := functions[f.pair]
			if other != nil && other != f {
				r.Diags.AddHint(f.Pos, "remove one of them", "%s is a second conversion from %s to %s: %s has one at %s",
					f.Name, f.pair.In.Short(), f.pair.Out.Short(), other.Package.Path, position(other.Pos))
				continue
			}
			functions[f.pair] = f
		}
	}
	return functions
}

// sourcesOf returns the packages whose functions count for a package in any case.
func sourcesOf(q *request) []*gotype.Package {
	return slices.Concat(q.peers, []*gotype.Package{q.types, q.Package.Package})
}

// scanAll finds the functions of all packages of the run and of their peers. conversion-gen does not start if there are two for one pair
// anywhere. Here, neither counts, except for the packages that have one, and their peers.
func (r *resolver) scanAll() {
	r.unique = map[shape.Pair]*function{}
	seen, twice := map[*gotype.Package]bool{}, map[shape.Pair]bool{}
	var distinct []shape.Pair
	for _, q := range r.requests {
		for _, pkg := range sourcesOf(q) {
			if seen[pkg] {
				continue
			}
			seen[pkg] = true
			for _, f := range r.scan(pkg) {
				twice[f.pair], r.unique[f.pair] = r.unique[f.pair] != nil || twice[f.pair], f
				if !f.copyOnly {
					distinct = append(distinct, f.pair)
				}
			}
		}
	}
	maps.DeleteFunc(r.unique, func(pair shape.Pair, _ *function) bool { return twice[pair] })
	r.memory = shape.NewMemory(r.Peers.SkipUnsafe, distinct)
}

// position returns a position with the end of the file's name.
func position(pos token.Position) string {
	pos.Filename = filepath.Base(filepath.Dir(pos.Filename)) + "/" + filepath.Base(pos.Filename)
	return pos.String()
}

// conversion returns a function as a conversion, or nil for other functions.
func (r *resolver) conversion(f *shape.Function) *function {
	if len(f.Params) != 3 || len(f.Results) != 1 || f.Results[0].String() != "error" ||
		f.Params[2].Package != scopePackage || f.Params[2].Name != scopeName ||
		f.Params[0].Kind != shape.Pointer || f.Params[1].Kind != shape.Pointer {
		return nil
	}
	pair := shape.Pair{In: f.Params[0].Elem(), Out: f.Params[1].Elem()}
	if name := nameOf(pair); name != f.Name {
		if slices.ContainsFunc(r.requests, func(q *request) bool { return q.Path == f.Package.Path }) {
			r.Diags.Warn(f.Pos, "rename it to "+name, "%s is not used: the name does not follow from its types", f.Name)
		}
		return nil
	}
	qualified := f.Markers().All(marker.ConversionFn)
	is := func(value string) bool { return len(qualified) == 1 && qualified[0].Value == value }
	return &function{f, pair, is("drop"), is("copy-only")}
}

// nameOf returns the name of the function that converts a pair.
func nameOf(p shape.Pair) string { return prefix + p.In.Joined(1) + "_To_" + p.Out.Joined(1) }
