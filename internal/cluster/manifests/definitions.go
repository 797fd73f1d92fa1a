package manifests

import (
	"encoding/json"
	"go/token"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/crd/change"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// HasDefinitions reports whether the stream has CustomResourceDefinitions.
func (s *Stream) HasDefinitions() bool { return slices.ContainsFunc(s.objects, (*object).isDefinition) }

func (o *object) isDefinition() bool {
	return o.Kind == "CustomResourceDefinition" && o.APIVersion == apiextensionsv1.SchemeGroupVersion.String()
}

// CheckDefinitions compares the definitions in the stream with those of the types. Missing and different parts are errors at the
// position that the types have for them, superfluous ones are warnings in the stream. It also returns the names of absent definitions.
func (s *Stream) CheckDefinitions(
	wanted []*apiextensionsv1.CustomResourceDefinition, position func(change.Place) token.Position,
) (diags diag.List, absent []string) {
	found := map[string]bool{}
	for _, o := range s.objects {
		var got apiextensionsv1.CustomResourceDefinition
		if !o.isDefinition() {
			continue
		}
		if err := o.decode(&got); err != nil {
			diags.Add(o.at(), "%s: %s", o, err)
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
		c.value(path{"metadata", "name"}, wanted[i].Name, got.Name)
		c.value(path{"spec"}, values(wanted[i].Spec), values(got.Spec))
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
func values(spec apiextensionsv1.CustomResourceDefinitionSpec) (value any) {
	spec.Conversion = nil
	if spec.Names.Singular == "" {
		spec.Names.Singular = strings.ToLower(spec.Names.Kind)
	}
	if spec.Names.ListKind == "" {
		spec.Names.ListKind = spec.Names.Kind + "List"
	}
	text, err := json.Marshal(spec)
	if err == nil {
		err = json.Unmarshal(text, &value)
	}
	if err != nil {
		return err.Error() // not valid in the stream
	}
	return value
}
