// Package crd generates CustomResourceDefinitions from annotated Go types.
//
// It calls the library behind controller-gen, because validation markers are kubebuilder's and must mean the same here. The
// scaffold writes its output.
package crd

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Config configures Generate.
type Config struct {
	// Packages are package patterns, relative to Dir. BuildFlags are passed to the go command that lists the packages.
	Dir                  string
	Packages, BuildFlags []string
	// Kinds get definitions, and complete these where markers for controller-gen are missing. Without any, all kinds get one.
	Kinds []Kind
}

// Kind has the properties of a kind that the clients of one version assume.
type Kind struct {
	// Package is the import path of the package with the type.
	Package, Group, Version, Name string
	// Resource is the plural.
	Resource string
	// Namespaced is the scope, and Status reports whether there is a status subresource.
	Namespaced, Status bool
}

// Definition is the CustomResourceDefinition of one kind.
type Definition struct {
	Group, Kind string
	// File is the conventional file name of the manifest, Content the YAML in it.
	File    string
	Content []byte
}

// manifest is a CustomResourceDefinition without its status, which belongs to the server.
type manifest struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              apiextensionsv1.CustomResourceDefinitionSpec `json:"spec"`
}

// Generate returns the definitions of the wanted kinds. Kinds without a list type are never stored and are omitted. Invalid
// markers are returned as a diag.List.
func Generate(cfg Config) ([]Definition, error) {
	roots, err := loader.LoadRootsWithConfig(&packages.Config{Dir: cfg.Dir, BuildFlags: cfg.BuildFlags}, cfg.Packages...)
	if err != nil {
		return nil, err
	}
	parser, err := newParser(roots, cfg.Kinds)
	if err != nil {
		return nil, err
	}
	meta := crd.FindMetav1(roots)
	if meta == nil {
		if err := mistakes(roots).Err(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("no kinds in %v", cfg.Packages)
	}
	var definitions []Definition
	for _, kind := range crd.FindKubeKinds(parser, meta) {
		wanted := len(cfg.Kinds) == 0 || slices.ContainsFunc(cfg.Kinds, func(k Kind) bool { return matches(kind, k) })
		if !wanted || !listed(parser, kind) {
			continue
		}
		definition, err := cfg.definition(parser, roots, kind)
		if err != nil {
			return nil, err
		}
		definitions = append(definitions, definition)
	}
	slices.SortFunc(definitions, func(a, b Definition) int { return strings.Compare(a.File, b.File) })
	return definitions, mistakes(roots).Err()
}

// definition returns the definition of one kind.
func (c Config) definition(parser *crd.Parser, roots []*loader.Package, kind schema.GroupKind) (Definition, error) {
	parser.NeedCRDFor(kind, nil)
	made := parser.CustomResourceDefinitions[kind]
	for _, k := range c.Kinds {
		if matches(kind, k) {
			k.complete(&made)
		}
	}
	chooseStorage(&made.Spec, roots, kind)
	crd.FixTopLevelMetadata(made)
	content, err := yaml.Marshal(manifest{
		TypeMeta:   metav1.TypeMeta{APIVersion: apiextensionsv1.SchemeGroupVersion.String(), Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{Name: made.Name},
		Spec:       made.Spec,
	})
	return Definition{kind.Group, kind.Kind, kind.Group + "_" + made.Spec.Names.Plural + ".yaml", content}, err
}

func matches(kind schema.GroupKind, k Kind) bool { return k.Group == kind.Group && k.Name == kind.Kind }

// complete sets the properties that the clients assume. Properties set by controller-gen markers stay unchanged, because the
// clients follow these markers too.
func (k Kind) complete(made *apiextensionsv1.CustomResourceDefinition) {
	made.Spec.Names.Plural = k.Resource
	made.Name = k.Resource + "." + k.Group
	made.Spec.Scope = apiextensionsv1.ClusterScoped
	if k.Namespaced {
		made.Spec.Scope = apiextensionsv1.NamespaceScoped
	}
	for i := range made.Spec.Versions {
		served := &made.Spec.Versions[i]
		if served.Name != k.Version || !k.Status {
			continue
		}
		if served.Subresources == nil {
			served.Subresources = &apiextensionsv1.CustomResourceSubresources{}
		}
		if served.Subresources.Status == nil {
			served.Subresources.Status = &apiextensionsv1.CustomResourceSubresourceStatus{}
		}
	}
}

// chooseStorage makes the most stable version the storage version if no marker selects one. The library reports a missing marker
// as an error, which chooseStorage removes.
func chooseStorage(spec *apiextensionsv1.CustomResourceDefinitionSpec, roots []*loader.Package, kind schema.GroupKind) {
	versions := spec.Versions
	if len(versions) == 0 || slices.ContainsFunc(versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Storage }) {
		return
	}
	stable := 0
	for i := range versions {
		if version.CompareKubeAwareVersionStrings(versions[i].Name, versions[stable].Name) > 0 {
			stable = i
		}
	}
	versions[stable].Storage = true
	complaint := fmt.Sprintf("CRD for %s has no storage version", kind)
	for _, p := range roots {
		p.Errors = slices.DeleteFunc(p.Errors, func(err packages.Error) bool { return err.Msg == complaint })
	}
}

func newParser(roots []*loader.Package, kinds []Kind) (*crd.Parser, error) {
	generator := crd.Generator{}
	registry := &markers.Registry{}
	if err := generator.RegisterMarkers(registry); err != nil {
		return nil, err
	}
	parser := &crd.Parser{
		Collector: &markers.Collector{Registry: registry},
		Checker:   &loader.TypeChecker{NodeFilters: []loader.NodeFilter{generator.CheckFilter()}},
		// Clients support floating-point numbers, and there is no flag to allow them.
		AllowDangerousTypes: true,
	}
	crd.AddKnownTypes(parser)
	for _, p := range roots {
		parser.NeedPackage(p)
		for _, k := range kinds {
			if k.Package == p.PkgPath && parser.GroupVersions[p].Group == "" {
				parser.GroupVersions[p] = schema.GroupVersion{Group: k.Group, Version: k.Version}
			}
		}
	}
	return parser, nil
}

// listed reports whether some version of the group has a list type for the kind.
func listed(parser *crd.Parser, kind schema.GroupKind) bool {
	for ident := range parser.Types {
		if ident.Name == kind.Kind+"List" && parser.GroupVersions[ident.Package].Group == kind.Group {
			return true
		}
	}
	return false
}

// mistakes returns the errors that the library found in the packages. It omits type errors, which are meaningless because the
// library follows only the imports that it needs.
func mistakes(roots []*loader.Package) diag.List {
	var all diag.List
	for _, p := range roots {
		for _, err := range p.Errors {
			if err.Kind != packages.TypeError {
				all.Add(diag.ParsePosition(err.Pos), "%s", err.Msg)
			}
		}
	}
	return all
}
