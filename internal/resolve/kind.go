package resolve

import (
	"go/ast"
	"go/token"
	"path"
	"strings"

	validation "k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/gengo/v2/namer"
	"k8s.io/gengo/v2/types"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// kindOf makes a kind of a type declaration. It returns nil for a type that no client can be generated for, which is
// reported.
func (r *resolver) kindOf(s *source, name string, version *model.Version, opts Options) *model.Kind {
	diags := &r.diags
	decl := s.types[name]
	structType := r.universe.Struct(decl.Decl)
	if !checkContract(decl, structType, diags) {
		return nil
	}
	r.checkList(s, name, diags)
	tags := ReadClientTags(decl.tags, diags)
	kind := &model.Kind{
		Name:         name,
		Version:      version,
		Plural:       namer.NewPublicPluralNamer(opts.Plurals).Name(gengoType(name)),
		Resource:     namer.NewAllLowercasePluralNamer(opts.Plurals).Name(gengoType(name)),
		HasList:      s.types[name+"List"] != nil,
		PointerItems: r.pointerItems(s, name+"List"),
		NoVerbs:      tags.NoVerbs,
		Verbs:        tags.Verbs,
	}
	var facts Facts
	r.setResource(kind, decl, opts, &facts)
	r.setScope(kind, decl, &facts)
	setStatus(kind, decl, fieldNames(structType)["Status"], &facts)
	addVerbFacts(kind, decl, tags.Methods, &facts)
	r.controllerOf(kind, decl, &facts)
	r.kindFacts[kind], r.declared[kind] = facts, decl.pos
	if !kind.HasList && kind.NeedsList() {
		diags.AddHint(decl.pos, "declare type "+kind.List()+", or leave the verbs out with +genclient:skipVerbs=list,deleteCollection",
			"type %s has no list type %s", name, kind.List())
	}
	for _, tag := range tags.Methods {
		kind.Methods = append(kind.Methods, r.methodOf(s, kind, tag))
	}
	s.checkMethodNames(kind, tags.Methods, diags)
	return kind
}

func isDNSLabel(s string) bool { return len(validation.IsDNS1123Label(s)) == 0 }

func gengoType(name string) *types.Type { return &types.Type{Name: types.Name{Name: name}} }

// checkContract reports a type that is no API object. The struct is nil if the type is none.
func checkContract(decl *typeDecl, structType *ast.StructType, diags *diag.List) bool {
	spec := decl.Spec
	switch {
	case !token.IsExported(spec.Name.Name):
		diags.Add(decl.pos, "type %s has +genclient and is not exported", spec.Name)
	case spec.Assign.IsValid():
		diags.AddHint(decl.pos, "put +genclient on the type that it stands for", "type %s has +genclient and is an alias", spec.Name)
	case spec.TypeParams != nil:
		diags.Add(decl.pos, "type %s has +genclient and is generic", spec.Name)
	case structType == nil:
		diags.Add(decl.pos, "type %s has +genclient and is not a struct", spec.Name)
	case !fieldNames(structType)["ObjectMeta"] && !embedsStruct(structType):
		diags.AddHint(decl.pos, "embed metav1.ObjectMeta `json:\"metadata,omitempty\"`", "type %s has +genclient and no ObjectMeta", spec.Name)
	case !fieldNames(structType)["TypeMeta"] && !embedsStruct(structType):
		diags.AddHint(decl.pos, "embed metav1.TypeMeta `json:\",inline\"`", "type %s has +genclient and no TypeMeta", spec.Name)
	default:
		return true
	}
	return false
}

// checkList reports a list type that is none: without ListMeta, or without items of the kind.
func (r *resolver) checkList(s *source, kind string, diags *diag.List) {
	list := s.types[kind+"List"]
	if list == nil {
		return
	}
	structType := r.universe.Struct(list.Decl)
	if structType == nil {
		diags.Add(list.pos, "type %sList is not a struct", kind)
		return
	}
	names := fieldNames(structType)
	if !names["ListMeta"] {
		diags.AddHint(list.pos, "embed metav1.ListMeta `json:\"metadata,omitempty\"`", "list type %sList has no ListMeta", kind)
	}
	if !names["Items"] {
		diags.AddHint(list.pos, "add Items []"+kind+" `json:\"items\"`", "list type %sList has no Items", kind)
	}
}

// fieldNames returns the names of the fields of a struct.
func fieldNames(structType *ast.StructType) map[string]bool {
	names := map[string]bool{}
	for _, field := range structType.Fields.List {
		for _, name := range field.Names {
			names[name.Name] = true
		}
		if len(field.Names) == 0 {
			names[gotype.EmbeddedName(field.Type)] = true
		}
	}
	return names
}

// pointerItems tells whether the items of a list type are pointers to objects.
func (r *resolver) pointerItems(s *source, list string) bool {
	decl := s.types[list]
	if decl == nil {
		return false
	}
	structType := r.universe.Struct(decl.Decl)
	if structType == nil {
		return false
	}
	for _, field := range structType.Fields.List {
		if array, ok := field.Type.(*ast.ArrayType); ok && len(field.Names) == 1 && field.Names[0].Name == "Items" {
			_, pointer := array.Elt.(*ast.StarExpr)
			return pointer
		}
	}
	return false
}

// embedsStruct tells whether a struct embeds anything but TypeMeta and ObjectMeta, from which it may inherit these.
func embedsStruct(structType *ast.StructType) bool {
	for _, field := range structType.Fields.List {
		if name := gotype.EmbeddedName(field.Type); len(field.Names) == 0 && name != "TypeMeta" && name != "ObjectMeta" {
			return true
		}
	}
	return false
}

// internal tells whether the type is of an internal version: its ObjectMeta, having no json tag, is never serialized.
func (r *resolver) internal(s *source, decl *typeDecl) bool {
	structType := r.universe.Struct(decl.Decl)
	if structType == nil {
		return false
	}
	for _, field := range structType.Fields.List {
		if len(field.Names) == 0 && gotype.EmbeddedName(field.Type) == "ObjectMeta" {
			return field.Tag == nil || !strings.Contains(field.Tag.Value, "json")
		}
	}
	return false
}

func (r *resolver) methodOf(s *source, kind *model.Kind, tag MethodTag) model.Method {
	diags := &r.diags
	method := model.Method{
		Name: tag.Name, Verb: model.Verb(tag.Verb), Subresource: tag.Subresource,
		Input:  r.typeRef(s, kind, tag.Input, tag.InputPos),
		Result: r.typeRef(s, kind, tag.Result, tag.ResultPos),
	}
	if method.Verb != model.Apply { // which sends an apply configuration
		r.checkObject(method.Input, tag.InputPos)
	}
	returned := method.Result
	if method.Verb == model.List {
		returned.Name += "List"
		if returned.Package == s.Path && s.types[returned.Name] == nil {
			diags.Add(tag.Pos, "method %s returns %s, which this package does not declare", tag.Name, returned.Name)
		}
	}
	r.checkObject(returned, tag.ResultPos)
	for _, part := range strings.Split(tag.Subresource, "/") {
		if tag.Subresource != "" && !isDNSLabel(part) {
			diags.Add(tag.Pos, "method %s: invalid subresource %q", tag.Name, tag.Subresource)
		}
	}
	return method
}

// typeRef resolves the input or result of a method: the kind itself if the tag is silent, a type of the same package,
// or one of another package, written as its import path, a dot and the name.
func (r *resolver) typeRef(s *source, kind *model.Kind, written string, pos token.Position) model.Type {
	if written == "" {
		return model.Type{Package: s.Path, Name: kind.Name}
	}
	dot := strings.LastIndex(written, ".")
	ref := model.Type{Package: s.Path, Name: written[dot+1:]}
	if dot > 0 {
		ref.Package = written[:dot]
	}
	if !token.IsIdentifier(ref.Name) || !token.IsExported(ref.Name) || !ValidImportPath(ref.Package) {
		r.diags.AddHint(pos, "write Name, or import/path.Name", "%q does not name a type", written)
		return ref
	}
	// A package that cannot be loaded may be one that the module has yet to require: the compiler will tell.
	if declaring := r.universe.Package(ref.Package); declaring != nil && declaring.Types[ref.Name] == nil {
		hint := ""
		if nearest := marker.Nearest(ref.Name, declaring.TypeNames); nearest != "" {
			hint = "did you mean " + nearest + "?"
		}
		r.diags.AddHint(pos, hint, "type %s is not declared in package %s", ref.Name, ref.Package)
	}
	return ref
}

// checkObject reports a struct that no client can send or receive, as it cannot be a runtime.Object.
func (r *resolver) checkObject(t model.Type, pos token.Position) {
	declaring := r.universe.Package(t.Package)
	if declaring == nil || declaring.Types[t.Name] == nil {
		return
	}
	decl := declaring.Types[t.Name]
	structType := r.universe.Struct(decl)
	if structType == nil || fieldNames(structType)["TypeMeta"] || embedsStruct(structType) {
		return
	}
	if _, byHand := decl.Method("GetObjectKind"); !byHand {
		r.diags.AddHint(pos, "embed metav1.TypeMeta `json:\",inline\"`", "type %s has no TypeMeta, so no method can send or return it", t.Name)
	}
}

// ValidImportPath tells whether something has the form of an import path. What has not is kept out of generated code.
func ValidImportPath(p string) bool {
	return p != "" && path.Clean(p) == p && !strings.HasPrefix(p, "/") && !strings.ContainsFunc(p, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune("!\"#$%&'()*,:;<=>?[\\]^`{|}", r)
	})
}

// checkMethodNames reports custom methods that share a name with each other or with a verb of the client.
func (s *source) checkMethodNames(kind *model.Kind, tags []MethodTag, diags *diag.List) {
	taken := map[string]bool{}
	for _, verb := range kind.ClientVerbs(true) {
		taken[model.UpperFirst(string(verb))] = true
	}
	for _, tag := range tags {
		if taken[tag.Name] {
			diags.Add(tag.Pos, "type %s has a client method %s already", kind.Name, tag.Name)
		}
		taken[tag.Name] = true
	}
}
