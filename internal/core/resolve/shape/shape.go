// Package shape sees types as gengo does, which code-generator is built on: defaults and conversions depend on it.
//
// A type is the same wherever it is written the same. Names for numbers, strings, maps and slices are types of their own, with what they
// stand for below them; names for structs and everything else are that struct. Aliases are what they stand for.
package shape

import (
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
)

// Kind is the form of a type.
type Kind int

const (
	// Other types are never looked into: channels, functions, type parameters, and types that cannot be resolved.
	Other Kind = iota
	// Builtin types are predeclared numbers, strings and booleans.
	Builtin
	// Name is a name for a number, a string, a boolean, a map or a slice.
	Name
	// Struct is a struct with or without a name, as are the kinds below.
	Struct
	// Pointer is a pointer.
	Pointer
	// Slice is a slice.
	Slice
	// Map is a map.
	Map
	// Array is an array.
	Array
	// Interface is an interface.
	Interface
)

// Type is a type.
type Type struct {
	Kind Kind
	// Package is the import path of a declared type, and Name its name; both are "" for types without a name.
	Package, Name string
	GoType        types.Type

	world   *World
	under   types.Type
	members []Member
	read    bool
	// assignable is what Assignable returns, once that is known.
	assignable, assigned bool
}

// Member is a field of a struct.
type Member struct {
	Name     string
	Embedded bool
	Tag      string
	Type     *Type
	Var      *types.Var
}

// World has one value for each type, so that types can be compared by identity. It is not safe for concurrent use.
type World struct {
	*gotype.Universe

	// Requested are the packages whose types have markers: upstream's programs see the markers of fields in all packages, but of types only
	// in packages that they generate for or that are peers.
	Requested map[string]bool

	byGoType map[types.Type]*Type
	types    map[string]*Type
	markers  map[*types.Var]marker.Set
}

// NewWorld returns the types of a universe.
func NewWorld(universe *gotype.Universe) *World {
	return &World{
		Universe: universe, Requested: map[string]bool{},
		byGoType: map[types.Type]*Type{}, types: map[string]*Type{}, markers: map[*types.Var]marker.Set{},
	}
}

// Of returns a type.
func (w *World) Of(t types.Type) *Type {
	known := w.byGoType[t]
	if known == nil {
		bare := types.Unalias(t)
		if basic, ok := bare.(*types.Basic); ok { // byte and uint8 are one type
			bare = types.Typ[basic.Kind()]
		}
		known = w.written(bare)
		w.byGoType[t] = known
	}
	return known
}

// written returns the type that is written like t.
func (w *World) written(t types.Type) *Type {
	key := types.TypeString(t, nil)
	if known := w.types[key]; known != nil {
		return known
	}
	made := &Type{GoType: t, world: w, under: w.Underlying(t)}
	w.types[key] = made
	made.Kind = kindOf(made.under)
	if named, ok := t.(*types.Named); ok {
		made.Name = named.Obj().Name()
		if pkg := named.Obj().Pkg(); pkg != nil {
			made.Package = pkg.Path()
		}
		if made.Kind == Builtin || made.Kind == Map || made.Kind == Slice {
			made.Kind = Name
		}
	}
	return made
}

func kindOf(underlying types.Type) Kind {
	switch u := underlying.(type) {
	case *types.Basic:
		if u.Info()&(types.IsBoolean|types.IsNumeric|types.IsString) != 0 {
			return Builtin
		}
	case *types.Struct:
		return Struct
	case *types.Pointer:
		return Pointer
	case *types.Slice:
		return Slice
	case *types.Map:
		return Map
	case *types.Array:
		return Array
	case *types.Interface:
		return Interface
	}
	return Other
}

// Lookup returns a type that a package declares, or nil. Aliases and generic types do not count.
func (w *World) Lookup(pkg *gotype.Package, name string) *Type {
	decl := pkg.Types[name]
	if decl == nil || decl.Spec.Assign.IsValid() || decl.Spec.TypeParams != nil {
		return nil
	}
	return w.Of(w.Type(decl))
}

// String returns the type with the import paths of packages.
func (t *Type) String() string { return types.TypeString(t.GoType, nil) }

// Short returns the type with the names of packages.
func (t *Type) Short() string {
	return types.TypeString(t.GoType, func(p *types.Package) string { return path.Base(p.Path()) })
}

// Below returns the type that a name stands for; nil for other types.
func (t *Type) Below() *Type {
	if t.Kind != Name {
		return nil
	}
	return t.world.Of(t.under)
}

// Bare returns a type without its name, if it is a name for another.
func (t *Type) Bare() *Type {
	if t.Kind == Name {
		return t.Below()
	}
	return t
}

// Elem returns the elements of a pointer, slice, array or map.
func (t *Type) Elem() *Type {
	elem, ok := t.under.(interface{ Elem() types.Type })
	if !ok {
		return nil
	}
	return t.world.Of(elem.Elem())
}

// Key returns the keys of a map.
func (t *Type) Key() *Type { return t.world.Of(t.under.(*types.Map).Key()) }

// Basic returns the basic type of a builtin type or of a name for one; nil for other types.
func (t *Type) Basic() *types.Basic {
	basic, _ := t.under.(*types.Basic)
	return basic
}

// Members returns the fields of a struct.
func (t *Type) Members() []Member {
	structure, ok := t.under.(*types.Struct)
	if !ok || t.read {
		return t.members
	}
	t.read = true
	for i := range structure.NumFields() {
		v := structure.Field(i)
		t.members = append(t.members, Member{v.Name(), v.Embedded(), structure.Tag(i), t.world.Of(v.Type()), v})
	}
	return t.members
}

// Member returns the field of a struct with a name, or nil.
func (t *Type) Member(name string) *Member {
	members := t.Members()
	i := slices.IndexFunc(members, func(m Member) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return &members[i]
}

// Primitive reports whether the type is a builtin, or a name for one.
func (t *Type) Primitive() bool { return t.Basic() != nil && (t.Kind == Builtin || t.Kind == Name) }

// Assignable reports whether an assignment copies all of a value. Structs that contain themselves, which the compiler reports, are not
// assignable.
func (t *Type) Assignable() bool {
	if !t.assigned {
		t.assigned = true
		t.assignable = t.Primitive() ||
			t.Kind == Struct && !slices.ContainsFunc(t.Members(), func(m Member) bool { return !m.Type.Assignable() })
	}
	return t.assignable
}

// Exported reports whether other packages can use the type.
func (t *Type) Exported() bool { return t.Name != "" && strings.ToLower(t.Name[:1]) != t.Name[:1] }

// Joined returns the name of the type in the names of functions: words joined by underscores. Names of declared types follow the last
// packages elements of the import path.
func (t *Type) Joined(packages int) string {
	of := func(elem *Type) string { return elem.Joined(packages) }
	switch {
	case t.Package != "":
		dirs := strings.Split(sanitizer.Replace(t.Package), "/")
		dirs = append(dirs, t.Name)
		return strings.Join(dirs[max(0, len(dirs)-1-packages):], "_")
	case t.Name != "": // error
		return "Interface"
	}
	switch t.Kind {
	case Builtin:
		if t.Basic().Kind() == types.Uint8 {
			return "byte"
		}
		return t.Basic().Name()
	case Map:
		return "Map_" + of(t.Key()) + "_To_" + of(t.Elem())
	case Slice:
		return "Slice_" + of(t.Elem())
	case Array:
		return "Array_" + strconv.FormatInt(t.under.(*types.Array).Len(), 10) + "_" + of(t.Elem())
	case Pointer:
		return "Pointer_" + of(t.Elem())
	case Interface:
		return "Interface"
	case Struct:
		parts := []string{"Struct"}
		for _, m := range t.Members() {
			parts = append(parts, of(m.Type))
		}
		return strings.Join(parts, "_")
	}
	return "unnameable"
}

// sanitizer replaces what identifiers cannot have.
var sanitizer = strings.NewReplacer("-", "_", ".", "")
