package resolve

import (
	"bytes"
	"go/token"

	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// CRD holds the names in a CustomResourceDefinition.
type CRD struct {
	Group, Kind, Plural, Scope string
	// Pos is the position of the names.
	Pos token.Position
}

// ParseCRDs returns the CustomResourceDefinitions among the documents of a YAML file. It skips other documents, and files that
// are not YAML, such as templates.
func ParseCRDs(name string, text []byte) []CRD {
	var crds []CRD
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document struct {
			Kind string
			Spec struct {
				Group, Scope string
				Names        yaml.Node
			}
		}
		if decoder.Decode(&document) != nil {
			return crds // at the end of the file, or at the first document that is not YAML
		}
		var names struct{ Kind, Plural string }
		if document.Kind != "CustomResourceDefinition" || document.Spec.Names.Decode(&names) != nil {
			continue
		}
		at := document.Spec.Names
		crds = append(crds, CRD{
			Group: document.Spec.Group, Kind: names.Kind, Plural: names.Plural, Scope: document.Spec.Scope,
			Pos: token.Position{Filename: name, Line: at.Line, Column: at.Column},
		})
	}
}

// checkCRDs reports a kind, declared at pos, whose CustomResourceDefinition has another plural or scope.
func checkCRDs(kind *model.Kind, crds []CRD, pos token.Position, diags *diag.List) {
	for _, crd := range crds {
		if crd.Group != kind.Version.Group.Name || crd.Kind != kind.Name {
			continue
		}
		if crd.Plural != "" && crd.Plural != kind.Resource {
			diags.AddHint(pos, "add // +resourceName="+crd.Plural+", or change the CustomResourceDefinition",
				"the resource of kind %s is %s here and %s in %s", kind.Name, kind.Resource, crd.Plural, diag.Line(crd.Pos))
		}
		if crd.Scope != "" && (crd.Scope == source.ScopeNamespaced) != kind.Namespaced {
			scope, hint := source.ScopeNamespaced, "add // +genclient:nonNamespaced, or change the CustomResourceDefinition"
			if !kind.Namespaced {
				scope, hint = source.ScopeCluster, "change one of them"
			}
			diags.AddHint(pos, hint, "kind %s is %s here and %s in %s", kind.Name, scope, crd.Scope, diag.Line(crd.Pos))
		}
	}
}
