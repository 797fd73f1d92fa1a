package defaults

import (
	"go/token"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/gofile"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
)

// builder builds the trees of a package: what of an object has defaults.
type builder struct {
	run    *run
	target *target
	names  *gofile.Names
	diags  *diag.List
	// leading are the types that lead to something with defaults. busy are the types that are being built.
	leading, busy map[*shape.Type]bool
	// at is the field that is being looked at. warned are the packages that there has been a warning about.
	at     place
	warned map[string]bool
}

// place is a field of an object. Its position is the closest field above it that users can edit, if there is such a field.
type place struct {
	name string
	pos  token.Pos
	// silent is true if the user knows about defaults that are not set.
	silent bool
}

// newBuilder returns a builder of the trees of all candidates.
func (t *target) newBuilder(diags *diag.List) *builder {
	return &builder{
		run: t.run, target: t, names: gofile.NewNames(t.source, isLocal), diags: diags,
		leading: t.reach(), busy: map[*shape.Type]bool{}, warned: map[string]bool{},
	}
}

// isLocal reports whether generated code has a parameter or variable with this name.
func isLocal(name string) bool {
	if len(name) == 1 {
		return "a" <= name && name <= "p"
	}
	switch base := strings.TrimRight(name, "0123456789"); base {
	case "in", "scheme", "obj", "err", "i", "local", "ptrVar":
		return true
	}
	return goname.Predeclared(name)
}

// build returns the tree of a type, or nil if it has no defaults. The root is the object of a function.
func (b *builder) build(t *shape.Type, root bool) *model.DefaultNode {
	if root {
		b.at = place{name: t.Name}
	}
	if !b.leading[t] {
		return nil
	}
	node := &model.DefaultNode{Pointer: root}
	if all := b.functions(node, t, root); all {
		return node
	}
	if b.busy[t] {
		b.reportRecursion(t)
		return nil
	}
	b.busy[t] = true
	b.parts(node, t)
	b.busy[t] = false
	if len(node.Children) == 0 && len(node.Calls) == 0 {
		return nil
	}
	return node
}

// functions adds the functions for a type, and reports whether they set all defaults below it.
func (b *builder) functions(node *model.DefaultNode, t *shape.Type, root bool) (all bool) {
	known := b.run.existing[t]
	switch {
	case !root && b.target.promoted[t]:
		node.Calls = append(node.Calls, model.ObjectDefaults(t.Joined(0)))
		return true
	case known == nil:
		b.reportStranger(t)
		return false
	case known.object != nil:
		b.call(node, known.object)
		return true
	case known.base != nil:
		b.call(node, known.base)
		if covers(known.base) {
			return true
		}
	}
	b.call(node, known.additional...)
	return false
}

func (b *builder) call(node *model.DefaultNode, functions ...*shape.Function) {
	for _, f := range functions {
		b.run.called[f] = true
		if f.Package.Path != b.target.source.Path && b.imports(f.Package) {
			b.diags.AddHint(f.Pos, "move it to the package, or generate the defaults of the packages separately",
				"the defaults of package %s cannot call %s, whose package imports it", b.target.source.Path, f.Name)
		}
		node.Calls = append(node.Calls, b.names.Of(f.Package.Path, f.Name))
	}
}

// imports reports whether a package imports the package that gets the functions, which therefore cannot import it.
func (b *builder) imports(pkg *gotype.Package) bool {
	return slices.Contains(pkg.Imports(), b.target.source.Path)
}

// parts adds the parts of a type.
func (b *builder) parts(node *model.DefaultNode, t *shape.Type) {
	add := func(child *model.DefaultNode) {
		if child != nil {
			node.Children = append(node.Children, child)
		}
	}
	switch t.Kind {
	case shape.Name:
		add(b.build(t.Below(), false))
	case shape.Pointer:
		if child := b.build(t.Elem(), false); child != nil {
			child.Pointer = true
			add(child)
		}
	case shape.Slice, shape.Array:
		child := b.element(t.Elem())
		if child != nil {
			child.Index, child.Array = true, t.Kind == shape.Array
			child.Pointer = t.Elem().Kind == shape.Pointer && !child.Only
		}
		add(child)
	case shape.Map:
		child := b.element(t.Elem())
		if child != nil {
			child.Key = true
			if child.Default == nil {
				b.reportMap()
			}
		}
		add(child)
	case shape.Struct:
		b.fields(node, t)
	}
}

// element returns the tree of an element of a slice or a map.
func (b *builder) element(t *shape.Type) *model.DefaultNode {
	if child := b.build(t, false); child != nil {
		return child
	}
	return b.value(nil, t, t.Closest(), t.Package)
}

// fields adds the fields of a struct.
func (b *builder) fields(node *model.DefaultNode, t *shape.Type) {
	outer := b.at
	for i := range t.Members() {
		m := &t.Members()[i]
		markers := b.run.World.Markers(m)
		b.at = place{t.Name + "." + m.Name, outer.pos, outer.silent || silences(markers)}
		if b.run.own[m.Var.Pkg().Path()] {
			b.at.pos = m.Var.Pos()
		}
		child := b.build(m.Type, false)
		if child != nil {
			b.value(child, m.Type, markers, m.Type.Package)
		} else {
			child = b.value(nil, m.Type, markers, t.Package)
		}
		b.compare(markers)
		if child != nil {
			child.Field = m.Name
			node.Children = append(node.Children, child)
		}
	}
	b.at = outer
}

// silences reports whether a field or a function has a marker that ends warnings about defaults that are not set.
func silences(markers marker.Set) bool {
	m, ok := markers.Get(marker.DefaulterGen)
	return ok && m.Disables()
}
