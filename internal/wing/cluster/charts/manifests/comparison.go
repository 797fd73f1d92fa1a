package manifests

import (
	"encoding/json"
	"go/token"
	"maps"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/manifest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/change"
)

// comparison compares a definition with that of the types.
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

// elementName returns a function that names the elements of a list whose order does not matter, and numbers those of others.
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
		case in == schemas && key == "properties": // the fields are what is missing or superfluous
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

// content is what a part of a definition holds.
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

// place returns the version and the field that a part of the definition is about, and what it holds.
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
