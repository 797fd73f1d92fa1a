package crd

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
)

const groupMarker = "groupName"

// completion adds markers to packages, as if they were in the source: the library parses the comments of a package once and keeps what
// it found in the collector.
type completion struct {
	collector *markers.Collector
	packages  []*loader.Package
	API
}

// complete adds the markers that a package and its kinds lack. It reports whether the package has a group; otherwise no server serves
// its types.
func (c completion) complete(root *loader.Package) bool {
	nodes, err := c.collector.MarkersInPackage(root)
	if err != nil {
		return true // the generator reports it
	}
	grouped := slices.ContainsFunc(root.Syntax, func(file *ast.File) bool { return nodes[file].Get(groupMarker) != nil })
	declared := map[string]*ast.TypeSpec{}
	loader.EachType(root, func(_ *ast.File, _ *ast.GenDecl, spec *ast.TypeSpec) { declared[spec.Name.Name] = spec })
	plain := slices.Contains(c.Plain, root.PkgPath)
	for _, kind := range c.Kinds {
		if kind.Package != root.PkgPath || declared[kind.Name] == nil {
			continue
		}
		if !grouped {
			add(nodes, root.Syntax[0], groupMarker, kind.Group)
			add(nodes, root.Syntax[0], "versionName", kind.Version)
			grouped = true
		}
		for _, file := range root.Syntax {
			if group := nodes[file].Get(groupMarker); group != nil && kind.Group != "" { // clients request this one
				nodes[file][groupMarker] = []any{kind.Group}
			}
		}
		kind.complete(nodes, declared[kind.Name], plain)
	}
	for name, spec := range declared {
		if plain && isKind(spec) && declared[name+"List"] == nil {
			skip(nodes, spec)
		}
	}
	return grouped
}

// complete adds the markers that a kind lacks.
func (k Kind) complete(nodes map[ast.Node]markers.MarkerValues, spec *ast.TypeSpec, plain bool) {
	if k.Skipped || k.Generic {
		skip(nodes, spec)
		return
	}
	if k.Storage {
		add(nodes, spec, "kubebuilder:storageversion", crdmarkers.StorageVersion{})
	}
	k.completeResource(nodes, spec)
	if k.Status && plain {
		add(nodes, spec, "kubebuilder:subresource:status", crdmarkers.SubresourceStatus{})
	}
}

// completeResource sets the resource and the scope, unless a marker does. Where the defaults are right, it adds nothing: a marker on one
// version also sets the short names and categories of the others.
func (k Kind) completeResource(nodes map[ast.Node]markers.MarkerValues, spec *ast.TypeSpec) {
	const name = "kubebuilder:resource"
	resource, _ := nodes[spec].Get(name).(crdmarkers.Resource)
	complete := resource
	if resource.Path == "" && k.Resource != marker.DefaultResource(k.Name) {
		complete.Path = k.Resource
	}
	if resource.Scope == "" && !k.Namespaced {
		complete.Scope = "Cluster"
	}
	if complete.Path != resource.Path || complete.Scope != resource.Scope {
		add(nodes, spec, name, complete) // the last one takes effect
	}
}

// skip leaves a version of a kind out. The other markers would then be in error.
func skip(nodes map[ast.Node]markers.MarkerValues, spec *ast.TypeSpec) {
	nodes[spec] = markers.MarkerValues{"kubebuilder:skipversion": {crdmarkers.SkipVersion{}}}
}

func add(nodes map[ast.Node]markers.MarkerValues, node ast.Node, name string, value any) {
	if nodes[node] == nil {
		nodes[node] = markers.MarkerValues{}
	}
	nodes[node][name] = append(nodes[node][name], value)
}

// MayDeclareKinds reports whether files declare a type that embeds TypeMeta and ObjectMeta, which makes it a kind for controller-gen.
// Packages with a group may also declare further versions of a kind by the type of another package.
func MayDeclareKinds(files []*ast.File) bool {
	for _, file := range files {
		for _, comment := range file.Comments {
			if slices.ContainsFunc(comment.List, func(c *ast.Comment) bool { return strings.Contains(c.Text, "+"+groupMarker) }) {
				return true
			}
		}
		for _, decl := range file.Decls {
			if general, ok := decl.(*ast.GenDecl); ok && general.Tok == token.TYPE && slices.ContainsFunc(general.Specs, isKind) {
				return true
			}
		}
	}
	return false
}

func isKind(spec ast.Spec) bool {
	structType, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType)
	return ok && embeds(structType, "TypeMeta") && embeds(structType, "ObjectMeta")
}

func embeds(structType *ast.StructType, name string) bool {
	return slices.ContainsFunc(structType.Fields.List, func(field *ast.Field) bool {
		return len(field.Names) == 0 && gotype.EmbeddedName(field.Type) == name
	})
}

// remedies are hints for messages of the library with a text. What such a hint replaces begins with another text.
var remedies = []struct{ text, replaced, hint string }{
	{"interface type is not supported", "consider using", "use apiextensionsv1.JSON for any value, or runtime.RawExtension for any object"},
	{"found float", "Please consider", "use a string or resource.Quantity, or set crd-options: [allowDangerousTypes=true]"},
	{"without JSON tag", "\n", "add a tag with the name of the field in JSON, or `json:\"-\"`"},
	{"inline struct types", "use a named", "declare a named type"},
	{"unsupported ", "\n", "use another type, or leave the field out with the tag `json:\"-\"`"},
	{unserved, " with version(s)", "remove +kubebuilder:unservedversion from the type of one version"},
}

// unserved ends a message that has the whole schema before it.
const unserved = " does not serve any version"

// mistakes returns the errors that the library found in packages.
func (p *Packages) mistakes(all []*loader.Package) (found diag.List) {
	for _, pkg := range all {
		for _, err := range pkg.Errors {
			d := diag.Diagnostic{Pos: diag.ParsePosition(err.Pos), Message: err.Msg}
			if err.Pos == pkg.ID+":-" && len(pkg.Syntax) > 0 {
				d.Pos = pkg.Fset.Position(pkg.Syntax[0].Name.Pos())
			}
			for _, r := range remedies {
				if strings.Contains(d.Message, r.text) {
					before, _, _ := strings.Cut(d.Message, r.replaced)
					d.Message, d.Hint = strings.TrimRight(before, " .,;"), r.hint
					if r.text == unserved {
						d.Message += unserved
					}
				}
			}
			if p.missing[err.Pos] != nil {
				d.Cause = p.missing[err.Pos]
			}
			found = append(found, d)
		}
	}
	return gotype.Explain(found)
}

// references is called for each schema that refers to a type, and says how. It implements crd.SchemaVisitor.
type references func(schema *apiextensionsv1.JSONSchemaProps)

// Visit implements crd.SchemaVisitor.
func (f references) Visit(schema *apiextensionsv1.JSONSchemaProps) crd.SchemaVisitor {
	if schema != nil && schema.Ref != nil {
		f(schema)
	}
	return f
}

// referred returns the type that a schema refers to, in a package.
func referred(from *loader.Package, schema *apiextensionsv1.JSONSchemaProps) crd.TypeIdent {
	name, path, _ := crd.RefParts(*schema.Ref)
	if path != "" {
		from = from.Imports()[path]
	}
	return crd.TypeIdent{Package: from, Name: name}
}

// unexplained reports whether a diagnostic is the library's about a contradiction, which has no position.
func unexplained(d diag.Diagnostic) bool {
	return strings.HasPrefix(d.Message, "conflicting types in allOf")
}

// contradictions reports fields and types with +kubebuilder:validation:Type that contradict the schema of their Go type.
func contradictions(roots []*loader.Package, parser *crd.Parser) (found diag.List) {
	for _, root := range roots {
		loader.EachType(root, func(_ *ast.File, _ *ast.GenDecl, spec *ast.TypeSpec) {
			if isKind(spec) {
				parser.NeedSchemaFor(crd.TypeIdent{Package: root, Name: spec.Name.Name})
			}
		})
	}
	for t, info := range parser.Types {
		check := func(node ast.Node, what string, schema apiextensionsv1.JSONSchemaProps) {
			crd.EditSchema(schema.DeepCopy(), references(func(schema *apiextensionsv1.JSONSchemaProps) {
				of := referred(t.Package, schema)
				name, hint := of.Package.Name+"."+of.Name, "declare a string or []byte, or "
				if of.Package == t.Package {
					name = of.Name + " at " + diag.Line(t.Package.Fset.Position(parser.Types[of].RawSpec.Name.Pos()))
					hint = "let +kubebuilder:validation:Type agree with the Go type, or "
				}
				end := parser.Schemata[of] // json.RawMessage is jsontext.Value since Go 1.27
				for ; end.Ref != nil && module.Standard(of.Package.PkgPath); end = parser.Schemata[of] {
					of = referred(of.Package, &end)
				}
				if schema.Type != "" && end.Type != "" && end.Type != schema.Type && !module.Standard(t.Package.PkgPath) {
					hint += remedies[0].hint + "; to leave definitions to an older controller-gen, set skip: [crd]"
					found.AddHint(t.Package.Fset.Position(node.Pos()), hint,
						"%s has type %s in the schema, but %s has type %s", what, schema.Type, name, end.Type)
				}
			}))
		}
		schema := parser.Schemata[t]
		for _, field := range info.Fields {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			check(field.RawField, "field "+field.Name, schema.Properties[name])
		}
		schema.Properties = nil
		check(info.RawSpec, "type "+info.Name, schema)
	}
	return found
}
