package traps

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
)

// checker has the declarations that the kinds of the requested packages reach, as far as users can edit them.
type checker struct {
	*gotype.Universe
	ctx context.Context
	reached
	// spec are the declarations that kinds reach without their status, which people do not write.
	spec  reached
	found diag.List

	seen     map[*gotype.Decl]bool
	kinds    map[*gotype.Decl]bool
	statuses []types.Type
}

// reached are fields, and declarations of types.
type reached struct {
	fields []field
	decls  []*gotype.Decl
}

// field is a field of a struct.
type field struct {
	*types.Var
	tag gotype.FieldTag
	// of is the declaration that has the field.
	of *gotype.Decl
}

// String returns the field with the name of its type.
func (f field) String() string { return f.of.Name() + "." + f.Name() }

// warn reports a field or a declaration.
func (c *checker) warn(pos token.Pos, hint, format string, args ...any) {
	c.found.Warn(c.Fset.Position(pos), hint, format, args...)
}

// newChecker collects the declarations that kinds reach: structs with a TypeMeta and an ObjectMeta, and a list type or
// controller-gen's marker. Others are bodies of requests, which programs send.
func newChecker(ctx context.Context, universe *gotype.Universe) *checker {
	c := &checker{Universe: universe, ctx: ctx, seen: map[*gotype.Decl]bool{}, kinds: map[*gotype.Decl]bool{}}
	for _, pkg := range c.Roots {
		for _, name := range pkg.TypeNames {
			d := pkg.Types[name]
			structType, _ := d.Spec.Type.(*ast.StructType)
			if structType == nil || pkg.Types[name+"List"] == nil && !c.markersOf(c.Type(d)).Has(marker.ObjectRoot) {
				continue
			}
			if names := gotype.FieldNames(structType); names["TypeMeta"] && names["ObjectMeta"] {
				c.kinds[d] = true
				c.reach(c.Type(d), nil)
			}
		}
	}
	c.spec = c.reached
	for _, t := range c.statuses {
		c.reach(t, nil)
	}
	return c
}

// reach collects the declarations that a type reaches in JSON. Types without a name belong to the declaration around them.
func (c *checker) reach(t types.Type, of *gotype.Decl) {
	if d := c.Decl(t); d != nil {
		if c.seen[d] || !d.Package.InMainModule() {
			return
		}
		c.seen[d] = true
		of, c.decls = d, append(c.decls, d)
	}
	if c.Encoding(t) != gotype.Structured {
		return
	}
	structType, ok := c.Underlying(t).(*types.Struct)
	if !ok {
		for part := range gotype.Parts(c.Underlying(t)) {
			c.reach(part, of)
		}
		return
	}
	for i := range structType.NumFields() {
		v := structType.Field(i)
		tag, ok := c.ReadFieldTag(v, structType.Tag(i))
		if _, tagged := reflect.StructTag(structType.Tag(i)).Lookup("json"); !ok || !tagged && !v.Embedded() || of == nil {
			continue
		}
		c.fields = append(c.fields, field{v, tag, of})
		if c.kinds[of] && v.Name() == "Status" {
			c.statuses = append(c.statuses, v.Type())
		} else {
			c.reach(v.Type(), of)
		}
	}
}

// markers returns the markers in the comment of a field.
func (c *checker) markers(f field) marker.Set { return marker.Scan(c.Fset, c.Field(f.Var).Doc) }

// markersOf returns the markers in the comments of a declared type.
func (c *checker) markersOf(t types.Type) marker.Set {
	d := c.Decl(t)
	if d == nil {
		return nil
	}
	return marker.Scan(c.Fset, d.Above, d.Doc)
}

// basic returns the number, text or boolean that values of a type, or of the type that a pointer points to, are in JSON; nil for others.
func (c *checker) basic(t types.Type) *types.Basic {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	basic, _ := c.Underlying(t).(*types.Basic)
	if c.Encoding(t) != gotype.Structured {
		return nil
	}
	return basic
}

// isByte reports whether encoding/json takes a slice of the type for bytes, which it encodes in base64.
func (c *checker) isByte(t types.Type) bool {
	basic, ok := c.Underlying(t).(*types.Basic)
	return ok && basic.Kind() == types.Byte && c.Encoding(t) == gotype.Structured
}
