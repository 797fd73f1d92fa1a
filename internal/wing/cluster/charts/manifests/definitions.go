package manifests

import (
	"go/token"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/manifest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/change"
)

// CheckDefinitions compares the definitions in the stream with those of the types. Missing and different parts are errors at the
// position that the types have for them, superfluous ones are warnings in the stream. It also returns the names of absent definitions.
func (s *Stream) CheckDefinitions(
	wanted []*apiextensionsv1.CustomResourceDefinition, position func(change.Place) token.Position,
) (diags diag.List, absent []string) {
	found := map[string]bool{}
	for _, o := range s.Objects {
		var got apiextensionsv1.CustomResourceDefinition
		if !o.IsDefinition() {
			continue
		}
		if err := o.Decode(&got); err != nil {
			diags.Add(o.At(), "%s: %s", o, err)
			continue
		}
		i := slices.IndexFunc(wanted, func(w *apiextensionsv1.CustomResourceDefinition) bool {
			return w.Spec.Group == got.Spec.Group && (w.Spec.Names.Kind == got.Spec.Names.Kind || w.Name == got.Name)
		})
		if i < 0 {
			continue
		}
		found[wanted[i].Name] = true
		c := comparison{object: o, crd: wanted[i].Name, position: position}
		c.value(manifest.Path{"metadata", "name"}, wanted[i].Name, got.Name)
		c.value(manifest.Path{"spec"}, values(wanted[i].Spec), values(got.Spec))
		diags = append(diags, c.diags...)
	}
	for _, w := range wanted {
		if !found[w.Name] {
			absent = append(absent, w.Name)
		}
	}
	return diags, absent
}

// values returns the values of a specification as in JSON, with defaults, without the parts that may differ.
func values(spec apiextensionsv1.CustomResourceDefinitionSpec) any {
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&spec)
	spec.Conversion = nil
	value, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&spec)
	if err != nil {
		return err.Error() // not valid in the stream
	}
	return value
}
