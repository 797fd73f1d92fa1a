package deepcopy

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// assigns reports whether assignment is a deep copy for values of a type.
func (c *copier) assigns(t types.Type) bool { return c.values.assignable(t, c.decl.Decl) }

// copyOf plans how values of a type are copied.
func (c *copier) copyOf(t types.Type) (*model.Copy, *problem) {
	if c.assigns(t) {
		return &model.Copy{Op: model.CopyAssign}, nil
	}
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxDepth {
		return nil, &problem{reason: fmt.Errorf("the type is nested more than %d levels deep", maxDepth), hint: "name the inner type"}
	}
	switch named := types.Unalias(t).(type) {
	case *types.Named:
		return c.named(named, t)
	case *types.TypeParam:
		return c.typeParam(named)
	}
	return c.composite(t, c.universe.Underlying(t))
}

// named plans how values of a named type are copied: by its methods if it has any. The type is kept as written, even if it is an alias.
func (c *copier) named(t *types.Named, written types.Type) (*model.Copy, *problem) {
	if c.names.Hidden(written) != "" {
		written = t
	}
	if t.Obj().Pkg() != nil && lock(t.Obj().Pkg().Path()) {
		return nil, &problem{reason: fmt.Errorf("%s must not be copied", t), hint: byHandHint}
	}
	underlying := c.universe.Underlying(t)
	if decl := c.universe.Decl(t); decl != nil {
		m := c.methods.of(decl)
		if isCalled(m, underlying) || exist(m) && c.values.containsItself(t) {
			call := &model.Copy{Op: model.CopyMethods, Methods: m}
			c.await(decl, call)
			return call, nil
		}
	}
	if i, ok := underlying.(*types.Interface); ok {
		return interfaceCopy(t, i)
	}
	if c.values.containsItself(t) {
		return c.helper(t, underlying)
	}
	return c.composite(written, underlying)
}

// isCalled reports whether copies of a type call its methods. As in code-generator, maps and slices are copied part by part, even if their
// types get methods.
func isCalled(m model.CopyMethodSet, underlying types.Type) bool {
	switch underlying.(type) {
	case *types.Map, *types.Slice:
		return m.ByHand
	}
	return exist(m)
}

// lock reports whether a package declares synchronization primitives.
func lock(importPath string) bool { return importPath == "sync" || importPath == "sync/atomic" }

// interfaceCopy plans how the value in an interface is copied: by a method that returns the interface.
func interfaceCopy(t types.Type, i *types.Interface) (*model.Copy, *problem) {
	for m := range i.Methods() {
		if strings.HasPrefix(m.Name(), "DeepCopy") && returns(m.Signature(), t) {
			return &model.Copy{Op: model.CopyCall, Call: m.Name()}, nil
		}
	}
	p := &problem{hint: "use runtime.RawExtension, or an interface with a method DeepCopy<Name>() that returns the interface"}
	if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil {
		p.reason = fmt.Errorf("interface %s has no method DeepCopy%s() that returns it", t, named.Obj().Name())
	} else {
		p.reason = fmt.Errorf("%s can hold any type", t)
	}
	return nil, p
}

// returns reports whether a method has no parameters and returns a type.
func returns(method *types.Signature, t types.Type) bool {
	return method.Params().Len() == 0 && method.Results().Len() == 1 && types.Identical(method.Results().At(0).Type(), t)
}

// typeParam plans how values of a type parameter are copied: by the DeepCopy method of its constraint.
func (c *copier) typeParam(t *types.TypeParam) (*model.Copy, *problem) {
	name := t.Obj().Name()
	if signature := c.universe.Bound(c.decl.Decl, t.Index()).Methods["DeepCopy"]; signature != nil && returns(signature, t) {
		return &model.Copy{Op: model.CopyMethods, Methods: model.CopyMethodSet{Value: true}}, nil
	}
	return nil, &problem{
		reason: fmt.Errorf("cannot determine how to copy the type parameter %s", name),
		hint:   "constrain it by interface{ DeepCopy() " + name + " } or by types such as ~string; or " + byHandHint,
	}
}

// composite plans how a type is copied part by part. t is the type as written, underlying its underlying type.
func (c *copier) composite(t, underlying types.Type) (*model.Copy, *problem) {
	switch u := underlying.(type) {
	case *types.Pointer:
		return c.pointer(u)
	case *types.Slice:
		return c.elements(model.CopySlice, t, u.Elem())
	case *types.Array:
		return c.elements(model.CopyArray, t, u.Elem())
	case *types.Map:
		return c.mapCopy(t, u)
	case *types.Struct:
		return c.structCopy(t, u)
	case *types.Interface:
		return interfaceCopy(t, u)
	case *gotype.Missing:
		return nil, &problem{reason: u}
	case *types.Signature:
		return nil, &problem{reason: errors.New("a function cannot be copied"), hint: byHandHint}
	case *types.Chan:
		return nil, &problem{reason: errors.New("a channel cannot be copied"), hint: byHandHint}
	}
	return nil, &problem{reason: fmt.Errorf("%s cannot be copied", underlying), hint: byHandHint}
}

func (c *copier) pointer(u *types.Pointer) (*model.Copy, *problem) {
	elem, p := c.copyOf(u.Elem())
	if p != nil {
		return nil, p
	}
	if m := elem.Methods; m.ByHand && (m.Value || m.Pointer) {
		return &model.Copy{Op: model.CopyPointer, Elem: elem}, nil // DeepCopy allocates
	}
	text, p := c.text(u.Elem())
	return &model.Copy{Op: model.CopyPointer, Type: text, Elem: elem}, p
}

// elements plans how slices and arrays are copied.
func (c *copier) elements(op model.CopyOp, t, of types.Type) (*model.Copy, *problem) {
	elem, p := c.copyOf(of)
	if p != nil || op == model.CopyArray {
		return &model.Copy{Op: op, Elem: elem}, p
	}
	text, p := c.text(t)
	return &model.Copy{Op: op, Type: text, Elem: elem}, p
}

func (c *copier) mapCopy(t types.Type, u *types.Map) (*model.Copy, *problem) {
	if missing, ok := c.universe.Underlying(u.Key()).(*gotype.Missing); ok {
		return nil, &problem{reason: missing}
	}
	if !c.assigns(u.Key()) {
		return nil, &problem{reason: fmt.Errorf("keys of type %s have pointers, which would be shared", u.Key()), hint: byHandHint}
	}
	elem, p := c.copyOf(u.Elem())
	if p != nil {
		return nil, p
	}
	text, p := c.text(t)
	if p != nil {
		return nil, p
	}
	plan := &model.Copy{Op: model.CopyMap, Type: text, Elem: elem}
	of := u.Elem()
	switch op := elem.Op; {
	case op == model.CopyAssign, op == model.CopyCall, op == model.CopyMethods && (elem.Methods.Value || elem.Methods.Pointer):
		return plan, nil
	case op == model.CopyPointer, op == model.CopySlice, op == model.CopyMap:
		of = c.universe.Underlying(of)
	}
	plan.ElemType, p = c.text(of)
	return plan, p
}

// structCopy plans how a struct without methods is copied.
func (c *copier) structCopy(t types.Type, u *types.Struct) (*model.Copy, *problem) {
	plan := &model.Copy{Op: model.CopyStruct}
	owner := "a struct"
	if named, ok := t.(*types.Named); ok {
		owner = named.String()
		if named.Obj().Pkg() == nil || c.own[named.Obj().Pkg().Path()] {
			owner = named.Obj().Name()
		}
	}
	var first *problem
	for field := range u.Fields() {
		p := c.field(plan, field, owner)
		switch {
		case p == nil:
		case first == nil:
			first = p
		case p.where != "": // a place of its own
			first.others = append(first.others, p)
		}
	}
	return plan, first
}

// field adds a field to the plan of a struct. Numbers, strings and booleans are assigned with the struct.
func (c *copier) field(plan *model.Copy, field *types.Var, owner string) *problem {
	if field.Name() == "_" {
		return nil
	}
	if c.assigns(field.Type()) {
		switch c.universe.Underlying(field.Type()).(type) {
		case *types.Struct, *types.Array:
			if field.Exported() || field.Pkg().Path() == c.source.Path {
				plan.Fields = append(plan.Fields, model.CopyField{Name: field.Name(), Copy: &model.Copy{Op: model.CopyAssign}})
			}
		}
		return nil
	}
	var p *problem
	var how *model.Copy
	if field.Pkg().Path() != c.source.Path && !field.Exported() {
		p = &problem{reason: fmt.Errorf("field %s of %s is not exported", field.Name(), owner), hint: byHandHint}
	} else if how, p = c.copyOf(field.Type()); p == nil {
		plan.Fields = append(plan.Fields, model.CopyField{Name: field.Name(), Copy: how})
		return nil
	}
	if p.where == "" && c.own[field.Pkg().Path()] {
		p.pos, p.where = field.Pos(), fmt.Sprintf("field %s of %s", field.Name(), owner)
	}
	return p
}

// helper plans how a recursive type without methods is copied: by a function, which is added on first use.
func (c *copier) helper(t *types.Named, underlying types.Type) (*model.Copy, *problem) {
	call := &model.Copy{Op: model.CopyHelp}
	key := t.String()
	if name, made := c.helpers[key]; made {
		call.Call = name
		return call, nil
	}
	if dependsOnParams(t) {
		return nil, &problem{reason: fmt.Errorf("%s contains itself and depends on a type parameter", t), hint: byHandHint}
	}
	text, p := c.text(t)
	if p != nil {
		return nil, p
	}
	call.Call = c.names.Scope.Free("deepCopy" + goname.UpperFirst(t.Obj().Name()))
	c.helpers[key] = call.Call
	plan, p := c.composite(t, underlying)
	if p != nil {
		return nil, p
	}
	c.made.Helpers = append(c.made.Helpers, model.CopyHelper{Name: call.Call, Type: text, Plan: plan})
	return call, nil
}

// dependsOnParams reports whether a type argument of a type is a type parameter.
func dependsOnParams(t *types.Named) bool {
	return slices.ContainsFunc(slices.Collect(t.TypeArgs().Types()), func(arg types.Type) bool {
		_, ok := arg.(*types.TypeParam)
		return ok
	})
}

// valueTable knows for which types assignment is a deep copy.
type valueTable struct {
	universe *gotype.Universe
	methods  *methodTable
	// known caches results. busy marks types under evaluation; it breaks cycles.
	known, busy map[*gotype.Decl]bool
}

// assignable reports whether assignment is a deep copy: the value contains no references, and has no handwritten deep copy methods. Its
// type parameters belong to generic.
func (v *valueTable) assignable(t types.Type, generic *gotype.Decl) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer && t.Kind() != types.Invalid
	case *types.Array:
		return v.assignable(t.Elem(), generic)
	case *types.Struct:
		isReference := func(field *types.Var) bool { return !v.assignable(field.Type(), generic) }
		return !slices.ContainsFunc(slices.Collect(t.Fields()), isReference)
	case *types.TypeParam:
		return slices.ContainsFunc(v.universe.Bound(generic, t.Index()).Lists, func(list []gotype.Term) bool {
			return !slices.ContainsFunc(list, func(term gotype.Term) bool { return !v.assignable(term.Type, generic) })
		})
	case *types.Named:
		return v.assignableNamed(t, generic)
	}
	return false
}

func (v *valueTable) assignableNamed(t *types.Named, generic *gotype.Decl) bool {
	decl := v.universe.Decl(t)
	if decl == nil || lock(decl.Package.Path) {
		return false // only error and comparable have no declaration
	}
	if immutable[decl.Package.Path+"."+decl.Name()] {
		return true
	}
	known, ok := v.known[decl]
	if ok && (t.TypeArgs().Len() == 0 || v.busy[decl]) {
		return known
	}
	v.known[decl], v.busy[decl] = false, true // in case the struct contains itself
	known = !v.methods.of(decl).ByHand && v.assignable(v.universe.Underlying(t), generic)
	v.known[decl], v.busy[decl] = known, false
	return known
}

// containsItself reports whether copying the type part by part involves values of the same type.
func (v *valueTable) containsItself(t *types.Named) bool {
	seen := map[string]bool{}
	var reaches func(types.Type) bool
	reaches = func(part types.Type) bool {
		part = types.Unalias(part)
		if named, ok := part.(*types.Named); ok {
			key := named.String()
			if key == t.String() && len(seen) > 0 {
				return true
			}
			part = v.universe.Underlying(named)
			if decl := v.universe.Decl(named); seen[key] || decl == nil || isCalled(v.methods.of(decl), part) || len(seen) > 1000 {
				return false
			}
			seen[key] = true
		}
		if elements, ok := part.(interface{ Elem() types.Type }); ok {
			return reaches(elements.Elem()) // keys of maps are assigned
		}
		return slices.ContainsFunc(slices.Collect(gotype.Parts(part)), reaches)
	}
	return reaches(t)
}
