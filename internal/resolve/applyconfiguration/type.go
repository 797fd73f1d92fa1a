package applyconfiguration

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
	"github.com/informer-gen-lite/informer-gen-lite/internal/smd"
)

// fill adds the fields and methods to the types of a package.
func (p *planner) fill(pkg *model.ApplyPackage) {
	universe := p.index.universe
	s := universe.Package(pkg.Source)
	names := newTypeNames(p.index, p.reporter, pkg)
	for _, t := range pkg.Types {
		decl := s.Types[t.Name]
		named := universe.Type(decl)
		structType := universe.Underlying(named).(*types.Struct)
		b := &builder{
			release: p.release, index: p.index, names: names, decl: decl, target: t,
			seen: map[string]bool{}, got: map[string]bool{}, reserved: map[string]bool{},
		}
		t.Doc = source.DocLines(decl.Doc)
		t.GoType = names.of(named)
		t.APIVersion = strings.TrimPrefix(pkg.Group+"/"+pkg.Version, "/")
		if kind := p.kinds[decl]; kind != nil {
			describe(t, kind)
			t.SchemaName = smd.Name(decl)
		}
		b.fields(structType, named)
		for name, meta := range identity {
			b.reserved[name] = t.Client || t.TypeMeta && meta == "TypeMeta" // the constructor sets these
		}
		b.methods(structType, named, embedding{path: "b"})
		if t.Client {
			p.checkMeta(decl, b.got)
		}
	}
	pkg.Imports = names.list()
}

// checkMeta reports a kind whose builder cannot set the fields that identify the object. got are the fields that it can set.
func (p *planner) checkMeta(decl *gotype.Decl, got map[string]bool) {
	for _, meta := range []struct{ name, field, tag string }{{"TypeMeta", "Kind", ",inline"}, {"ObjectMeta", "Name", "metadata,omitempty"}} {
		if got[meta.field] {
			continue
		}
		pos, hint := decl.Spec.Pos(), "embed"
		if v := p.index.universe.FieldOf(p.index.universe.Type(decl), meta.name); v != nil {
			pos, hint = v.Pos(), "write"
		}
		p.reporter.diags.AddHint(p.reporter.fset.Position(pos),
			hint+" metav1."+meta.name+" `json:\""+meta.tag+"\"`; to omit apply configurations, use --skip applyconfiguration",
			"the apply configuration of %s needs an embedded metav1.%s with a json tag other than \"-\"", decl.Name(), meta.name)
	}
}

// describe records that the type is a kind with a client.
func describe(t *model.ApplyType, kind *model.Kind) {
	t.Client, t.Namespaced, t.NoStatus = true, kind.Namespaced, kind.NoStatus
	if kind.HasStatus {
		t.Subresources = append(t.Subresources, model.StatusSubresource)
	}
	for _, method := range kind.Methods {
		sub := model.Subresource{Name: method.Subresource, GoName: goname.Camel(method.Subresource)}
		if sub.Name != "" && !slices.Contains(t.Subresources, sub) {
			t.Subresources = append(t.Subresources, sub)
		}
	}
	slices.SortFunc(t.Subresources, func(x, y model.Subresource) int { return strings.Compare(x.Name, y.Name) })
}

// builder plans one apply configuration.
type builder struct {
	release model.Target
	index   *index
	names   *typeNames
	decl    *gotype.Decl
	target  *model.ApplyType
	// seen are the fields that have a setter, got those that have a getter.
	seen, got map[string]bool
	// reserved are the setters of a kind that identify the object. Other inlined fields with the same name get none, even if they
	// come first.
	reserved map[string]bool
}

// fields adds the struct's fields.
func (b *builder) fields(structType *types.Struct, owner types.Type) {
	for i := range structType.NumFields() {
		v := structType.Field(i)
		tag, ok := gotype.ReadFieldTag(v, structType.Tag(i))
		if !ok || hidden(owner, v) {
			continue
		}
		field := model.ApplyField{Doc: source.DocLines(b.index.universe.Field(v).Doc), Name: v.Name(), Type: b.names.applied(v.Type())}
		switch {
		case v.Embedded():
			field.Name = ""
			if source.IsMetaV1(v.Type(), "TypeMeta") {
				b.target.TypeMeta = true
			}
			if !b.byValue(tag) {
				field.Type = "*" + field.Type
			}
		case !nillable(v.Type()):
			field.Type = "*" + field.Type
		}
		if field.JSON = ",inline"; !tag.Inline {
			field.JSON = cmp.Or(tag.Name, v.Name()) + ",omitempty"
		} else if strings.Contains(tag.Options, "omitempty") {
			field.JSON = ",omitempty,inline"
		}
		b.target.Fields = append(b.target.Fields, field)
	}
}

// hidden reports whether a field is excluded from apply configurations.
func hidden(owner types.Type, v *types.Var) bool {
	return source.IsMetaV1(owner, "ObjectMeta") && (v.Name() == "ManagedFields" || v.Name() == "SelfLink") ||
		strings.HasPrefix(v.Name(), "ZZZ_") // the prefix of deprecated fields in Kubernetes
}

// nillable reports whether nil means "not set" for a field of the type.
func nillable(t types.Type) bool {
	switch types.Unalias(t).(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// embedding is the path to the struct that a setter's field belongs to.
type embedding struct {
	// path is the expression for the struct.
	path string
	// ensure are the functions that allocate the structs on the path.
	ensure []string
	// raw is true for the Go type itself, whose fields, unlike those of apply configurations, are not pointers.
	raw bool
	// pointer is true if an apply configuration on the path is embedded by pointer.
	pointer bool
}

// methods adds the setters and getters for the fields of a struct, including promoted fields.
func (b *builder) methods(structType *types.Struct, owner types.Type, in embedding) {
	for i := range structType.NumFields() {
		v := structType.Field(i)
		tag, ok := gotype.ReadFieldTag(v, structType.Tag(i))
		if !ok || hidden(owner, v) || in.raw && !v.Exported() {
			continue
		}
		if v.Embedded() {
			if b.first(v) {
				b.embedded(v, b.byValue(tag), in)
			}
			continue
		}
		identity := identifies(owner, v)
		if identity && !b.got[v.Name()] {
			b.got[v.Name()] = true
			// The client needs these to apply an object.
			b.target.Getters = append(b.target.Getters, model.ApplyGetter{
				Name: v.Name(), Path: in.path + "." + v.Name(), Type: b.names.applied(v.Type()), Ensure: in.ensure,
			})
		}
		if (identity || !b.reserved[v.Name()]) && b.first(v) {
			b.target.Setters = append(b.target.Setters, b.setter(v, in))
		}
	}
}

// first reports whether a field is the first with its name. Later fields have no setter, as in code-generator.
func (b *builder) first(v *types.Var) bool {
	seen := b.seen[v.Name()]
	b.seen[v.Name()] = true
	return !seen
}

// identity are the fields of ObjectMeta and TypeMeta that identify an object.
var identity = map[string]string{"Name": "ObjectMeta", "Namespace": "ObjectMeta", "Kind": "TypeMeta", "APIVersion": "TypeMeta"}

// identifies reports whether a field is one of these.
func identifies(owner types.Type, v *types.Var) bool {
	meta, ok := identity[v.Name()]
	return ok && source.IsMetaV1(owner, meta)
}

// byValue reports whether an embedded field with this tag is embedded by value.
func (b *builder) byValue(tag gotype.FieldTag) bool {
	return tag.Inline && (b.release.EmbedsUnnamed() || slices.Contains(strings.Split(tag.Options, ","), "inline"))
}

// embedded adds the methods for the fields of an embedded struct.
func (b *builder) embedded(v *types.Var, byValue bool, in embedding) {
	structType, ok := b.index.universe.Underlying(gotype.Pointee(v.Type())).(*types.Struct)
	if !ok {
		return
	}
	name, _, applied := b.index.find(v.Type())
	next := embedding{path: in.path + "." + v.Name(), ensure: in.ensure, raw: in.raw || !applied, pointer: in.pointer || !byValue}
	if !next.raw && !next.pointer && b.index.universe.Decl(gotype.Pointee(v.Type())) == b.decl {
		b.names.reporter.diags.AddHint(b.names.reporter.fset.Position(v.Pos()),
			"give the field a name in JSON; to omit apply configurations, use --skip applyconfiguration",
			"type %s is inlined in itself", b.decl.Name())
	}
	if applied && !in.raw {
		next.path = in.path + "." + name
	}
	_, pointer := types.Unalias(v.Type()).(*types.Pointer)
	if !byValue && !in.raw || in.raw && pointer {
		made := model.ApplyEmbedded{Func: "ensure" + lastElement(next.path) + "Exists", Path: next.path, Type: b.names.applied(v.Type())}
		next.ensure = append(slices.Clone(in.ensure), made.Func)
		b.target.Ensured = append(b.target.Ensured, made)
	}
	b.methods(structType, gotype.Pointee(v.Type()), next)
}

func lastElement(path string) string { return path[strings.LastIndex(path, ".")+1:] }

// setter plans the setter of a field.
func (b *builder) setter(v *types.Var, in embedding) model.ApplySetter {
	set := model.ApplySetter{Name: v.Name(), Path: in.path + "." + v.Name(), Ensure: in.ensure, Form: model.SetPointer}
	if in.raw {
		return b.rawSetter(v, set)
	}
	set.Type = b.names.applied(v.Type())
	if slice, ok := gotype.Pointee(v.Type()).(*types.Slice); ok {
		_, _, applied := b.index.find(slice.Elem())
		_, set.Pointer = types.Unalias(v.Type()).(*types.Pointer)
		switch {
		case applied:
			set.Form, set.Type = model.AppendPointed, b.names.of(slice.Elem())
			if b.names.hasApplied(slice.Elem()) {
				set.Type = b.names.applied(slice.Elem())
			}
			return set
		case !set.Pointer:
			set.Form, set.Type = model.Append, b.names.of(slice.Elem())
			return set
		}
	}
	_, isMap := types.Unalias(v.Type()).(*types.Map)
	_, _, applied := b.index.find(v.Type())
	switch {
	case isMap:
		set.Form = model.PutEntries
	case applied:
		set.Form, set.Type = model.SetValue, "*"+set.Type
	}
	return set
}

// rawSetter plans the setter of a field of a Go type without an apply configuration.
func (b *builder) rawSetter(v *types.Var, set model.ApplySetter) model.ApplySetter {
	switch t := types.Unalias(v.Type()).(type) {
	case *types.Pointer:
		set.Type = b.names.of(t.Elem())
	case *types.Slice:
		set.Form, set.Type = model.Append, b.names.of(t.Elem())
	case *types.Map:
		set.Form, set.Type = model.PutEntries, b.names.of(t)
	default:
		set.Form, set.Type = model.SetValue, b.names.of(t)
	}
	return set
}
