package manifests

import (
	"encoding/json"
	"go/token"
	"iter"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/crd/change"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

const definitionKind = "CustomResourceDefinition"

// HasDefinitions reports whether the stream has CustomResourceDefinitions.
func (s *Stream) HasDefinitions() bool { return slices.ContainsFunc(s.objects, (*object).isDefinition) }

func (o *object) isDefinition() bool {
	return o.Kind == definitionKind && o.APIVersion == apiextensionsv1.SchemeGroupVersion.String()
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

// Definition is a CustomResourceDefinition in a stream.
type Definition struct {
	apiextensionsv1.CustomResourceDefinition
	object *object
}

// At returns the position of a part of the definition, or of the nearest one around it. Steps of a path are keys, and indexes of lists.
func (d Definition) At(steps ...any) token.Position { return d.object.at(toPath(steps)...) }

// Text returns the text of the scalar at a path, or "". Unlike a float64, that of a number has all digits.
func (d Definition) Text(steps ...any) string {
	_, value := d.object.find(toPath(steps))
	return value.Value
}

func toPath(steps []any) (p path) {
	for _, step := range steps {
		if index, ok := step.(int); ok {
			step = element{index: index}
		}
		p = append(p, step)
	}
	return p
}

// misfit returns the path of a part of a definition that cannot be decoded. Errors of the library for JSON lack indexes and keys of maps.
func (o *object) misfit() (at path) {
	var value any
	if err := o.node.Decode(&value); err != nil {
		return nil
	}
	fits := func(p path, part any) bool {
		for _, step := range slices.Backward(p) {
			if _, isElement := step.(element); isElement {
				part = []any{part}
			} else {
				part = map[string]any{step.(string): part}
			}
		}
		text, err := json.Marshal(part)
		return err != nil || json.Unmarshal(text, &apiextensionsv1.CustomResourceDefinition{}) == nil
	}
	for found := true; found; {
		found = false
		for step, part := range partsOf(value) {
			if below := at.with(step); !fits(below, part) {
				at, value, found = below, part, true
				break
			}
		}
	}
	return at
}

// partsOf returns the entries of a map in the order of their keys, or the elements of a list.
func partsOf(value any) iter.Seq2[any, any] {
	return func(yield func(any, any) bool) {
		switch value := value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(value)) {
				if !yield(key, value[key]) {
					return
				}
			}
		case []any:
			for i, part := range value {
				if !yield(element{index: i}, part) {
					return
				}
			}
		}
	}
}

// Definitions returns the CustomResourceDefinitions in the stream, and the kinds of all other objects. Those of a version that servers no
// longer have, and those that cannot be decoded, are errors.
func (s *Stream) Definitions() (all []Definition, others []string, diags diag.List) {
	for _, o := range s.objects {
		d := Definition{object: o}
		switch {
		case strings.HasSuffix(o.Kind, "List") && child(o.node, "items") != nil:
		case !o.isDefinition() && o.Kind == definitionKind && o.group() == apiextensionsv1.GroupName:
			diags.AddHint(o.at("apiVersion"), "convert it to "+apiextensionsv1.SchemeGroupVersion.String(),
				"%s has version %s, which servers have not had since Kubernetes 1.22", o, o.APIVersion)
		case !o.isDefinition():
			others = append(others, o.Kind)
		default:
			if err := o.decode(&d.CustomResourceDefinition); err != nil {
				pos, message := located(o.at(o.misfit()...), err)
				diags.Add(pos, "%s: %s", o, message)
				continue
			}
			all = append(all, d)
		}
	}
	return all, others, diags
}
