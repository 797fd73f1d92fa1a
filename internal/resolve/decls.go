package resolve

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"sort"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
)

// source is one loaded package as resolve sees it: its declarations by name, and the markers on them.
type source struct {
	*load.Package
	fset *token.FileSet
	// tags are the package markers, loose those that stand where nobody reads them.
	tags, loose marker.Set
	// attached are the comment groups that belong to types.
	attached map[*ast.CommentGroup]bool
	// types are the type declarations, typeNames their names in the order of the files.
	types     map[string]*typeDecl
	typeNames []string
	// values are the package's variables and constants, funcs its functions.
	values map[string]*ast.ValueSpec
	funcs  map[string]*ast.FuncDecl
}

// typeDecl is one type declaration with the markers that belong to it.
type typeDecl struct {
	spec *ast.TypeSpec
	// imports are those of the file that it stands in.
	imports []*ast.ImportSpec
	// tags are the markers that are known, scanned all of them.
	tags, scanned marker.Set
	pos           token.Position
}

// newSource reads the declarations of a package. Markers are only looked at, not yet checked.
func newSource(fset *token.FileSet, pkg *load.Package) *source {
	s := &source{
		Package: pkg, fset: fset,
		attached: map[*ast.CommentGroup]bool{},
		types:    map[string]*typeDecl{},
		values:   map[string]*ast.ValueSpec{},
		funcs:    map[string]*ast.FuncDecl{},
	}
	for _, file := range pkg.Files {
		s.readDecls(file)
		ofPackage := packageComments(file)
		s.tags = append(s.tags, marker.Scan(fset, ofPackage...)...)
		for _, group := range file.Comments {
			if !s.attached[group] {
				s.loose = append(s.loose, s.misplaced(group, slices.Contains(ofPackage, group))...)
			}
		}
	}
	return s
}

// misplaced returns the markers of a comment group that have no meaning where they stand: those for types, as the
// group belongs to none, and those for packages unless the group does.
func (s *source) misplaced(group *ast.CommentGroup, ofPackage bool) marker.Set {
	return slices.DeleteFunc(marker.Scan(s.fset, group), func(m marker.Marker) bool {
		definition, known := marker.Lookup(m.Name)
		return known && definition.Place == marker.OnPackage && ofPackage
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

func (s *source) readDecls(file *load.File) {
	previous := file.File.Name.End()
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				s.funcs[d.Name.Name] = d
			}
		case *ast.GenDecl:
			s.readGenDecl(file, d, previous)
		}
		previous = decl.End()
	}
}

func (s *source) readGenDecl(file *load.File, decl *ast.GenDecl, previous token.Pos) {
	shared := decl.Lparen.IsValid() && len(decl.Specs) > 1
	if shared {
		previous = decl.Lparen
	}
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				s.values[name.Name] = spec
			}
		case *ast.TypeSpec:
			doc, start := spec.Doc, spec.Pos()
			if !shared {
				start = decl.Pos()
				if doc == nil {
					doc = decl.Doc
				}
			}
			if doc != nil {
				start = doc.Pos()
			}
			detached := s.detached(file, previous, start)
			s.attached[doc], s.attached[detached] = true, true
			s.typeNames = append(s.typeNames, spec.Name.Name)
			scanned := marker.Scan(s.fset, detached, doc)
			s.types[spec.Name.Name] = &typeDecl{
				spec: spec, imports: file.Imports,
				tags: scanned, scanned: scanned,
				pos: s.fset.Position(spec.Name.Pos()),
			}
		}
		previous = spec.End()
	}
}

// detached returns the comment group that stands by itself just above start, with no code in between. A comment at
// the end of the line on which the previous declaration ends belongs to that declaration.
func (s *source) detached(file *load.File, previous, start token.Pos) *ast.CommentGroup {
	after := sort.Search(len(file.Comments), func(i int) bool { return file.Comments[i].End() > start })
	if after == 0 {
		return nil
	}
	closest := file.Comments[after-1]
	if closest.Pos() <= previous || s.line(closest.Pos()) == s.line(previous) {
		return nil
	}
	return closest
}

func (s *source) line(pos token.Pos) int { return s.fset.Position(pos).Line }

// wanted returns the names of the types that a client is to be generated for, in the order of the source.
func (s *source) wanted() []string {
	var names []string
	for _, name := range s.typeNames {
		if s.types[name].tags.Has(marker.GenClient) {
			names = append(names, name)
		}
	}
	return names
}

// declaresObjects tells whether the package looks like one of an API: whether any of its types has an ObjectMeta.
// In others, a line that looks like one of our markers is prose.
func (s *source) declaresObjects() bool {
	return slices.ContainsFunc(s.typeNames, func(name string) bool {
		structType, ok := s.types[name].spec.Type.(*ast.StructType)
		return ok && fieldNames(structType)["ObjectMeta"]
	})
}

// checkSpelling reports markers that are misspelt, stand where they have no meaning, or have no effect.
func (s *source) checkSpelling(diags *diag.List) {
	marker.CheckSpelling(s.tags, diags)
	marker.CheckSpelling(s.loose, diags)
	for _, m := range s.loose {
		if definition, known := marker.Lookup(m.Name); known && definition.Place == marker.OnType {
			diags.AddHint(m.Pos, "put it into the comment just above the type", "marker +%s belongs to no type", m.Name)
		} else if known {
			diags.AddHint(m.Pos, "put it above the package clause, or into doc.go", "marker +%s has no meaning here", m.Name)
		}
	}
	for _, name := range s.typeNames {
		tags := s.types[name].tags
		marker.CheckSpelling(tags, diags)
		for _, m := range tags {
			switch definition, known := marker.Lookup(m.Name); {
			case known && definition.Place == marker.OnPackage && filepath.Base(m.Pos.Filename) != "doc.go":
				diags.AddHint(m.Pos, "put it above the package clause, or into doc.go", "marker +%s has no meaning on a type", m.Name)
			case known && definition.Place == marker.OnType && !tags.Has(marker.GenClient):
				diags.AddHint(m.Pos, "add // +genclient, or remove it", "marker +%s has no effect on type %s, which has no +genclient", m.Name, name)
			}
		}
	}
}

// checkTags replaces the markers that were found by those that are known to belong where they stand.
func (s *source) checkTags(diags *diag.List) {
	s.tags = marker.Check(s.tags, marker.OnPackage, diags)
	for _, name := range s.typeNames {
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
