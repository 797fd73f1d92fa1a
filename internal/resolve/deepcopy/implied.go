package deepcopy

import (
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// implies reports whether a package gets deep copies without asking for them: it has kinds with clients, no marker asks
// for deep copies or rules them out, and no method is there. A marker that leaves out single types makes no difference.
func (f *finder) implies(s *source.Package) bool {
	return hasClients(s) && !s.Internal(f.universe) && silent(s) && !hasMethods(s)
}

// hasClients reports whether anything is generated for the types of the package that have +genclient.
func hasClients(s *source.Package) bool {
	generators := []string{marker.ClientGen, marker.ListerGen, marker.InformerGen, marker.ApplyConfigurationGen}
	return len(s.Wanted()) > 0 && slices.ContainsFunc(generators, s.Activated)
}

// silent reports whether no marker of the package is about deep copies, apart from those that leave out single types.
func silent(s *source.Package) bool {
	if slices.ContainsFunc(s.Tags, marker.AboutDeepCopies) || slices.ContainsFunc(s.Loose, marker.AboutDeepCopies) {
		return false
	}
	return !slices.ContainsFunc(s.TypeNames, func(name string) bool {
		return slices.ContainsFunc(s.Decls[name].Tags, func(m marker.Marker) bool {
			return marker.AboutDeepCopies(m) && m.Value != "false"
		})
	})
}

// hasMethods reports whether a type of the package has a method for deep copies, apart from those that an earlier run has
// generated.
func hasMethods(s *source.Package) bool {
	var except []string
	if hasOurFile(s) {
		except = append(except, generatedFile)
	}
	return slices.ContainsFunc(s.TypeNames, func(name string) bool {
		return slices.ContainsFunc(s.Decls[name].Methods(except...), func(m gotype.Method) bool {
			return strings.HasPrefix(m.Name, "DeepCopy")
		})
	})
}

// implied returns the objects of a package, and the types of the package that they hold.
func (f *finder) implied(s *source.Package) []*wish {
	objects := s.Objects()
	h := holder{f.universe, s.Package, map[*gotype.Decl]bool{}}
	for _, name := range objects {
		h.visit(f.universe.Type(s.Decls[name].Decl))
	}
	var wishes []*wish
	for _, name := range slices.Sorted(slices.Values(s.TypeNames)) {
		decl := s.Decls[name]
		unwanted := readTags(onlyDeepCopy(decl.Tags), &diag.List{}).unwanted != nil // mistakes are reported by marked
		if !h.held[decl.Decl] || unwanted || decl.Spec.TypeParams != nil {
			continue
		}
		w := &wish{decl: decl}
		if slices.Contains(objects, name) && !f.reportedElsewhere(decl) {
			w.interfaces = []interfaceWish{object(marker.Marker{Name: marker.GenClient, Pos: decl.Pos})}
		}
		if f.copyable(w, tags{}) {
			f.methods.wishes[decl.Decl] = w
			wishes = append(wishes, w)
		}
	}
	return wishes
}

// reportedElsewhere reports whether a type is a kind without TypeMeta, which the client needs too.
func (f *finder) reportedElsewhere(decl *source.Type) bool {
	structType := f.universe.Struct(decl.Decl)
	return decl.Tags.Has(marker.GenClient) && !embedsMore(structType) && !gotype.FieldNames(structType)["TypeMeta"]
}

// holder finds the types of a package that others hold.
type holder struct {
	universe *gotype.Universe
	pkg      *gotype.Package
	held     map[*gotype.Decl]bool
}

// visit adds a type and those that it holds. Types of other packages hold none of this one, unless as type arguments.
func (h holder) visit(t types.Type) {
	t = types.Unalias(t)
	if named, ok := t.(*types.Named); ok {
		for arg := range named.TypeArgs().Types() {
			h.visit(arg)
		}
		decl := h.universe.Decl(named)
		if decl == nil || decl.Package != h.pkg || h.held[decl] {
			return
		}
		h.held[decl] = true
	}
	switch u := h.universe.Underlying(t).(type) {
	case *types.Struct:
		for field := range u.Fields() {
			h.visit(field.Type())
		}
	case *types.Map:
		h.visit(u.Key())
		h.visit(u.Elem())
	case interface{ Elem() types.Type }:
		h.visit(u.Elem())
	}
}
