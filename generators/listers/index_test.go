package listers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// TestWalk compares the statements for paths.
func TestWalk(t *testing.T) {
	pointer, slice, entries := model.IndexStep{Into: model.IntoPointer}, model.IndexStep{Into: model.IntoSlice}, model.IndexStep{Into: model.IntoMap}
	field := func(name string) model.IndexStep { return model.IndexStep{Field: name} }
	for name, test := range map[string]struct {
		path  []model.IndexStep
		basic string
		want  string
	}{
		"field":             {[]model.IndexStep{field("Spec"), field("Name")}, "string", `keys = append(keys, string(object.Spec.Name)); return keys`},
		"boolean":           {[]model.IndexStep{field("Paused")}, "bool", `keys = append(keys, strconv.FormatBool(bool(object.Paused))); return keys`},
		"unsigned":          {[]model.IndexStep{field("Weight")}, "uint", `keys = append(keys, strconv.FormatUint(uint64(object.Weight), 10)); return keys`},
		"pointer":           {[]model.IndexStep{field("Size"), pointer}, "int", `if object.Size == nil { return nil } keys = append(keys, strconv.FormatInt(int64(*object.Size), 10)); return keys`},
		"through a pointer": {[]model.IndexStep{field("Spec"), pointer, field("Name")}, "string", `if object.Spec == nil { return nil } keys = append(keys, string(object.Spec.Name)); return keys`},
		"slice":             {[]model.IndexStep{field("Zones"), slice}, "string", `for _, element1 := range object.Zones { keys = append(keys, string(element1)) } return keys`},
		"slice of pointers": {[]model.IndexStep{field("Zones"), slice, pointer}, "string", `for _, element1 := range object.Zones { if element1 == nil { continue } keys = append(keys, string(*element1)) } return keys`},
		"pointer to slice":  {[]model.IndexStep{field("Zones"), pointer, slice}, "string", `if object.Zones == nil { return nil } for _, element1 := range *object.Zones { keys = append(keys, string(element1)) } return keys`},
		"slices in slices":  {[]model.IndexStep{field("A"), slice, field("B"), slice}, "string", `for _, element1 := range object.A { for _, element2 := range element1.B { keys = append(keys, string(element2)) } } return keys`},
		"map":               {[]model.IndexStep{field("Selector"), entries}, "string", `for key, value := range object.Selector { keys = append(keys, cached.EntryKey(string(key), string(value))) } return keys`},
		"map in a slice":    {[]model.IndexStep{field("A"), slice, field("M"), entries}, "string", `for _, element1 := range object.A { for key, value := range element1.M { keys = append(keys, cached.EntryKey(string(key), string(value))) } } return keys`},
	} {
		t.Run(name, func(t *testing.T) {
			view := indexView{Index: model.Index{Of: model.IndexOfField, Path: test.path, Basic: test.basic}}
			code := strings.Join(strings.Fields(strings.ReplaceAll(view.keys(), ")\nreturn", "); return")), " ")
			assert.Equal(t, test.want, code)
		})
	}
}

// TestLookUp compares the calls of lookups.
func TestLookUp(t *testing.T) {
	entries := []model.IndexStep{{Field: "Selector"}, {Into: model.IntoMap}}
	kind := kindView{fleet().Kinds[0], &model.Layout{}, ""}
	for want, index := range map[string]model.Index{
		`LookUp[*fleetv1.Arm](s.ListerSource.Objects, "namespace/spec.name", value)`:                        {Name: "spec.name", Of: model.IndexOfField, Value: "string", Basic: "string"},
		`LookUp[*fleetv1.Arm](s.ListerSource.Objects, "namespace/spec.zone", string(value))`:                {Name: "spec.zone", Of: model.IndexOfField, Value: "Zone", Local: true, Basic: "string"},
		`LookUp[*fleetv1.Arm](s.ListerSource.Objects, "namespace/paused", strconv.FormatBool(bool(value)))`: {Name: "paused", Of: model.IndexOfField, Value: "bool", Basic: "bool"},
		`LookUpInt[*fleetv1.Arm](s.ListerSource.Objects, "namespace/size", int64(value))`:                   {Name: "size", Of: model.IndexOfField, Value: "int32", Basic: "int"},
		`LookUpUint[*fleetv1.Arm](s.ListerSource.Objects, "namespace/weight", uint64(value))`:               {Name: "weight", Of: model.IndexOfField, Value: "Weight", Local: true, Basic: "uint"},
		`LookUpEntry[*fleetv1.Arm](s.ListerSource.Objects, "namespace/selector", key, value)`:               {Name: "selector", Of: model.IndexOfField, Value: "string", Basic: "string", Path: entries},
		`LookUp[*fleetv1.Arm](s.ListerSource.Objects, "namespace/uid", string(uid))`:                        {Name: "uid", Of: model.IndexOfOwner, Value: "string", Basic: "string"},
		`LookUp[*fleetv1.Arm](s.ListerSource.Objects, "namespace/Keys", value)`:                             {Name: "Keys", Of: model.IndexOfFunc, Func: "Keys", Value: "string", Basic: "string"},
	} {
		assert.Equal(t, want, indexView{index, kind}.LookUp("s.ListerSource.Objects"))
	}
}
