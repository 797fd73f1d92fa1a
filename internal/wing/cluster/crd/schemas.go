package crd

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
)

// parser returns a parser of the library, which makes schemas.
func (p *Packages) parser(c completion, o Options) *crd.Parser {
	none := func(ast.Node) bool { return false } // is to be checked: the types are known
	isTrue := func(option *bool) bool { return option != nil && *option }
	parser := &crd.Parser{
		Collector: c.collector, Checker: &loader.TypeChecker{NodeFilters: []loader.NodeFilter{none}},
		IgnoreUnexportedFields:     isTrue(o.generator.IgnoreUnexportedFields),
		AllowDangerousTypes:        isTrue(o.generator.AllowDangerousTypes),
		GenerateEmbeddedObjectMeta: isTrue(o.generator.GenerateEmbeddedObjectMeta),
	}
	crd.AddKnownTypes(parser)
	for _, pkg := range c.packages {
		for _, k := range c.Kinds {
			if k.Generic && k.Package == pkg.PkgPath {
				parser.Schemata[crd.TypeIdent{Package: pkg, Name: k.Name}] = apiextensionsv1.JSONSchemaProps{}
			}
		}
	}
	if o.Descriptions == option.DescriptionsOwn {
		for _, path := range p.foreign {
			parser.PackageOverrides[path] = withoutDescriptions(parser.PackageOverrides[path])
		}
	}
	return parser
}

// described is a definition with the position of its type.
type described struct {
	apiextensionsv1.CustomResourceDefinition
	pos token.Position
}

// definitions returns the definitions of the kinds in packages, which are invalid if the packages have errors then.
func (o Options) definitions(parser *crd.Parser, roots []*loader.Package) (all []described) {
	for _, root := range roots {
		parser.NeedPackage(root)
	}
	meta := crd.FindMetav1(roots)
	if meta == nil {
		return nil
	}
	for _, kind := range crd.FindKubeKinds(parser, meta) {
		parser.NeedCRDFor(kind, o.generator.MaxDescLen)
		made, ok := parser.CustomResourceDefinitions[kind]
		if !ok { // all its versions are skipped
			continue
		}
		if omit := o.generator.OmitToolVersion; omit == nil || !*omit {
			metav1.SetMetaDataAnnotation(&made.ObjectMeta, origin.ControllerGen, linked())
		}
		crd.FixTopLevelMetadata(made)
		all = append(all, described{made, position(parser, kind)})
	}
	return all
}

// position returns the position of the type of a kind; of several versions, of the first one.
func position(parser *crd.Parser, kind schema.GroupKind) token.Position {
	var all []token.Position
	for t, info := range parser.Types {
		if t.Name == kind.Kind && parser.GroupVersions[t.Package].Group == kind.Group {
			all = append(all, t.Package.Fset.Position(info.RawSpec.Pos()))
		}
	}
	return slices.MinFunc(all, func(a, b token.Position) int { return cmp.Compare(a.Filename, b.Filename) })
}
