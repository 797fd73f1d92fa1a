package applyconfiguration

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/smd"
)

// fill adds the fields and methods to the types of a package.
func (p *planner) fill(pkg *model.ApplyPackage) {
	universe := p.index.universe
	s := universe.Package(pkg.Source)
	imports := goname.NewImports(goname.NewScope(inType, goname.Predeclared))
	names := &typeNames{index: p.index, reporter: p.reporter, pkg: pkg, imports: imports, open: map[string]bool{}}
	for _, t := range pkg.Types {
		decl := s.Types[t.Name]
		named := universe.Type(decl)
		structType := universe.Underlying(named).(*types.Struct)
		b := &builder{
			index: p.index, names: names, decl: decl, target: t,
			seen: map[string]bool{}, got: map[string]bool{}, written: map[string]bool{}, reserved: map[string]bool{}, embedded: map[string]int{},
			unsent: map[string]unsent{},
		}
		t.Encodes = p.index.encodes(decl)
		b.scan(structType, true, 0)
		t.Doc = p.index.doc(decl.Doc)
		t.GoType = names.of(named)
		t.APIVersion = strings.TrimPrefix(pkg.Group+"/"+pkg.Version, "/")
		t.Kind = t.Name
		if kind := p.kinds[decl]; kind != nil {
			describe(t, kind)
			t.SchemaName, t.ViaJSON = smd.Name(decl), p.index.needsJSON(named)
		}
		b.fields(structType, named)
		b.checkJSON(structType, t.Encodes)
		for name, meta := range identity {
			b.reserved[name] = t.Client || t.TypeMeta && meta == "TypeMeta" // the constructor sets these
		}
		b.methods(structType, named, embedding{path: "b", json: p.index.inJSON(structType)})
		b.warnUnsent()
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
	t.Client, t.Kind = true, kind.APIKind()
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
	index  *index
	names  *typeNames
	decl   *gotype.Decl
	target *model.ApplyType
	// seen are the fields with setters, got the fields with getters, and written the fields for which code-generator writes setters.
	seen, got, written map[string]bool
	// reserved are the setters of a kind that identify the object. Other inlined fields with the same name get none, even if they come first.
	reserved map[string]bool
	// embedded are the numbers of embedded structs by name.
	embedded map[string]int
	// unsent are the setters of fields that are not in the JSON, by name.
	unsent map[string]unsent
}

// fields adds the struct's fields.
func (b *builder) fields(structType *types.Struct, owner types.Type) {
	for _, f := range b.index.fieldsOf(structType, owner) {
		planned := model.ApplyField{
			Doc: b.index.doc(b.index.universe.Field(f.Var).Doc), Name: f.name, Type: b.names.applied(f.Type()),
			JSON: cmp.Or(f.tag.Name, f.Name()) + ",omitempty",
		}
		pointer := !nillable(f.Type())
		if f.isEmbedded() {
			planned.Name, pointer = "", !b.byValue(f)
			if source.IsMetaV1(f.Type(), "TypeMeta") {
				b.target.TypeMeta = true
			}
		}
		switch {
		case f.tag.Inline:
			planned.JSON = b.inlined(f.tag.Has("omitempty"))
		case f.quoted:
			planned.JSON += ",string"
		case planned.Name == "" && !pointer:
			planned.JSON = strings.TrimSuffix(planned.JSON, "empty") + "zero" // an embedded array, for example
		}
		if pointer {
			planned.Type = "*" + planned.Type
		}
		b.target.Fields = append(b.target.Fields, planned)
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
	// raw is true for the Go type itself, whose fields are not pointers, unlike in apply configurations.
	raw bool
	// pointer is true if an apply configuration on the path is embedded by pointer.
	pointer bool
	// added is true if code-generator omits a field on the path.
	added bool
	// within are the structs on the path.
	within []string
	// through are the fields on the path. Beyond the first named fields, all are inlined in a JSON object, whose fields are json.
	through []*types.Var
	named   int
	json    map[*types.Var]gotype.JSONField
}

// methods adds the setters and getters for the fields of a struct, including promoted fields.
func (b *builder) methods(structType *types.Struct, owner types.Type, in embedding) {
	fields := b.index.rawFields
	if !in.raw {
		fields = b.index.fieldsOf
	}
	for _, f := range fields(structType, owner) {
		f.added = f.added || in.added
		if f.isEmbedded() {
			if inlined := f.added && f.tag.Inline; inlined || !b.seen[f.Name()] {
				b.seen[f.Name()] = b.seen[f.Name()] || !inlined
				b.embed(f, in)
			}
			continue
		}
		if identity := identifies(f.owner, f.Var); identity && !b.got[f.Name()] {
			b.got[f.Name()] = true
			// The client needs these to apply an object.
			b.target.Getters = append(b.target.Getters, model.ApplyGetter{
				Name: f.Name(), Path: in.path + "." + f.name, Type: b.names.applied(f.Type()), Ensure: in.ensure,
			})
		}
		if name := b.setterName(f); name != "" {
			if !in.sends(f.Var) {
				b.unsent[name] = unsent{setter: len(b.target.Setters), path: in.pathTo(f)}
			}
			b.target.Setters = append(b.target.Setters, b.setter(f, name, in))
		} else if hidden, ok := b.unsent[f.Name()]; ok && hidden.by == nil && in.sends(f.Var) {
			b.replace(hidden, f, in)
		}
	}
}

// setterName returns the name of a field's setter after With, or "" for a field without a setter, whose name is taken. As in
// code-generator, only the first field with a name has a setter. A field that code-generator omits does not take another field's setter.
func (b *builder) setterName(f field) string {
	name := f.Name()
	if !f.Exported() || b.seen[name] {
		name = f.name // the name in the apply configuration
	}
	isAdded := f.added || name != f.Name()
	if b.seen[name] || b.reserved[name] && !identifies(f.owner, f.Var) || isAdded && b.written[name] {
		return ""
	}
	b.seen[name] = true
	return name
}

// scan finds the fields for which code-generator writes setters, and counts embedded structs, both at any depth.
func (b *builder) scan(structType *types.Struct, written bool, depth int) {
	for i := range structType.NumFields() {
		v, written := structType.Field(i), written && b.index.written(structType.Tag(i))
		b.written[v.Name()] = b.written[v.Name()] || written
		inner, ok := b.index.universe.Underlying(gotype.Pointee(v.Type())).(*types.Struct)
		if ok && v.Embedded() && depth < 50 { // deeper structs embed themselves
			b.embedded[v.Name()]++
			b.scan(inner, written, depth+1)
		}
	}
}

// identity are the fields of ObjectMeta and TypeMeta that identify an object.
var identity = map[string]string{"Name": "ObjectMeta", "Namespace": "ObjectMeta", "Kind": "TypeMeta", "APIVersion": "TypeMeta"}

// identifies reports whether a field is one of these.
func identifies(owner types.Type, v *types.Var) bool {
	meta, ok := identity[v.Name()]
	return ok && source.IsMetaV1(owner, meta)
}

// byValue reports whether an embedded field is embedded by value.
func (b *builder) byValue(f field) bool {
	if _, isInterface := b.index.universe.Underlying(f.Type()).(*types.Interface); isInterface {
		return true
	}
	if f.added && f.tag.Inline && b.index.universe.Encoding(f.Type()) != gotype.Structured {
		return true // its MarshalJSON is promoted, and called for nil pointers
	}
	return f.tag.Name == "" && (b.index.release.EmbedsUnnamed() || f.tag.Has("inline"))
}

// inlined returns the JSON tag of an inlined field.
func (b *builder) inlined(omitempty bool) string {
	tag := ""
	if omitempty {
		tag = ",omitempty"
	}
	if !b.index.release.EmbedsUnnamed() {
		tag += ",inline"
	}
	return tag
}

// embed adds the methods for the fields of an embedded struct.
func (b *builder) embed(f field, in embedding) {
	structType, ok := b.index.universe.Underlying(gotype.Pointee(f.Type())).(*types.Struct)
	if !ok {
		return
	}
	byValue := b.byValue(f)
	name, _, applied := b.index.find(f.Type())
	key := gotype.Pointee(f.Type()).String()
	next := embedding{
		path: in.path + "." + f.Name(), ensure: in.ensure, raw: in.raw || !applied, pointer: in.pointer || !byValue, added: f.added,
		within: append(slices.Clone(in.within), key), through: in.pathTo(f), named: in.named, json: in.json,
	}
	if !f.tag.Inline && in.sends(f.Var) {
		next.named, next.json = len(next.through), b.index.inJSON(structType)
	}
	if !next.raw && !next.pointer && b.index.universe.Decl(gotype.Pointee(f.Type())) == b.decl {
		b.names.reporter.diags.AddHint(b.names.reporter.fset.Position(f.Pos()),
			"give the field a name in JSON; to omit apply configurations, use --skip applyconfiguration",
			"type %s is inlined in itself", b.decl.Name())
	}
	if slices.Contains(in.within, key) {
		return // encoding/json skips it
	}
	if applied && !in.raw {
		next.path = in.path + "." + name
		if b.embedded[f.Name()] == 1 {
			next.path = "b." + name // no other one can be meant
		}
	}
	if _, pointer := types.Unalias(f.Type()).(*types.Pointer); byValue && !in.raw || in.raw && !pointer {
		b.methods(structType, gotype.Pointee(f.Type()), next)
		return
	}
	last := next.path[strings.LastIndex(next.path, ".")+1:]
	made := model.ApplyEmbedded{Func: "ensure" + last + "Exists", Path: next.path, Type: b.names.applied(f.Type())}
	next.ensure = append(slices.Clone(in.ensure), made.Func)
	b.methods(structType, gotype.Pointee(f.Type()), next)
	if last := len(b.target.Setters) - 1; last >= 0 {
		made.After = b.target.Setters[last].Name
	}
	b.target.Ensured = append(b.target.Ensured, made)
}

// setter plans the setter of a field.
func (b *builder) setter(f field, name string, in embedding) model.ApplySetter {
	v := f.Var
	set := model.ApplySetter{Name: name, Path: in.path + "." + f.name, Ensure: in.ensure, Form: model.SetPointer}
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
