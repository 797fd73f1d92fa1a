// Package crds makes the CustomResourceDefinitions of annotated Go types, by the library that controller-gen is made of.
package crds

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/tools/go/packages"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/yaml"
)

// manifest is a CustomResourceDefinition without its status, which is the server's.
type manifest struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              apiextensionsv1.CustomResourceDefinitionSpec `json:"spec"`
}

// Input says what to make CustomResourceDefinitions of.
type Input struct {
	// Dir is the directory that Patterns are seen from.
	Dir string
	// Patterns select packages.
	Patterns []string
	// NotStored are kinds that have a list type and yet are never stored. Kinds without a list type never are.
	NotStored []string
}

// Generate returns a YAML file, by name, for each kind that is stored.
func Generate(input Input) (map[string][]byte, error) {
	roots, err := loader.LoadRootsWithConfig(&packages.Config{Dir: input.Dir}, input.Patterns...)
	if err != nil {
		return nil, err
	}
	parser, err := newParser(roots)
	if err != nil {
		return nil, err
	}
	meta := crd.FindMetav1(roots)
	if meta == nil {
		return nil, fmt.Errorf("no kinds in %v", input.Patterns)
	}
	files := map[string][]byte{}
	for _, kind := range crd.FindKubeKinds(parser, meta) {
		if !listed(parser, kind) || slices.Contains(input.NotStored, kind.Kind) {
			continue
		}
		parser.NeedCRDFor(kind, nil)
		definition := parser.CustomResourceDefinitions[kind]
		crd.FixTopLevelMetadata(definition)
		content, err := yaml.Marshal(manifest{
			TypeMeta:   metav1.TypeMeta{APIVersion: apiextensionsv1.SchemeGroupVersion.String(), Kind: "CustomResourceDefinition"},
			ObjectMeta: metav1.ObjectMeta{Name: definition.Name},
			Spec:       definition.Spec,
		})
		if err != nil {
			return nil, err
		}
		files[definition.Spec.Group+"_"+definition.Spec.Names.Plural+".yaml"] = content
	}
	return files, mistakes(roots)
}

func newParser(roots []*loader.Package) (*crd.Parser, error) {
	generator := crd.Generator{}
	registry := &markers.Registry{}
	if err := generator.RegisterMarkers(registry); err != nil {
		return nil, err
	}
	parser := &crd.Parser{
		Collector: &markers.Collector{Registry: registry},
		Checker:   &loader.TypeChecker{NodeFilters: []loader.NodeFilter{generator.CheckFilter()}},
	}
	crd.AddKnownTypes(parser)
	for _, p := range roots {
		parser.NeedPackage(p)
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

// mistakes are those that were found in the packages on the way. The library follows only the imports that it needs, so
// that its type errors mean nothing: they are for the compiler to find.
func mistakes(roots []*loader.Package) error {
	var all []error
	for _, p := range roots {
		for _, err := range p.Errors {
			if err.Kind != packages.TypeError {
				all = append(all, err)
			}
		}
	}
	return errors.Join(all...)
}
