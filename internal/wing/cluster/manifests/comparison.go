package manifests

import (
	"encoding/json"
	"go/token"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/manifest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/change"
)

// comparison compares a definition of the stream with the definition of the types.
type comparison struct {
	object   *manifest.Object
	crd      string
	position func(change.Place) token.Position
	diags    diag.List
}

// value compares the values of a part.
func (c *comparison) value(at manifest.Path, want, got any) {
	wantEntries, wantMap := want.(map[string]any)
	gotEntries, gotMap := got.(map[string]any)
	wantElements, wantList := want.([]any)
	gotElements, gotList := got.([]any)
	switch in := c.kind(at); {
	case in == data && at[len(at)-1] != "enum":
		if text(want) != text(got) {
			c.differs(at, want, got)
		}
	case wantMap && gotMap:
		c.parts(at, wantEntries, gotEntries, func(key string) any { return key })
	case wantList && gotList:
		name := elementName(at[len(at)-1])
		indices := map[string]int{}
		for i, e := range gotElements {
			indices[name(i, e)] = i
		}
		step := func(key string) any {
			if i, exists := indices[key]; exists {
				return manifest.Element{Index: i, Name: key}
			}
			return manifest.Element{Index: len(gotElements), Name: key}
		}
		c.parts(at, named(wantElements, name), named(gotElements, name), step)
	case text(want) != text(got):
		c.differs(at, want, got)
	}
}

func (c *comparison) differs(at manifest.Path, want, got any) {
	c.wrong(at, "%s is %s, want %s", at, text(got), text(want))
}

// named returns the elements of a list by name.
func named(list []any, name func(int, any) string) map[string]any {
	elements := map[string]any{}
	for i, e := range list {
		elements[name(i, e)] = e
	}
	return elements
}

// elementName returns a function that names the elements of a list whose order does not matter, and numbers the elements of other lists.
func elementName(list any) func(int, any) string {
	key := map[any]string{
		"versions": "name", "additionalPrinterColumns": "name", "x-kubernetes-validations": "rule", "selectableFields": "jsonPath",
	}[list]
	return func(i int, e any) string {
		switch e := e.(type) {
		case string:
			return e
		case map[string]any:
			if name, ok := e[key].(string); ok {
				return name
			}
			return text(i)
		}
		return text(e)
	}
}

// parts compares entries of a mapping, or elements of a list. Step returns the step of a path for a key.
func (c *comparison) parts(at manifest.Path, want, got map[string]any, step func(string) any) {
	in := c.kind(at)
	keys := map[string]any{}
	maps.Copy(keys, want)
	maps.Copy(keys, got)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		part := at.With(step(key))
		expected, wanted := want[key]
		actual, exists := got[key]
		switch {
		case in == schemas && key == "properties": // fields are compared one by one, even if a side has none
			wantFields, _ := expected.(map[string]any)
			gotFields, _ := actual.(map[string]any)
			c.parts(part, wantFields, gotFields, func(key string) any { return key })
		case key == "description" && in != fields && in != data:
		case wanted && exists:
			c.value(part, expected, actual)
		case wanted:
			c.wrong(part, "%s is missing", part)
		case in == fields || at[len(at)-1] == "versions" ||
			in == other && slices.ContainsFunc(part, func(list any) bool { return slices.Contains(additions, list) }):
			c.diags.Warn(c.object.At(part...), "remove it", "%s: %s is not in the types", c.object, part)
		default:
			c.wrong(part, "%s is %s, which the types do not have", part, text(actual))
		}
	}
}

// additions are lists whose elements add to a definition without restricting it.
var additions = []any{"shortNames", "categories", "additionalPrinterColumns", "selectableFields"}

// wrong reports a part that must change.
func (c *comparison) wrong(at manifest.Path, format string, args ...any) {
	place, _ := c.place(at)
	pos := c.position(place)
	if !pos.IsValid() {
		pos = c.object.At(at...)
	}
	c.diags.AddHint(pos, "copy the definition that generate writes", "%s: "+format, append([]any{c.object}, args...)...)
}

// content is the content of a part of a definition.
type content int

const (
	other content = iota
	// schemas are schemas, fields the properties of one, and data are values of fields.
	schemas
	fields
	data
)

func (c *comparison) kind(at manifest.Path) content {
	_, kind := c.place(at)
	return kind
}

// place returns the version and the field that a part of the definition is about, and the content of the part.
func (c *comparison) place(at manifest.Path) (place change.Place, in content) {
	place.CRD = c.crd
	for i, step := range at {
		e, isElement := step.(manifest.Element)
		switch {
		case in == data:
		case in == fields:
			place.Path = append(place.Path, step.(string))
			in = schemas
		case isElement && at[i-1] == "versions":
			place.Version = e.Name
		case isElement && at[i-1] == "required" && in == schemas:
			place.Path = append(place.Path, e.Name)
		case step == "openAPIV3Schema":
			in = schemas
		case in != schemas:
		case step == "properties":
			in = fields
		case step == "items", step == "additionalProperties":
			place.Path = append(place.Path, change.Element)
		case step == "default", step == "enum", step == "example":
			in = data
		}
	}
	return place, in
}

// text returns a value as JSON.
func text(value any) string {
	out, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// CheckDefinitions compares the definitions in the stream with the definitions of the types. Missing and different parts are errors at
// their position in the types, superfluous parts are warnings in the stream. It also returns the names of absent definitions.
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
	names := lists.Map(wanted, func(w *apiextensionsv1.CustomResourceDefinition) string { return w.Name })
	return diags, lists.Filter(names, func(name string) bool { return !found[name] })
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
