package defaults

import (
	"go/format"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// root returns an object whose only part is a field A with another part, which is not made if it is nil.
func root(child *model.DefaultNode) *model.DefaultNode {
	node := &model.DefaultNode{Field: "A", Children: []*model.DefaultNode{child}}
	return &model.DefaultNode{Pointer: true, Children: []*model.DefaultNode{node}}
}

func TestCode(t *testing.T) {
	call := []string{"f"}
	one := &model.DefaultValue{Value: "1", Zero: "0"}
	for name, test := range map[string]struct {
		root *model.DefaultNode
		want string
	}{
		"object":     {&model.DefaultNode{Pointer: true, Calls: []string{"f", "g"}}, "\tf(in)\n\tg(in)"},
		"field":      {root(&model.DefaultNode{Field: "B", Calls: call}), "\tf(&in.A.B)"},
		"pointer":    {root(&model.DefaultNode{Pointer: true, Calls: call}), "\tif in.A != nil {\n\t\tf(in.A)\n\t}"},
		"slice":      {root(&model.DefaultNode{Index: true, Calls: call}), "\tfor i := range in.A {\n\t\ta := &in.A[i]\n\t\tf(a)\n\t}"},
		"empty loop": {root(&model.DefaultNode{Index: true, Children: []*model.DefaultNode{{Field: "B", Key: true, Calls: call}}}), ""},
		"pointers in a slice": {
			root(&model.DefaultNode{Index: true, Pointer: true, Children: []*model.DefaultNode{{Pointer: true, Calls: call}}}),
			"\tfor i := range in.A {\n\t\ta := in.A[i]\n\t\tif a != nil {\n\t\t\tf(a)\n\t\t}\n\t}",
		},
		"slice behind a pointer": {
			root(&model.DefaultNode{Pointer: true, Children: []*model.DefaultNode{{Index: true, Calls: call}}}),
			"\tif in.A != nil {\n\t\tfor i := range *in.A {\n\t\t\ta := &(*in.A)[i]\n\t\t\tf(a)\n\t\t}\n\t}",
		},
		"array behind a pointer": {
			root(&model.DefaultNode{Pointer: true, Children: []*model.DefaultNode{{Index: true, Array: true, Calls: call}}}),
			"\tif in.A != nil {\n\t\tfor i := range in.A {\n\t\t\ta := &in.A[i]\n\t\t\tf(a)\n\t\t}\n\t}",
		},
		"two pointers": {
			root(&model.DefaultNode{Pointer: true, Children: []*model.DefaultNode{{Pointer: true, Calls: call}}}),
			"\tif in.A != nil {\n\t\tif (*in.A) != nil {\n\t\t\tf((*in.A))\n\t\t}\n\t}",
		},
		"values of a map": {
			root(&model.DefaultNode{Key: true, Only: true, Default: one}),
			"\tfor i_A := range in.A {\n\t\tif in.A[i_A] == 0 {\n\t\t\tin.A[i_A] = 1\n\t\t}\n\t}",
		},
		"JSON in a map": {
			root(&model.DefaultNode{Key: true, Only: true, Default: &model.DefaultValue{Value: "{}", Unmarshal: "json.Unmarshal"}}),
			"\tfor i_A := range in.A {\n\t\tif in.A[i_A] == nil {\n\t\t\ti_A_default := in.A[i_A]\n" +
				"\t\t\tif err := json.Unmarshal([]byte(`{}`), &i_A_default); err != nil {\n\t\t\t\tpanic(err)\n\t\t\t}\n" +
				"\t\t\tin.A[i_A] = i_A_default\n\t\t}\n\t}",
		},
		"elements": {
			root(&model.DefaultNode{Index: true, Only: true, Default: one}),
			"\tfor i := range in.A {\n\t\tif in.A[i] == 0 {\n\t\t\tin.A[i] = 1\n\t\t}\n\t}",
		},
		"reference": {
			root(&model.DefaultNode{Field: "B", Default: &model.DefaultValue{Value: "p.C", Zero: `""`, Reference: true, Type: "T"}}),
			"\tif in.A.B == \"\" {\n\t\tin.A.B = T(p.C)\n\t}",
		},
		"converted pointers": {
			root(&model.DefaultNode{Field: "B", Default: &model.DefaultValue{
				Value: "p.C", Reference: true, Pointers: []model.DefaultPointee{{Type: "P", Converted: true}, {Type: "string"}},
			}}),
			"\tif in.A.B == nil {\n\t\tptrVar2 := string(p.C)\n\t\tptrVar1 := &ptrVar2\n\t\tin.A.B = (*P)(&ptrVar1)\n\t}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			code := typeView{&model.Defaulted{Root: test.root}}.Code()
			if test.want != "" {
				test.want = "\n" + test.want
			}
			assert.Equal(t, test.want, code)
			const head, tail = "package p\n\nfunc f() {", "\n}\n"
			formatted, err := format.Source([]byte(head + code + tail))
			require.NoError(t, err)
			assert.Equal(t, string(formatted), head+code+tail, "it is formatted")
		})
	}
}

// TestDeepLoops has more loops than there are letters for variables.
func TestDeepLoops(t *testing.T) {
	node := &model.DefaultNode{Index: true, Calls: []string{"f"}}
	for range 9 {
		node = &model.DefaultNode{Index: true, Children: []*model.DefaultNode{node}}
	}
	code := typeView{&model.Defaulted{Root: root(node)}}.Code()
	assert.Contains(t, code, "for p := range *g {")
	assert.Contains(t, code, "local8 := &(*h)[i8]\n")
	assert.Contains(t, code, "local9 := &(*local8)[i9]\n")
	assert.Contains(t, code, "f(local9)\n")
}

func TestJobs(t *testing.T) {
	api := &model.API{Packages: []*model.Package{
		{Path: "example.com/none"}, {Path: "example.com/v1", Defaults: &model.Defaults{}},
		{Path: "example.com/v2", Defaults: &model.Defaults{File: "generated.defaults.go"}},
	}}
	jobs := Jobs(api, &model.Layout{SourceDirs: map[string]string{"example.com/v1": "../v1", "example.com/v2": "../v2"}})
	var paths []string
	for _, job := range jobs {
		paths = append(paths, job.Path)
	}
	assert.Equal(t, []string{"../v1/zz_generated.defaults.go", "../v2/generated.defaults.go"}, paths)
}
