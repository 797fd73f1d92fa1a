package manifest

import (
	"encoding/json"
	"go/token"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

const definitionKind = "CustomResourceDefinition"

// HasDefinitions reports whether the stream has CustomResourceDefinitions.
func (s *Stream) HasDefinitions() bool { return slices.ContainsFunc(s.Objects, (*Object).IsDefinition) }

// IsDefinition reports whether the object is a CustomResourceDefinition of the version that servers have.
func (o *Object) IsDefinition() bool {
	return o.Kind == definitionKind && o.APIVersion == apiextensionsv1.SchemeGroupVersion.String()
}

// Definition is a CustomResourceDefinition in a stream.
type Definition struct {
	apiextensionsv1.CustomResourceDefinition
	object *Object
}

// At returns the position of a part of the definition, or of the nearest one around it. Steps of a path are keys, and indexes of lists.
func (d Definition) At(steps ...any) token.Position { return d.object.At(toPath(steps)...) }

// Text returns the text of the scalar at a path, or "". The text of a number has all digits, unlike a float64.
func (d Definition) Text(steps ...any) string {
	_, value := d.object.Find(toPath(steps))
	return value.Value
}

func toPath(steps []any) (p Path) {
	for _, step := range steps {
		if index, ok := step.(int); ok {
			step = Element{Index: index}
		}
		p = append(p, step)
	}
	return p
}

// misfit returns the path of the first part of a value that cannot be decoded, in the order of keys. Errors of the library for JSON lack
// indexes and keys of maps. The function around puts a part into the definition.
func misfit(value any, around func(part any) any) Path {
	fails := func(part any) bool {
		text, err := json.Marshal(around(part))
		return err == nil && json.Unmarshal(text, &apiextensionsv1.CustomResourceDefinition{}) != nil
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			in := func(part any) any { return map[string]any{key: part} }
			if fails(in(value[key])) {
				return append(Path{key}, misfit(value[key], func(part any) any { return around(in(part)) })...)
			}
		}
	case []any:
		for i, part := range value {
			if fails([]any{part}) {
				return append(Path{Element{Index: i}}, misfit(part, func(part any) any { return around([]any{part}) })...)
			}
		}
	}
	return nil
}

// Definitions returns the CustomResourceDefinitions in the stream, and the kinds of all other objects. Definitions of a version that
// servers no longer have, and definitions that cannot be decoded, are errors.
func (s *Stream) Definitions() (all []Definition, others []string, diags diag.List) {
	for _, o := range s.Objects {
		d := Definition{object: o}
		switch {
		case strings.HasSuffix(o.Kind, "List") && child(o.node, "items") != nil:
		case !o.IsDefinition() && o.Kind == definitionKind && o.Group() == apiextensionsv1.GroupName:
			diags.AddHint(o.At("apiVersion"), "convert it to "+apiextensionsv1.SchemeGroupVersion.String(),
				"%s has version %s, which servers have not had since Kubernetes 1.22", o, o.APIVersion)
		case !o.IsDefinition():
			others = append(others, o.Kind)
		default:
			if err := o.Decode(&d.CustomResourceDefinition); err != nil {
				var value any
				_ = o.node.Decode(&value) // fails as it does in decode
				pos, message := located(o.At(misfit(value, func(part any) any { return part })...), err)
				diags.Add(pos, "%s: %s", o, message)
				continue
			}
			all = append(all, d)
		}
	}
	return all, others, diags
}
