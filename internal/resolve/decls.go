package resolve

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
)

// source is one loaded package as resolve sees it: its declarations, and the markers on them.
type source struct {
	*gotype.Package
	fset *token.FileSet
	// tags are the package markers, loose those that stand where nobody reads them.
	tags, loose marker.Set
	// types are the type declarations by name.
	types map[string]*typeDecl
}

// typeDecl is one type declaration with the markers that belong to it.
type typeDecl struct {
	*gotype.Decl
	// tags are the markers that are known, scanned all of them.
	tags, scanned marker.Set
	pos           token.Position
}

// newSource reads the markers of a package. They are only looked at, not yet checked.
func newSource(fset *token.FileSet, pkg *gotype.Package) *source {
	s := &source{Package: pkg, fset: fset, types: map[string]*typeDecl{}}
	ofTypes := map[*ast.CommentGroup]bool{}
	for _, name := range pkg.TypeNames {
		decl := pkg.Types[name]
		ofTypes[decl.Doc], ofTypes[decl.Above] = true, true
		scanned := marker.Scan(fset, decl.Above, decl.Doc)
		s.types[name] = &typeDecl{Decl: decl, tags: scanned, scanned: scanned, pos: fset.Position(decl.Spec.Name.Pos())}
	}
	for _, file := range pkg.Files {
		ofPackage := packageComments(file)
		s.tags = append(s.tags, s.forPackage(marker.Scan(fset, ofPackage...))...)
		for _, group := range file.Comments {
			if !ofTypes[group] {
				s.loose = append(s.loose, s.misplaced(group, slices.Contains(ofPackage, group))...)
			}
		}
	}
	return s
}

// forPackage leaves out the markers that could be the package's, but belong to a type of doc.go.
func (s *source) forPackage(scanned marker.Set) marker.Set {
	return slices.DeleteFunc(scanned, func(m marker.Marker) bool {
		definition, _ := marker.Lookup(m.Name)
		return definition.Place == marker.OnEither && slices.ContainsFunc(s.TypeNames, func(name string) bool {
			return slices.Contains(s.types[name].scanned, m)
		})
	})
}

// misplaced returns the markers of a comment group that have no meaning where they stand: those for types, as the
// group belongs to none, and those for packages unless the group does.
func (s *source) misplaced(group *ast.CommentGroup, ofPackage bool) marker.Set {
	return slices.DeleteFunc(marker.Scan(s.fset, group), func(m marker.Marker) bool {
		definition, known := marker.Lookup(m.Name)
		return known && definition.Place.Allows(marker.OnPackage) && ofPackage
	})
}

// packageComments returns the comment groups of a file that package markers are looked for in: all of doc.go, as
// code-generator does, and in any other file those above the package clause.
func packageComments(file *load.File) []*ast.CommentGroup {
	if filepath.Base(file.Name) == "doc.go" {
		return file.Comments
	}
	var groups []*ast.CommentGroup
	for _, group := range file.Comments {
		if group.Pos() < file.Package {
			groups = append(groups, group)
		}
	}
	return groups
}

// wanted returns the names of the types that a client is to be generated for, in the order of the source.
func (s *source) wanted() []string {
	var names []string
	for _, name := range s.TypeNames {
		if s.types[name].tags.Has(marker.GenClient) {
			names = append(names, name)
		}
	}
	return names
}

// declaresObjects tells whether the package looks like one of an API: whether any of its types has an ObjectMeta.
// In others, a line that looks like one of our markers is prose.
func (s *source) declaresObjects() bool {
	return slices.ContainsFunc(s.TypeNames, func(name string) bool {
		structType, ok := s.types[name].Spec.Type.(*ast.StructType)
		return ok && fieldNames(structType)["ObjectMeta"]
	})
}

// checkSpelling reports markers that are misspelt, stand where they have no meaning, or have no effect.
func (s *source) checkSpelling(diags *diag.List) {
	marker.CheckSpelling(s.tags, diags)
	marker.CheckSpelling(s.loose, diags)
	for _, m := range s.loose {
		if definition, known := marker.Lookup(m.Name); known && definition.Place.Allows(marker.OnType) {
			diags.AddHint(m.Pos, "put it into the comment just above the type", "marker +%s belongs to no type", m.Name)
		} else if known {
			diags.AddHint(m.Pos, "put it above the package clause, or into doc.go", "marker +%s has no meaning here", m.Name)
		}
	}
	for _, name := range s.TypeNames {
		tags := s.types[name].tags
		marker.CheckSpelling(tags, diags)
		for _, m := range tags {
			switch definition, known := marker.Lookup(m.Name); {
			case known && definition.Place == marker.OnPackage && filepath.Base(m.Pos.Filename) != "doc.go":
				diags.AddHint(m.Pos, "put it above the package clause, or into doc.go", "marker +%s has no meaning on a type", m.Name)
			case known && definition.Place == marker.OnType && !aboutDeepCopies(m) && !tags.Has(marker.GenClient):
				diags.AddHint(m.Pos, "add // +genclient, or remove it", "marker +%s has no effect on type %s, which has no +genclient", m.Name, name)
			}
		}
	}
}

// checkTags replaces the markers that were found by those that are known to belong where they stand.
func (s *source) checkTags(diags *diag.List) {
	s.tags = marker.Check(s.tags, marker.OnPackage, diags)
	for _, name := range s.TypeNames {
		s.types[name].tags = marker.Check(s.types[name].tags, marker.OnType, diags)
	}
}

// start returns the position of the package clause of the package's first file.
func (s *source) start() token.Position {
	if len(s.Files) == 0 {
		return token.Position{Filename: s.Dir}
	}
	return s.fset.Position(s.Files[0].Package)
}
