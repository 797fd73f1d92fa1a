package resolve

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// copier decides how the types of one package are copied.
type copier struct {
	*deepCopies
	source *source
	names  *fileNames
	made   model.DeepCopies
	// decl is the type that methods are being planned for.
	decl *typeDecl
	// helpers are the names of the helpers, by type.
	helpers map[string]string
	// depth is how deep in the type the copier is.
	depth int
}

// maxDepth is more than any type has that a compiler accepts.
const maxDepth = 200

func newCopier(d *deepCopies, s *source) *copier {
	c := &copier{deepCopies: d, source: s, names: newFileNames(s), helpers: map[string]string{}}
	c.made.Suffix = c.names.suffix(c)
	return c
}

// problem says why a type cannot be copied, and which field of the user's it is about: nothing as long as that is not
// known.
type problem struct {
	pos          token.Pos
	where        string
	reason, hint string
}

const byHandHint = "write DeepCopyInto and DeepCopy of the type by hand, or leave it out with // +k8s:deepcopy-gen=false"

// immutable are types with unexported fields whose values may be shared.
var immutable = map[string]bool{
	"time.Time": true, "net/netip.Addr": true, "net/netip.AddrPort": true, "net/netip.Prefix": true, "unique.Handle": true,
}

// report adds a problem to the diagnostics.
func (c *copier) report(p *problem) {
	pos, where := c.decl.pos, "type "+c.decl.Name()
	if p.where != "" {
		pos, where = c.universe.Fset.Position(p.pos), p.where
	}
	c.diags.AddHint(pos, p.hint, "%s cannot be copied: %s", where, p.reason)
}

// copyOf says how values of a type are copied.
func (c *copier) copyOf(t types.Type) (*model.Copy, *problem) {
	if c.assignable(t) {
		return &model.Copy{Op: model.CopyAssign}, nil
	}
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxDepth {
		return nil, &problem{reason: "the type has no end"}
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return c.named(t)
	case *types.TypeParam:
		return c.typeParam(t)
	}
	return c.composite(t, c.universe.Underlying(t))
}

// named says how values of a named type are copied: by its methods if it has any.
func (c *copier) named(t *types.Named) (*model.Copy, *problem) {
	if t.Obj().Pkg() != nil && lock(t.Obj().Pkg().Path()) {
		return nil, &problem{reason: t.String() + " must not be copied", hint: byHandHint}
	}
	underlying := c.universe.Underlying(t)
	if decl := c.universe.Decl(t); decl != nil {
		if m := c.methodsOf(decl); m.any() {
			return callOf(m, underlying), nil
		}
	}
	if i, ok := underlying.(*types.Interface); ok {
		return interfaceCopy(t, i)
	}
	if c.containsItself(t) {
		return c.helper(t, underlying)
	}
	return c.composite(t, underlying)
}

// lock tells whether a package holds what synchronizes goroutines.
func lock(importPath string) bool { return importPath == "sync" || importPath == "sync/atomic" }

// callOf says how the methods of a type copy its values.
func callOf(m copyMethods, underlying types.Type) *model.Copy {
	call := &model.Copy{Op: model.CopyInto}
	switch underlying.(type) {
	case *types.Map, *types.Slice:
		call.Nilable = true
		if m.copy == copyValue {
			call.Op = model.CopyCall
		}
	}
	if !m.into && m.copy == copyValue {
		call.Op = model.CopyCall
	} else if !m.into {
		call.Op = model.CopyCallPointer
	}
	if call.Op != model.CopyInto {
		call.Call = "DeepCopy"
	}
	return call
}

// interfaceCopy says how what is behind an interface is copied: by a method that returns the interface.
func interfaceCopy(t types.Type, i *types.Interface) (*model.Copy, *problem) {
	for m := range i.Methods() {
		signature := m.Signature()
		if strings.HasPrefix(m.Name(), "DeepCopy") && signature.Params().Len() == 0 && signature.Results().Len() == 1 &&
			types.Identical(signature.Results().At(0).Type(), t) {
			return &model.Copy{Op: model.CopyCall, Call: m.Name(), Nilable: true}, nil
		}
	}
	p := &problem{hint: "use runtime.RawExtension, or an interface with a method DeepCopy<Name>() that returns the interface"}
	if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil {
		p.reason = fmt.Sprintf("interface %s has no method DeepCopy%s() that returns it", t, named.Obj().Name())
	} else {
		p.reason = fmt.Sprintf("%s may hold anything", t)
	}
	return nil, p
}

// typeParam says how values of a type parameter are copied: by the DeepCopy that its constraint demands.
func (c *copier) typeParam(t *types.TypeParam) (*model.Copy, *problem) {
	name := t.Obj().Name()
	signature := c.universe.Bound(c.decl.Decl, t.Index()).Methods["DeepCopy"]
	if signature != nil && signature.Params().Len() == 0 && signature.Results().Len() == 1 &&
		types.Identical(signature.Results().At(0).Type(), t) {
		return &model.Copy{Op: model.CopyCall, Call: "DeepCopy"}, nil
	}
	return nil, &problem{
		reason: "nothing is known of how to copy the type parameter " + name,
		hint:   "constrain it by interface{ DeepCopy() " + name + " } or by types such as ~string; or " + byHandHint,
	}
}

// composite says how what a type is made of is copied. t is how the type is written, underlying what it is.
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
		return nil, &problem{reason: u.Reason}
	case *types.Signature:
		return nil, &problem{reason: "a function cannot be copied", hint: byHandHint}
	case *types.Chan:
		return nil, &problem{reason: "a channel cannot be copied", hint: byHandHint}
	}
	return nil, &problem{reason: underlying.String() + " cannot be copied", hint: byHandHint}
}

func (c *copier) pointer(u *types.Pointer) (*model.Copy, *problem) {
	elem, p := c.copyOf(u.Elem())
	if p != nil {
		return nil, p
	}
	if elem.Op == model.CopyCallPointer {
		return &model.Copy{Op: model.CopyCall, Call: elem.Call, Nilable: true}, nil
	}
	text, p := c.names.text(u.Elem())
	return &model.Copy{Op: model.CopyPointer, Nilable: true, Type: text, Elem: elem}, p
}

// elements says how slices and arrays are copied.
func (c *copier) elements(op model.CopyOp, t, of types.Type) (*model.Copy, *problem) {
	elem, p := c.copyOf(of)
	if p != nil || op == model.CopyArray {
		return &model.Copy{Op: op, Elem: elem}, p
	}
	text, p := c.names.text(t)
	return &model.Copy{Op: op, Nilable: true, Type: text, Elem: elem}, p
}

func (c *copier) mapCopy(t types.Type, u *types.Map) (*model.Copy, *problem) {
	if !c.assignable(u.Key()) {
		return nil, &problem{reason: fmt.Sprintf("keys of type %s refer to something, and would be shared", u.Key()), hint: byHandHint}
	}
	elem, p := c.copyOf(u.Elem())
	if p != nil {
		return nil, p
	}
	text, p := c.names.text(t)
	if p != nil {
		return nil, p
	}
	plan := &model.Copy{Op: model.CopyMap, Nilable: true, Type: text, Elem: elem}
	if elem.Op != model.CopyAssign && elem.Op != model.CopyStruct && elem.Op != model.CopyArray {
		plan.ElemType, p = c.names.text(u.Elem())
	}
	return plan, p
}

// structCopy says how the fields of a struct are copied that has no methods.
func (c *copier) structCopy(t types.Type, u *types.Struct) (*model.Copy, *problem) {
	plan := &model.Copy{Op: model.CopyStruct}
	owner := "a struct"
	if named, ok := t.(*types.Named); ok {
		owner = named.String()
		if named.Obj().Pkg() == nil || c.own[named.Obj().Pkg().Path()] {
			owner = named.Obj().Name()
		}
	}
	for field := range u.Fields() {
		if p := c.field(plan, field, owner); p != nil {
			return nil, p
		}
	}
	return plan, nil
}

// field adds a field to the plan for a struct, unless it does to assign it.
func (c *copier) field(plan *model.Copy, field *types.Var, owner string) *problem {
	if field.Name() == "_" || c.assignable(field.Type()) {
		return nil
	}
	var p *problem
	var how *model.Copy
	if field.Pkg().Path() != c.source.Path && !field.Exported() {
		p = &problem{reason: fmt.Sprintf("field %s of %s is not exported", field.Name(), owner), hint: byHandHint}
	} else if how, p = c.copyOf(field.Type()); p == nil {
		plan.Fields = append(plan.Fields, model.CopyField{Name: field.Name(), Copy: how})
		return nil
	}
	if p.where == "" && c.own[field.Pkg().Path()] {
		p.pos, p.where = field.Pos(), fmt.Sprintf("field %s of %s", field.Name(), owner)
	}
	return p
}

// helper says how a type is copied that contains itself and has no methods: by a function, made with the first need.
func (c *copier) helper(t *types.Named, underlying types.Type) (*model.Copy, *problem) {
	call := &model.Copy{Op: model.CopyHelp}
	key := t.String()
	if name, made := c.helpers[key]; made {
		call.Call = name
		return call, nil
	}
	if dependsOnParams(t) {
		return nil, &problem{reason: t.String() + " contains itself, and depends on a type parameter", hint: byHandHint}
	}
	text, p := c.names.text(t)
	if p != nil {
		return nil, p
	}
	call.Call = c.source.unused("deepCopy" + model.UpperFirst(t.Obj().Name()))
	for _, other := range c.helpers {
		if other == call.Call {
			call.Call = fmt.Sprintf("%s_%d", call.Call, len(c.helpers))
		}
	}
	c.helpers[key] = call.Call
	plan, p := c.composite(t, underlying)
	if p != nil {
		return nil, p
	}
	c.made.Helpers = append(c.made.Helpers, model.CopyHelper{Name: call.Call, Type: text, Plan: plan})
	return call, nil
}

// dependsOnParams tells whether a type parameter is among the arguments of a type.
func dependsOnParams(t *types.Named) bool {
	for arg := range t.TypeArgs().Types() {
		if _, ok := arg.(*types.TypeParam); ok {
			return true
		}
	}
	return false
}
