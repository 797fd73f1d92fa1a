package crd

import (
	"go/ast"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
)

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
