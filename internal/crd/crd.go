// Package crd makes the CustomResourceDefinitions of annotated Go types, by the library that controller-gen is made of.
package crd

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Definition is the CustomResourceDefinition of one kind.
type Definition struct {
	Group, Kind string
	// File is how its manifest is called by custom, Content the YAML in it.
	File    string
	Content []byte
	// HasStatus are the versions that serve a subresource status.
	HasStatus []string
}

// manifest is a CustomResourceDefinition without its status, which is the server's.
type manifest struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              apiextensionsv1.CustomResourceDefinitionSpec `json:"spec"`
}

// Generate returns the definitions of the kinds in packages, seen from dir, that are wanted. Kinds without a list type
// are never stored, and so left out. Mistakes in markers are returned as a diag.List.
func Generate(dir string, patterns []string, wanted func(group, kind string) bool) ([]Definition, error) {
	roots, err := loader.LoadRootsWithConfig(&packages.Config{Dir: dir}, patterns...)
	if err != nil {
		return nil, err
	}
	parser, err := newParser(roots)
	if err != nil {
		return nil, err
	}
	meta := crd.FindMetav1(roots)
	if meta == nil {
		return nil, fmt.Errorf("no kinds in %v", patterns)
	}
	var definitions []Definition
	for _, kind := range crd.FindKubeKinds(parser, meta) {
		if !listed(parser, kind) || !wanted(kind.Group, kind.Kind) {
			continue
		}
		parser.NeedCRDFor(kind, nil)
		made := parser.CustomResourceDefinitions[kind]
		crd.FixTopLevelMetadata(made)
		content, err := yaml.Marshal(manifest{
			TypeMeta:   metav1.TypeMeta{APIVersion: apiextensionsv1.SchemeGroupVersion.String(), Kind: "CustomResourceDefinition"},
			ObjectMeta: metav1.ObjectMeta{Name: made.Name},
			Spec:       made.Spec,
		})
		if err != nil {
			return nil, err
		}
		definition := Definition{Group: kind.Group, Kind: kind.Kind, File: kind.Group + "_" + made.Spec.Names.Plural + ".yaml", Content: content}
		for _, version := range made.Spec.Versions {
			if version.Subresources != nil && version.Subresources.Status != nil {
				definition.HasStatus = append(definition.HasStatus, version.Name)
			}
		}
		definitions = append(definitions, definition)
	}
	slices.SortFunc(definitions, func(a, b Definition) int { return strings.Compare(a.File, b.File) })
	return definitions, mistakes(roots).Err()
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
func mistakes(roots []*loader.Package) diag.List {
	var all diag.List
	for _, p := range roots {
		for _, err := range p.Errors {
			if err.Kind != packages.TypeError {
				all.Add(position(err.Pos), "%s", err.Msg)
			}
		}
	}
	return all
}

// position reads file:line:column.
func position(text string) token.Position {
	pos := token.Position{Filename: text}
	for _, field := range []*int{&pos.Column, &pos.Line} {
		i := strings.LastIndex(pos.Filename, ":")
		if i < 0 {
			break
		}
		n, err := strconv.Atoi(pos.Filename[i+1:])
		if err != nil {
			break
		}
		*field, pos.Filename = n, pos.Filename[:i]
	}
	return pos
}
