// Package deepcopy plans deep copies: the types that get methods, and how each field is copied.
//
// Existing methods are found by syntax, so the result depends on the sources of a package only, not on generated files or on the
// other packages of the run.
package deepcopy

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

const (
	// generatedFile is the file that deep copies are generated into. Its present content does not count: it is
	// replaced by this run.
	generatedFile = "zz_generated.deepcopy.go"
	// upstreamFile is the default file name of deepcopy-gen.
	upstreamFile = "generated.deepcopy.go"
)

// Copies is what deep copies there are after this run.
type Copies struct {
	// Packages are the deep copies to generate; packages without any are not in it.
	Packages map[*source.Package]*model.DeepCopies
	// Awaited are the methods that the deep copies call, and that packages outside of the run have yet to get.
	Awaited []Awaited

	methods *methodTable
}

// Awaited is a method that generated code calls, of a type that does not have it and gets it from no package of the run.
type Awaited struct {
	// Package, Type and Method name the method.
	Package, Type, Method string
	// Pos is the position of what needs the method, Hint the remedy.
	Pos  token.Position
	Hint string
}

// Existing returns the deep copies that are there. None are generated.
func Existing(universe *gotype.Universe) *Copies {
	return &Copies{methods: newMethodTable(universe, &diag.List{})}
}

// Resolve plans the deep copies that the packages of the main module ask for. Which methods a type has follows from the
// sources alone: types that get methods when their package is generated count as having them, whether or not that package
// is part of this run. So the deep copies of a package are the same whatever else is.
func Resolve(universe *gotype.Universe, sources []*source.Package, diags *diag.List) *Copies {
	found := newFinder(universe, diags)
	wanted := map[*source.Package][]*wish{}
	own := map[string]bool{}
	for _, s := range sources {
		own[s.Path] = true
		found.methods.read[s.Package] = true
		if s.InMainModule() {
			wanted[s] = found.add(s)
		}
	}
	found.checkAliases()
	values := newValueTable(universe, found.methods)
	copies := &Copies{Packages: map[*source.Package]*model.DeepCopies{}, methods: found.methods}
	for _, s := range sources {
		if len(wanted[s]) > 0 {
			c := newCopier(s, values, own, diags)
			copies.Packages[s] = c.plan(wanted[s])
			copies.Awaited = append(copies.Awaited, c.awaited...)
		}
	}
	return copies
}

// IsObject reports whether a type has the method DeepCopyObject after this run. It is true for types that embed a type
// which cannot be resolved: the compiler reports those.
func (c *Copies) IsObject(decl *gotype.Decl) bool {
	return c.methods.promotes(decl, "DeepCopyObject", 0)
}

// Asked reports whether a marker of the package is about deep copies.
func Asked(s *source.Package) bool {
	if slices.ContainsFunc(s.Tags, marker.AboutDeepCopies) || slices.ContainsFunc(s.Loose, marker.AboutDeepCopies) {
		return true
	}
	return slices.ContainsFunc(s.TypeNames, func(name string) bool {
		return slices.ContainsFunc(s.Decls[name].Tags, marker.AboutDeepCopies)
	})
}

// hasOurFile reports whether a previous run has left a file in the package. It is removed if no marker asks for it.
func hasOurFile(s *source.Package) bool {
	for _, file := range slices.Concat(s.Files, s.Unparsed) {
		if filepath.Base(file.Name) == generatedFile {
			content, err := file.Read()
			return err == nil && slices.Contains(origin.Of(content), origin.Us)
		}
	}
	return false
}

// wish is a type to generate methods for.
type wish struct {
	decl       *source.Type
	interfaces []interfaceWish
	nonPointer bool
	// reference is true for maps and slices, which have their methods by value.
	reference bool
}

// finder finds the types for which methods are generated.
type finder struct {
	universe *gotype.Universe
	methods  *methodTable
	diags    *diag.List
	// aliases are the aliases whose markers demand deep copies.
	aliases []demandedAlias
}

// demandedAlias is an alias, and the marker on it.
type demandedAlias struct {
	decl   *source.Type
	demand marker.Marker
}

func newFinder(universe *gotype.Universe, diags *diag.List) *finder {
	f := &finder{universe: universe, methods: newMethodTable(universe, diags), diags: diags}
	f.methods.readPackage = func(pkg *gotype.Package) {
		// Markers in packages outside of the run are none of its business, and so are their mistakes.
		outside := &finder{universe: universe, methods: f.methods, diags: &diag.List{}}
		outside.add(source.Read(universe.Fset, pkg))
	}
	return f
}

// add returns the types of a package that get methods, and records them.
func (f *finder) add(s *source.Package) []*wish {
	f.methods.remade[s.Package] = true // as long as it is not known whether the file stays
	var wishes []*wish
	if Asked(s) {
		wishes = f.marked(s)
	}
	if len(wishes) == 0 && f.implies(s) {
		wishes = f.implied(s)
	}
	f.methods.remade[s.Package] = len(wishes) > 0 || hasOurFile(s)
	delete(f.methods.known, s.Package)
	return wishes
}

// marked returns the types of a package that get methods by its markers, and reports markers that cannot be honoured.
func (f *finder) marked(s *source.Package) []*wish {
	var wishes []*wish
	all := readPackageWish(s, f.diags)
	for _, name := range slices.Sorted(slices.Values(s.TypeNames)) {
		decl := s.Decls[name]
		tags := readTags(marker.Check(onlyDeepCopy(decl.Tags), marker.OnType, f.diags), f.diags)
		if !wants(decl, tags, all, f.diags) {
			continue
		}
		w := &wish{decl: decl, nonPointer: tags.nonPointer, interfaces: interfaces(f.universe, tags, f.diags)}
		if f.copyable(w, tags) {
			f.methods.wishes[decl.Decl] = w
			wishes = append(wishes, w)
		}
	}
	return wishes
}

// copyable reports whether methods can be declared for the type. A marker that demands them where they cannot has no
// effect.
func (f *finder) copyable(w *wish, t tags) bool {
	decl := w.decl
	if decl.Spec.Assign.IsValid() {
		if t.demand != nil {
			f.aliases = append(f.aliases, demandedAlias{decl, *t.demand})
		}
		return false
	}
	what := "is not exported"
	if token.IsExported(decl.Name()) {
		what = f.uncopyable(w)
	}
	if what != "" && what != unknownType && t.demand != nil {
		f.diags.Warn(t.demand.Pos, "remove it", "+%s has no effect: type %s %s", t.demand.Name, decl.Name(), what)
	}
	return what == ""
}

// unknownType is reported separately.
const unknownType = "is not known"

// uncopyable returns the reason why a type cannot have methods for copies; "" if it can.
func (f *finder) uncopyable(w *wish) string {
	decl := w.decl
	if _, ok := decl.Spec.Type.(*ast.InterfaceType); ok {
		return "is an interface" // constraints included
	}
	switch underlying := f.universe.Underlying(f.universe.Type(decl.Decl)).(type) {
	case *types.Struct:
		return ""
	case *types.Map, *types.Slice:
		w.reference = true
		return ""
	case *types.Basic:
		if m := f.methods.byHand(decl.Decl); underlying.Kind() != types.Invalid && m.any() {
			return ""
		}
		return "can be copied by assignment"
	case *gotype.Missing:
		f.diags.Add(decl.Pos, "type %s cannot be copied: %s", decl.Name(), underlying.Reason)
		return unknownType
	case *types.Interface:
		return "is an interface"
	}
	return "is not a struct, map or slice"
}

// checkAliases reports aliases whose markers demand deep copies, of types that have none.
func (f *finder) checkAliases() {
	for _, alias := range f.aliases {
		target := f.universe.Decl(types.Unalias(f.universe.Type(alias.decl.Decl)))
		if target == nil || !f.methods.of(target).any() {
			f.diags.Warn(alias.demand.Pos, "put the marker on the type itself", "+%s has no effect: type %s is an alias for a type without deep copies",
				alias.demand.Name, alias.decl.Name())
		}
	}
}
