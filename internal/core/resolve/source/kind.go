package source

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// Object is the Go type of a declaration.
type Object struct {
	GoType types.Type
	// Struct is its syntax, which another declaration may have; nil for other types. Fields are the names of the fields.
	Struct *ast.StructType
	Fields map[string]bool
}

// Object returns the Go type of a declaration of any package. It opens each declaration once.
func (r *Reader) Object(decl *gotype.Decl) *Object {
	o := r.objects[decl]
	if o == nil {
		o = &Object{GoType: r.universe.Type(decl), Struct: r.universe.Struct(decl)}
		if o.Struct != nil {
			o.Fields = gotype.FieldNames(o.Struct)
		}
		r.objects[decl] = o
	}
	return o
}

// Kind is the declaration of a kind, read in one pass: what its Go types and its markers say. Whoever decides something about the kind uses
// this, and opens neither again.
type Kind struct {
	*Type
	*Object

	// HasObjectMeta and HasTypeMeta report whether a struct has these fields, its own or promoted. HidesName is likewise true if a field hides
	// the name or the namespace of ObjectMeta. They are false for types that are not plain structs.
	HasObjectMeta, HasTypeMeta, HidesName bool
	// List is the list type, or nil.
	List *List
	// Status is the field of this name, if the kind has a controller.
	Status Status
	// By are the known markers.
	By KindMarkers
}

// List is the declaration of a list type.
type List struct {
	*Type
	*Object

	HasListMeta, HasItems bool
	// ItemsKnown is true if the field is found. Then Item is the declaration of its elements or, with PointerItems, of what they point to; nil
	// without one.
	ItemsKnown, PointerItems bool
	Item                     *gotype.Decl
}

// Status reports which conventional fields a status has.
type Status struct{ Declared, Conditions, ObservedGeneration bool }

// KindMarkers are the markers of a kind by their meaning; nil without a marker.
type KindMarkers struct {
	GenClient, NonNamespaced, NoStatus, NoVerbs, ReadOnly, OnlyVerbs, SkipVerbs *marker.Marker
	Kind, ResourceName, Controller, Lister                                      *marker.Marker
	Methods, References, Indexes, Permissions                                   marker.Set
	// Library are the markers that need the run-time library, in the order of their declarations.
	Library marker.Set
}

// metas are the fields of objects and lists that metav1 declares.
var metas = []string{"TypeMeta", "ObjectMeta", "ListMeta"}

// Kind reads the declaration of a kind, after CheckMarkers.
func (s *Package) Kind(name string) *Kind {
	u, decl := s.universe, s.Decls[name]
	k := &Kind{Type: decl, Object: s.reader.Object(decl.Decl), By: ReadMarkers(decl.Markers)}
	if k.Struct != nil && !decl.Spec.Assign.IsValid() && decl.Spec.TypeParams == nil {
		promotes := func(field string) bool { return u.Promotes(k.GoType, field, metas...) }
		k.HasObjectMeta, k.HasTypeMeta = promotes("ObjectMeta"), promotes("TypeMeta")
		k.HidesName = promotes("Name") || promotes("Namespace")
	}
	if list := s.Decls[name+"List"]; list != nil {
		k.List = s.list(list)
	}
	if k.By.Controller != nil {
		k.Status = readStatus(u, k.GoType)
	}
	return k
}

// list reads the declaration of a list type.
func (s *Package) list(decl *Type) *List {
	l := &List{Type: decl, Object: s.reader.Object(decl.Decl)}
	l.HasListMeta = s.universe.Promotes(l.GoType, "ListMeta", metas...)
	field, unknown := s.universe.Promoted(l.GoType, "Items", metas...)
	l.HasItems, l.ItemsKnown = field != nil || unknown, field != nil
	if field == nil {
		return l
	}
	slice, ok := s.universe.Underlying(field.Type()).(*types.Slice)
	if !ok {
		return l
	}
	item := types.Unalias(slice.Elem())
	if pointer, ok := item.(*types.Pointer); ok {
		l.PointerItems, item = true, types.Unalias(pointer.Elem())
	}
	l.Item = s.universe.Decl(item)
	return l
}

// readStatus reads the status of a type.
func readStatus(u *gotype.Universe, t types.Type) (s Status) {
	status := u.FieldOf(t, "Status")
	if status == nil {
		return s
	}
	s.Declared = true
	if conditions := u.FieldOf(status.Type(), "Conditions"); conditions != nil {
		slice, ok := types.Unalias(conditions.Type()).(*types.Slice)
		s.Conditions = ok && IsMetaV1(slice.Elem(), "Condition")
	}
	if generation := u.FieldOf(status.Type(), "ObservedGeneration"); generation != nil {
		s.ObservedGeneration = types.Unalias(generation.Type()) == types.Typ[types.Int64]
	}
	return s
}

// ReadMarkers reads the known markers of a kind.
func ReadMarkers(set marker.Set) (by KindMarkers) {
	one := map[string]**marker.Marker{
		marker.GenClient: &by.GenClient, marker.NonNamespaced: &by.NonNamespaced, marker.NoStatus: &by.NoStatus, marker.NoVerbs: &by.NoVerbs,
		marker.ReadOnly: &by.ReadOnly, marker.OnlyVerbs: &by.OnlyVerbs, marker.SkipVerbs: &by.SkipVerbs, marker.Kind: &by.Kind,
		marker.ResourceName: &by.ResourceName, marker.Controller: &by.Controller, marker.Lister: &by.Lister,
	}
	several := map[string]*marker.Set{
		marker.Method: &by.Methods, marker.Ref: &by.References, marker.Index: &by.Indexes, marker.RBAC: &by.Permissions,
	}
	for _, m := range set {
		if place := one[m.Name]; place != nil && *place == nil {
			*place = &m
		}
		if place := several[m.Name]; place != nil {
			*place = append(*place, m)
		}
		if declared, ok := marker.Lookup(m.Name); ok && declared.Library {
			by.Library = append(by.Library, m)
		}
	}
	rank := func(m marker.Marker) int {
		return slices.IndexFunc(marker.Known, func(d marker.Declaration) bool { return d.Name == m.Name })
	}
	slices.SortStableFunc(by.Library, func(a, b marker.Marker) int { return rank(a) - rank(b) })
	return by
}

// Client returns the values of the genclient markers: the allowed verbs, and the custom methods. Invalid values are reported.
func (by KindMarkers) Client(diags *diag.List) (verbs model.Verbs, methods []marker.ClientMethod) {
	if by.OnlyVerbs != nil && by.SkipVerbs != nil {
		diags.AddHint(by.SkipVerbs.Pos, "keep one of them", "+%s and +%s are mutually exclusive", marker.SkipVerbs, marker.OnlyVerbs)
	}
	verbs = model.AllVerbs
	switch {
	case by.ReadOnly != nil || by.OnlyVerbs != nil:
		var allowed model.Verbs
		if by.OnlyVerbs != nil {
			allowed, _ = marker.As[model.Verbs](*by.OnlyVerbs, diags)
		}
		if by.ReadOnly != nil {
			allowed = append(slices.Clip(allowed), model.ReadOnlyVerbs...)
		}
		verbs = verbs.Without(verbs.Without(allowed...)...)
	case by.SkipVerbs != nil:
		skipped, _ := marker.As[model.Verbs](*by.SkipVerbs, diags)
		verbs = verbs.Without(skipped...)
	}
	for _, m := range by.Methods {
		if method, ok := marker.As[marker.ClientMethod](m, diags); ok {
			methods = append(methods, method)
		}
	}
	return verbs, methods
}

// Kubebuilder has the controller-gen markers of a type that affect clients (https://book.kubebuilder.io/reference/markers/crd).
type Kubebuilder struct {
	// Path is the plural, Scope is Cluster or Namespaced. Either is nil if no marker sets it.
	Path, Scope *marker.Written
	// Status and Scale are the markers of the subresources.
	Status, Scale *marker.Marker
	// SelectableFields are the fields that field selectors can use, such as "spec.nodeName".
	SelectableFields []marker.Written

	// unread are the problems with invalid markers.
	unread diag.List
}

// Values of controller-gen's markers.
const (
	ScopeCluster    = "Cluster"
	ScopeNamespaced = "Namespaced"
)

func readKubebuilder(scanned marker.Set) Kubebuilder {
	var k Kubebuilder
	for _, m := range scanned {
		switch m.Name {
		case marker.Resource:
			names, _ := marker.As[marker.Names](m, &k.unread)
			if names.Path.Pos.IsValid() {
				k.Path = &names.Path
			}
			if names.Scope.Pos.IsValid() {
				k.Scope = &names.Scope
			}
		case marker.StatusSubresource:
			k.Status = &m
		case marker.ScaleSubresource:
			k.Scale = &m
		case marker.SelectableField:
			if field, _ := marker.As[marker.Written](m, &k.unread); field.Text != "" {
				k.SelectableFields = append(k.SelectableFields, field)
			}
		}
	}
	return k
}
