package listers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// TestWalk compares the statements for paths.
func TestWalk(t *testing.T) {
	pointer, slice, entries := model.Step{Into: model.IntoPointer}, model.Step{Into: model.IntoSlice}, model.Step{Into: model.IntoMap}
	field := func(name string) model.Step { return model.Step{Field: name} }
	for name, test := range map[string]struct {
		path []model.Step
		want string
	}{
		"field":             {[]model.Step{field("Spec"), field("Name")}, `return []string{object.Spec.Name}`},
		"pointer":           {[]model.Step{field("Size"), pointer}, `if object.Size == nil { return nil } return []string{*object.Size}`},
		"through a pointer": {[]model.Step{field("Spec"), pointer, field("Name")}, `if object.Spec == nil { return nil } return []string{object.Spec.Name}`},
		"slice":             {[]model.Step{field("Zones"), slice}, `for _, element1 := range object.Zones { values = append(values, element1) } return values`},
		"slice of pointers": {[]model.Step{field("Zones"), slice, pointer}, `for _, element1 := range object.Zones { if element1 == nil { continue } values = append(values, *element1) } return values`},
		"pointer to slice":  {[]model.Step{field("Zones"), pointer, slice}, `if object.Zones == nil { return nil } for _, element1 := range *object.Zones { values = append(values, element1) } return values`},
		"slices in slices":  {[]model.Step{field("A"), slice, field("B"), slice}, `for _, element1 := range object.A { for _, element2 := range element1.B { values = append(values, element2) } } return values`},
		"map":               {[]model.Step{field("Selector"), entries}, `for key, value := range object.Selector { entries = append(entries, lister.Entry{Key: string(key), Value: string(value)}) } return entries`},
		"map in a slice":    {[]model.Step{field("A"), slice, field("M"), entries}, `for _, element1 := range object.A { for key, value := range element1.M { entries = append(entries, lister.Entry{Key: string(key), Value: string(value)}) } } return entries`},
	} {
		t.Run(name, func(t *testing.T) {
			view := indexView{Index: model.Index{Of: model.IndexOfField, Path: test.path, Value: "string"}}
			assert.Equal(t, test.want, strings.Join(strings.Fields(view.walk()), " "))
		})
	}
}

// TestVariables compares names and results of indexes.
func TestVariables(t *testing.T) {
	entries := []model.Step{{Field: "Selector"}, {Into: model.IntoMap}}
	slice := []model.Step{{Field: "Zones"}, {Into: model.IntoSlice}}
	kind := kindView{fleet().Kinds[0], &model.Layout{}, ""}
	for want, index := range map[string]model.Index{
		"ArmByName []string":                     {Method: "ByName", Of: model.IndexOfField, Value: "string"},
		"ArmByZone []fleetv1.Zone":               {Method: "ByZone", Of: model.IndexOfField, Value: "Zone", Local: true},
		"ArmByZones (values []string)":           {Method: "ByZones", Of: model.IndexOfField, Value: "string", Path: slice},
		"ArmBySelector (entries []lister.Entry)": {Method: "BySelector", Of: model.IndexOfField, Value: "string", Path: entries},
		"ArmByLabel (values []string)":           {Method: "ByLabel", Of: model.IndexOfLabel, Value: "string"},
		"ArmByKeys (values []string)":            {Method: "ByKeys", Of: model.IndexOfFunc, Func: "Keys", Value: "string"},
		"ArmByOwner (uids []types.UID)":          {Method: "ByOwner", Of: model.IndexOfOwner, Value: "string"},
	} {
		view := indexView{index, kind}
		assert.Equal(t, want, view.Var()+" "+view.Result())
	}
}

// TestValues compares the formatted bodies of functions without a path.
func TestValues(t *testing.T) {
	kind := kindView{fleet().Kinds[0], &model.Layout{}, ""}
	for want, index := range map[string]model.Index{
		"\tif value, ok := object.Labels[\"team\"]; ok {\n\t\tvalues = append(values, value)\n\t}\n\treturn values": {Of: model.IndexOfLabel, Label: "team"},
		"\tfor _, owner := range object.OwnerReferences {\n\t\tuids = append(uids, owner.UID)\n\t}\n\treturn uids":  {Of: model.IndexOfOwner},
		"\treturn fleetv1.Keys(object)": {Of: model.IndexOfFunc, Func: "Keys"},
	} {
		assert.Equal(t, want, indexView{index, kind}.Values())
	}
}
