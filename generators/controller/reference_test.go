package controller

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

func field(names ...string) model.Path {
	var path model.Path
	for _, name := range names {
		path = append(path, model.Step{Field: name})
	}
	return path
}

// TestNames compares the functions that return the names of references.
func TestNames(t *testing.T) {
	pointer, slice := model.Step{Into: model.IntoPointer}, model.Step{Into: model.IntoSlice}
	at := func(path ...model.Step) *model.StringAt { return &model.StringAt{Path: path} }
	plain := model.StringAt{Path: field("Ref", "Name")}
	through := append(append(field("Ref"), pointer), field("Name")...)
	refs := append(field("Refs"), slice)
	for name, test := range map[string]struct {
		global    bool // the referring kind is cluster-scoped
		toGlobal  bool
		reference model.Reference
		want      string
	}{
		"name": {reference: model.Reference{Target: plain},
			want: `return []cache.ObjectName{{Namespace: object.GetNamespace(), Name: object.Ref.Name}}`},
		"type of its own": {reference: model.Reference{Target: model.StringAt{Path: field("Name"), Converted: true}},
			want: `return []cache.ObjectName{{Namespace: object.GetNamespace(), Name: string(object.Name)}}`},
		"cluster-scoped": {toGlobal: true, reference: model.Reference{Target: plain},
			want: `return []cache.ObjectName{{Name: object.Ref.Name}}`},
		"namespace": {reference: model.Reference{Target: plain, Namespace: at(field("Ref", "Namespace")...)},
			want: `return []cache.ObjectName{{Namespace: cmp.Or(object.Ref.Namespace, object.GetNamespace()), Name: object.Ref.Name}}`},
		"pointers that are checked": {
			reference: model.Reference{
				Target:    model.StringAt{Path: through},
				Namespace: at(append(append(append(field("Ref"), pointer), field("Namespace")...), pointer)...),
			},
			want: `if object.Ref == nil { return nil } namespace := object.GetNamespace() ` +
				`if object.Ref.Namespace != nil && *object.Ref.Namespace != "" { namespace = *object.Ref.Namespace } ` +
				`return []cache.ObjectName{{Namespace: namespace, Name: object.Ref.Name}}`},
		"without a namespace of its own": {global: true,
			reference: model.Reference{Target: plain, Namespace: at(field("Ref", "Namespace")...)},
			want: `if object.Ref.Namespace != "" { names = append(names, cache.ObjectName{Namespace: object.Ref.Namespace, Name: object.Ref.Name}) } ` +
				`return names`},
		"in a pointer to a pointer": {global: true,
			reference: model.Reference{
				Target:    model.StringAt{Path: append(append(field("Ref"), pointer, pointer), field("Name")...)},
				Namespace: at(append(append(field("Ref"), pointer, pointer), field("Namespace")...)...),
			},
			want: `if object.Ref == nil { return nil } if *object.Ref == nil { return nil } if (*object.Ref).Namespace != "" { ` +
				`names = append(names, cache.ObjectName{Namespace: (*object.Ref).Namespace, Name: (*object.Ref).Name}) } return names`},
		"list": {reference: model.Reference{Each: refs, Target: model.StringAt{Path: field("Name")}},
			want: `for _, element1 := range object.Refs { ` +
				`names = append(names, cache.ObjectName{Namespace: object.GetNamespace(), Name: element1.Name}) } return names`},
		"kind": {reference: model.Reference{Each: refs, Target: model.StringAt{Path: field("Name")}, Kind: at(field("Kind")...)},
			want: `for _, element1 := range object.Refs { if element1.Kind == "" || element1.Kind == "Secret" { ` +
				`names = append(names, cache.ObjectName{Namespace: object.GetNamespace(), Name: element1.Name}) } } return names`},
		"kind and namespace of an outer element": {global: true,
			reference: model.Reference{
				Each: append(append(append(model.Path{}, refs...), field("Names")...), slice), Outer: 1,
				Namespace: at(field("Namespace")...), Kind: at(append(field("Kind"), pointer)...),
			},
			want: `for _, element1 := range object.Refs { for _, element2 := range element1.Names { ` +
				`if (element2.Kind == nil || *element2.Kind == "" || *element2.Kind == "Secret") && element1.Namespace != "" { ` +
				`names = append(names, cache.ObjectName{Namespace: element1.Namespace, Name: element2}) } } } return names`},
	} {
		test.reference.To = model.Related{Name: "Secret", Namespaced: !test.toGlobal}
		view := referenceView{test.reference, &model.Kind{Namespaced: !test.global}}
		assert.Equal(t, test.want, strings.Join(strings.Fields(view.Names()), " "), name)
	}
}
