// Package crd generates CustomResourceDefinitions from annotated Go types.
//
// Schemas and markers are left to controller-gen's library, because validation markers are kubebuilder's and must mean the same here. It
// gets the packages of the run instead of loading its own, see [Open]. Facts from the markers of clients, such as the scope in
// +genclient:nonNamespaced, are passed to it as kubebuilder's markers.
package crd

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
)

// API has the facts about the packages that are not in their markers for controller-gen.
type API struct {
	// Kinds complete the markers. Kinds that only controller-gen knows are generated, too.
	Kinds []Kind
	// Plain are the import paths of packages without kubebuilder's markers. In others, these decide alone about the subresource status. Kinds
	// of plain packages are stored by servers only if they have a list type.
	Plain []string
}

// Kind has the properties of a kind that the clients of one version assume.
type Kind struct {
	// Package is the import path of the package with the type.
	Package, Group, Version, Name string
	// Renamed is the kind in the API if it is not Name, the name of the type.
	Renamed string
	// Resource is the plural.
	Resource string
	// Namespaced is the scope, and Status reports whether there is a status subresource.
	Namespaced, Status bool
	// Storage makes this version the storage version.
	Storage bool
	// Skipped is true if no server stores objects of the kind, so that it gets no definition. Generic kinds have fields that the library
	// cannot describe, and get none either.
	Skipped, Generic bool
}

// Definition is one manifest.
type Definition struct {
	// File is its conventional file name, Content the YAML in it.
	File    string
	Content []byte
	// Size is the size of a CustomResourceDefinition as compact JSON in bytes, and Pos the position of its type.
	Size int
	Pos  token.Position
}

// Definitions returns the definitions of the kinds in the packages, sorted by file name. Invalid markers are a diag.List. It can be
// called once.
func (p *Packages) Definitions(api API, options Options) ([]Definition, error) {
	roots, all, err := p.load()
	if err != nil {
		return nil, err
	}
	registry := &markers.Registry{}
	if err := options.generator.RegisterMarkers(registry); err != nil {
		return nil, err
	}
	c := completion{&markers.Collector{Registry: registry}, all, api}
	roots = slices.DeleteFunc(slices.Clone(roots), func(root *loader.Package) bool { return !c.complete(root) })
	made := options.definitions(p.parser(c, options), roots)
	found := p.mistakes(all)
	if slices.ContainsFunc(found, unexplained) {
		if explained := contradictions(roots, p.parser(c, options)); len(explained) > 0 {
			found = append(slices.DeleteFunc(found, unexplained), explained...)
		}
	}
	if err := found.Err(); err != nil {
		return nil, err
	}
	for i, d := range made {
		for _, k := range api.Kinds {
			if k.Renamed != "" && d.Spec.Group == k.Group && d.Spec.Names.Kind == k.Name {
				made[i].Spec.Names.Kind, made[i].Spec.Names.ListKind = k.Renamed, k.Renamed+"List"
			}
		}
	}
	files, err := options.encode(made)
	slices.SortFunc(files, func(a, b Definition) int { return strings.Compare(a.File, b.File) })
	return files, err
}

// required is the version of controller-gen's library in go.mod, for programs that do not know what they link.
const required = "v0.23.0"

// linked returns the version of controller-gen's library in this program.
var linked = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == controllerTools {
				return m.Version
			}
		}
	}
	return required
})

const controllerTools = "sigs.k8s.io/controller-tools"

// Options are the options of controller-gen's generator crd, and ours.
type Options struct {
	// Descriptions is the value of the option that says whose comments are descriptions.
	Descriptions string

	generator crd.Generator
}

// ParseOptions reads options in the syntax of controller-gen's command line, such as maxDescLen=0. File names are relative to dir.
func ParseOptions(dir string, options []string) (Options, error) {
	generator, err := Parse[crd.Generator]("crd", nil, options)
	if generator.HeaderFile != "" {
		generator.HeaderFile = diag.Absolute(dir, generator.HeaderFile)
	}
	return Options{generator: generator}, err
}

// Parse reads the options of a generator of controller-gen, given and others that the generator requires. An error names the option.
func Parse[Generator any](name string, required, given []string) (Generator, error) {
	var generator Generator
	definition, err := markers.MakeDefinition(name, markers.DescribesPackage, generator)
	if err != nil {
		return generator, err
	}
	parse := func(options []string) (any, error) {
		if len(options) == 0 {
			return generator, nil
		}
		return definition.Parse("+" + name + ":" + strings.Join(options, ","))
	}
	for _, option := range given {
		if _, err := parse(slices.Concat(required, []string{option})); err != nil {
			return generator, fmt.Errorf("%q: %w", option, marker.FirstError(err))
		}
	}
	parsed, err := parse(slices.Concat(required, given))
	generator, _ = parsed.(Generator)
	return generator, err
}

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
