// Package source collects the declarations and markers of one Go package. Decisions that involve other packages are made elsewhere.
package source

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Package is one loaded package: its declarations and the markers on them.
type Package struct {
	*gotype.Package
	// Markers are the package's known markers, after CheckMarkers has run; Scanned are all of them. Loose are markers in places where they
	// have no effect.
	Markers, Scanned, Loose marker.Set
	// Decls are the type declarations by name.
	Decls map[string]*Type
	// WithRoots also generates clients for the root types of controller-gen.
	WithRoots bool

	// inCode are lines in code blocks of comments that look like markers.
	inCode   marker.Set
	reader   *Reader
	universe *gotype.Universe
}

// Type is one type declaration and the markers that belong to it.
type Type struct {
	*gotype.Decl
	// Markers are the known markers, after CheckMarkers has run; Scanned are all markers.
	Markers, Scanned marker.Set
	Pos              token.Position
	// Kubebuilder holds the markers for controller-gen.
	Kubebuilder Kubebuilder
}

// Reader reads packages and type declarations. It scans each comment and opens each declaration once.
type Reader struct {
	// Scan is marker.ScanAll, so that tests can count.
	Scan func(*token.FileSet, ...*ast.CommentGroup) (markers, inCode marker.Set)

	universe *gotype.Universe
	objects  map[*gotype.Decl]*Object
}

// NewReader returns a reader of the packages of a universe.
func NewReader(universe *gotype.Universe) *Reader {
	return &Reader{Scan: marker.ScanAll, universe: universe, objects: map[*gotype.Decl]*Object{}}
}

// ReadAll reads the markers of the root packages. Nothing is checked yet.
func (r *Reader) ReadAll() []*Package {
	sources := make([]*Package, len(r.universe.Roots))
	var group sync.WaitGroup
	for i, pkg := range r.universe.Roots {
		group.Go(func() { sources[i] = r.Read(pkg) })
	}
	group.Wait()
	return sources
}

// Read reads the markers of a package. Nothing is checked yet.
func (r *Reader) Read(pkg *gotype.Package) *Package {
	s := &Package{Package: pkg, reader: r, universe: r.universe, Decls: map[string]*Type{}}
	scanned := map[*ast.CommentGroup]marker.Set{}
	for _, file := range pkg.Files {
		for _, group := range file.Comments {
			markers, inCode := r.Scan(r.universe.Fset, group)
			if s.inCode = append(s.inCode, inCode...); len(markers) > 0 {
				scanned[group] = markers
			}
		}
	}
	ofTypes := map[*ast.CommentGroup]bool{}
	for _, decl := range pkg.Repeated {
		ofTypes[decl.Doc], ofTypes[decl.Above] = true, true
	}
	forTypes := map[*ast.CommentGroup]bool{}
	for _, name := range pkg.TypeNames {
		decl := pkg.Types[name]
		ofTypes[decl.Doc], ofTypes[decl.Above] = true, true
		forTypes[decl.Doc], forTypes[decl.Above] = true, true
		markers := slices.Concat(scanned[decl.Above], scanned[decl.Doc])
		pos := r.universe.Fset.Position(decl.Spec.Name.Pos())
		s.Decls[name] = &Type{Decl: decl, Markers: markers, Scanned: markers, Pos: pos, Kubebuilder: readKubebuilder(markers)}
	}
	for _, file := range pkg.Files {
		ofPackage := packageComments(file)
		for _, group := range file.Comments {
			in := slices.Contains(ofPackage, group)
			for _, m := range scanned[group] {
				declared, known := marker.Lookup(m.Name)
				if in && (!known || !declared.Level.Both() || !forTypes[group]) { // else it belongs to a type of doc.go
					s.Markers = append(s.Markers, m)
				}
				if !ofTypes[group] && (!in || !known || !declared.Level.Allows(marker.OnPackage)) {
					s.Loose = append(s.Loose, m)
				}
			}
		}
	}
	s.Scanned = s.Markers
	return s
}

// packageComments returns the comment groups of a file that may hold package markers: all of doc.go, as in
// code-generator, and the groups above the package clause of any other file.
func packageComments(file *load.File) []*ast.CommentGroup {
	if filepath.Base(file.Name) == "doc.go" {
		return file.Comments
	}
	return lists.Filter(file.Comments, func(group *ast.CommentGroup) bool { return group.Pos() < file.Package })
}

// ClientTypes returns the names of the types that get clients, in source order: those with +genclient, and the root types if requested.
func (s *Package) ClientTypes() []string {
	return s.typesWhere(func(name string) bool {
		return s.Decls[name].Markers.Has(marker.GenClient) || s.WithRoots && s.isRoot(name)
	})
}

// HasMarkers reports whether a type of the package has a marker with this name.
func (s *Package) HasMarkers(name string) bool {
	return slices.ContainsFunc(s.TypeNames, func(t string) bool { return s.Decls[t].Markers.Has(name) })
}

// Kubebuilder reports whether controller-gen's markers rule in the package: a type or the package has a marker that is neither about
// validation nor excludes the package.
func (s *Package) Kubebuilder() bool {
	rules := func(m marker.Marker) bool {
		return strings.HasPrefix(m.Name, "kubebuilder:") && !strings.HasPrefix(m.Name, "kubebuilder:validation:") && m.Name != "kubebuilder:skip"
	}
	return slices.ContainsFunc(s.Scanned, rules) || slices.ContainsFunc(s.TypeNames, func(name string) bool {
		return slices.ContainsFunc(s.Decls[name].Scanned, rules)
	})
}

// Roots returns the names of the root types for controller-gen, in source order.
func (s *Package) Roots() []string { return s.typesWhere(s.isRoot) }

// isRoot reports whether a type is a root type for controller-gen: it has +kubebuilder:object:root=true and a list type.
func (s *Package) isRoot(name string) bool {
	root, ok := s.Decls[name].Scanned.Get(marker.ObjectRoot)
	return ok && marker.Enabled(root) && s.Decls[name+"List"] != nil
}

func (s *Package) typesWhere(matches func(name string) bool) []string {
	return slices.DeleteFunc(slices.Clone(s.TypeNames), func(name string) bool { return !matches(name) })
}

// DeclaresObjects reports whether the package looks like an API package: a type has an ObjectMeta. In other packages, lines that
// resemble our markers are prose.
func (s *Package) DeclaresObjects() bool {
	return slices.ContainsFunc(s.TypeNames, func(name string) bool {
		structType, ok := s.Decls[name].Spec.Type.(*ast.StructType)
		return ok && gotype.FieldNames(structType)["ObjectMeta"]
	})
}

// CheckDeclarations reports types that are declared twice, and markers that are misspelled, misplaced, or have no effect. Markers
// without effect are warnings: they are often leftovers, or satisfy scripts that search for them.
func (s *Package) CheckDeclarations(diags *diag.List) {
	for _, again := range s.Repeated {
		diags.AddHint(s.universe.Fset.Position(again.Spec.Name.Pos()), "remove or rename one of them",
			"type %s is declared twice, also at %s", again.Name(), diag.Line(s.Position(again.Name())))
	}
	clientTypes := s.ClientTypes()
	marker.CheckSpelling(s.Markers, diags)
	var loose diag.List
	marker.CheckSpelling(s.Loose, &loose)
	*diags = append(*diags, loose.AsWarnings()...)
	for _, m := range s.Loose {
		declared, known := marker.Lookup(m.Name)
		switch {
		case !known || declared.Level == marker.OnAny:
		case declared.Level.Allows(marker.OnType):
			diags.Warn(m.Pos, "move it to the comment directly above a type, or remove it",
				"marker +%s has no effect: it is not above a type", m.Name)
		default:
			diags.Warn(m.Pos, "move it above the package clause or into doc.go, or remove it", "marker +%s has no effect here", m.Name)
		}
	}
	for _, m := range s.inCode {
		if _, known := marker.Lookup(m.Name); known {
			diags.Warn(m.Pos, "indent it by a space instead of a tab, or ignore this if it is an example",
				"marker +%s has no effect: it is in a code block of the comment", m.Name)
		}
	}
	for _, name := range s.TypeNames {
		markers := s.Decls[name].Markers
		marker.CheckSpelling(markers, diags)
		for _, m := range markers {
			switch declared, known := marker.Lookup(m.Name); {
			case known && declared.Level == marker.OnPackage && filepath.Base(m.Pos.Filename) != "doc.go":
				diags.Warn(m.Pos, "move it above the package clause or into doc.go, or remove it", "marker +%s has no effect on a type", m.Name)
			case known && declared.Level == marker.OnType && !marker.ForAnyType(m) && !slices.Contains(clientTypes, name):
				hint := "add // +genclient, or remove it"
				if s.Decls[strings.TrimSuffix(name, "List")] != nil && strings.HasSuffix(name, "List") {
					hint = "remove it: the client belongs to the type of the list items"
				}
				diags.Warn(m.Pos, hint, "marker +%s has no effect on type %s, which has no +genclient", m.Name, name)
			}
		}
	}
}

// CheckMarkers reduces Markers, of the package and of its types, to the known markers that are allowed in their place. It reports
// invalid values and contradictions.
func (s *Package) CheckMarkers(diags *diag.List) {
	s.Markers = marker.Check(s.Markers, marker.OnPackage, diags)
	for _, name := range s.TypeNames {
		s.Decls[name].Markers = marker.Check(s.Decls[name].Markers, marker.OnType, diags)
		*diags = append(*diags, s.Decls[name].Kubebuilder.unread...)
	}
}

// DropLeftovers removes group names outside of doc.go that contradict doc.go or the package's GroupVersion variable, with a warning.
// code-generator does not see them, and scaffolding programs leave them behind.
func (s *Package) DropLeftovers(diags *diag.List) {
	var valid, by string
	if i := slices.IndexFunc(s.Markers, func(m marker.Marker) bool { return m.Name == marker.GroupName && inDocFile(m) }); i >= 0 {
		valid, by = s.Markers[i].Value, "the marker in doc.go"
	} else if declared := s.GroupVersion(); declared.Group != "" {
		valid, by = declared.Group, "the package's variable "+declared.Variable
	}
	if valid == "" {
		return
	}
	s.Markers = slices.DeleteFunc(s.Markers, func(m marker.Marker) bool {
		leftover := m.Name == marker.GroupName && !inDocFile(m) && m.Value != valid
		if leftover {
			diags.Warn(m.Pos, "remove it", "marker +%s=%s is ignored: %s has %s", m.Name, m.Value, by, valid)
		}
		return leftover
	})
}

func inDocFile(m marker.Marker) bool { return filepath.Base(m.Pos.Filename) == "doc.go" }

// Activated reports whether the package has not opted out of a generator with +name=false.
func (s *Package) Activated(name string) bool {
	m, ok := s.Markers.Get(name)
	return !ok || marker.Enabled(m)
}

// Objects returns the sorted names of the types that are declared like API objects: types that embed TypeMeta, and types with
// clients together with their lists. Unexported types, generic types and aliases are not objects.
func (s *Package) Objects() []string {
	var names []string
	for _, name := range s.TypeNames {
		decl := s.Decls[name]
		eligible := token.IsExported(name) && decl.Spec.TypeParams == nil && !decl.Spec.Assign.IsValid()
		item := s.Decls[strings.TrimSuffix(name, "List")]
		client := decl.Markers.Has(marker.GenClient) || item != nil && item.Markers.Has(marker.GenClient)
		if eligible && (client || s.typeMeta(decl) != nil) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// typeMeta returns the field with which a struct embeds TypeMeta. It follows the names of other types in the package.
func (s *Package) typeMeta(decl *Type) *ast.Field {
	for range 100 { // longer chains are cycles
		switch expr := ast.Unparen(decl.Spec.Type).(type) {
		case *ast.StructType:
			return embedded(expr, "TypeMeta")
		case *ast.Ident:
			if decl = s.Decls[expr.Name]; decl == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// embedded returns the field with which a struct embeds a type with this name, or nil.
func embedded(structType *ast.StructType, name string) *ast.Field {
	i := slices.IndexFunc(structType.Fields.List, func(f *ast.Field) bool {
		return len(f.Names) == 0 && gotype.EmbeddedName(f.Type) == name
	})
	if i < 0 {
		return nil
	}
	return structType.Fields.List[i]
}

// hasJSON reports whether a field has a json tag.
func hasJSON(field *ast.Field) bool {
	return field.Tag != nil && strings.Contains(field.Tag.Value, "json")
}

// Internal reports whether all types with +genclient belong to an internal version, which is never serialized: the package uses
// runtime.APIVersionInternal, or their ObjectMeta has no json tag.
func (s *Package) Internal() bool {
	clientTypes := s.ClientTypes()
	return len(clientTypes) > 0 && (s.GroupVersion().Internal || !slices.ContainsFunc(clientTypes, func(name string) bool {
		structType := s.reader.Object(s.Decls[name].Decl).Struct
		if structType == nil {
			return true
		}
		meta := embedded(structType, "ObjectMeta")
		return meta == nil || hasJSON(meta)
	}))
}

// InternalObjects reports whether the package's objects belong to an internal version: the package uses
// runtime.APIVersionInternal, or none of their TypeMetas has a json tag.
func (s *Package) InternalObjects() bool {
	var typeMetas []*ast.Field
	for _, name := range s.Objects() {
		if field := s.typeMeta(s.Decls[name]); field != nil {
			typeMetas = append(typeMetas, field)
		}
	}
	return s.GroupVersion().Internal || len(typeMetas) > 0 && !slices.ContainsFunc(typeMetas, hasJSON)
}
