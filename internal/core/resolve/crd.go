package resolve

import (
	"bytes"
	"go/token"

	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// CRD holds the names in a CustomResourceDefinition.
type CRD struct {
	Group, Kind, Plural, Scope string
	// Pos is the position of the names.
	Pos token.Position
}

func (c CRD) defines(kind *model.Kind) bool {
	return c.Group == kind.Version.Group.Name && c.Kind == kind.APIKind()
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
		if !crd.defines(kind) {
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

// checkStatus reports a kind whose client and definition disagree about the subresource status, where kubebuilder's markers decide
// about the definition.
func checkStatus(kind *model.Kind, decl *source.Kind, diags *diag.List) {
	noStatus, served := decl.By.NoStatus, decl.Kubebuilder.Status
	switch {
	case noStatus != nil && served != nil:
		diags.AddHint(noStatus.Pos, "keep the correct one", "+%s contradicts +%s at %s", noStatus.Name, served.Name, diag.Line(served.Pos))
	case served == nil && kind.HasStatus:
		diags.Warn(decl.Pos, "add // +"+marker.StatusSubresource+", or omit the methods with // +"+marker.NoStatus,
			"the CustomResourceDefinition of kind %s has no subresource status, which its client updates", kind.Name)
	}
}
