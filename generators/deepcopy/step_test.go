package deepcopy

import (
	"go/format"
	"go/types"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

func TestExpr(t *testing.T) {
	for e, want := range map[expr]struct{ operand, address, field, at expr }{
		"in":       {"in", "&in", "in.Name", "in[i]"},
		"*in":      {"(*in)", "in", "in.Name", "(*in)[i]"},
		"**in":     {"(**in)", "*in", "(*in).Name", "(**in)[i]"},
		"in.Part":  {"in.Part", "&in.Part", "in.Part.Name", "in.Part[i]"},
		"*in.Part": {"(*in.Part)", "in.Part", "in.Part.Name", "(*in.Part)[i]"},
	} {
		assert.Equal(t, want.operand, e.Operand(), e)
		assert.Equal(t, want.address, e.Address(), e)
		assert.Equal(t, want.field, e.Field("Name"), e)
		assert.Equal(t, want.field, e.Method("Name"), e)
		assert.Equal(t, want.at, e.At("i"), e)
	}
}

func TestAssignsFirst(t *testing.T) {
	for op, want := range map[model.CopyOp]bool{
		model.CopyAssign: true, model.CopyStruct: true, model.CopyArray: true, model.CopyInto: false, model.CopyCall: false,
		model.CopyCallPointer: false, model.CopyHelp: false, model.CopyPointer: false, model.CopySlice: false, model.CopyMap: false,
	} {
		assert.Equal(t, want, step{Copy: &model.Copy{Op: op}}.AssignsFirst(), op)
		assert.False(t, step{Copy: &model.Copy{Op: op}, shallow: true}.AssignsFirst(), op)
	}
}

func TestCopiesAll(t *testing.T) {
	assign, into := &model.Copy{Op: model.CopyAssign}, &model.Copy{Op: model.CopyInto}
	assert.True(t, step{Copy: &model.Copy{Op: model.CopySlice, Elem: assign}}.CopiesAll())
	assert.False(t, step{Copy: &model.Copy{Op: model.CopySlice, Elem: into}}.CopiesAll())
	assert.False(t, step{Copy: &model.Copy{Op: model.CopyMap, Elem: assign}}.CopiesAll())
}

func TestLocals(t *testing.T) {
	for _, test := range []struct {
		depth                    int
		suffix                   string
		index, key, value, entry expr
	}{
		{0, "", "i", "key", "val", "copied"},
		{1, "", "i2", "key2", "val2", "copied2"},
		{2, "_", "i3_", "key3_", "val3_", "copied3_"},
		{0, "_", "i_", "key_", "val_", "copied_"},
	} {
		s := step{depth: test.depth, suffix: test.suffix}
		assert.Equal(t, []expr{test.index, test.key, test.value, test.entry}, []expr{s.Index(), s.Key(), s.Value(), s.Entry()})
	}
	assert.Equal(t, expr("in_"), locals{"_"}.In())
	assert.Equal(t, expr("out_"), locals{"_"}.Out())
}

func TestDirect(t *testing.T) {
	for name, test := range map[string]struct {
		elem *model.Copy
		want bool
	}{
		"assign":       {&model.Copy{Op: model.CopyAssign}, true},
		"call":         {&model.Copy{Op: model.CopyCall}, true},
		"call pointer": {&model.Copy{Op: model.CopyCallPointer}, true},
		"nilable":      {&model.Copy{Op: model.CopyCall, Nilable: true}, false},
		"into":         {&model.Copy{Op: model.CopyInto}, false},
		"slice":        {&model.Copy{Op: model.CopySlice}, false},
	} {
		t.Run(name, func(t *testing.T) {
			direct := step{Copy: &model.Copy{Op: model.CopyMap, Elem: test.elem}, In: "*in", Out: "*out"}.Direct()
			require.Equal(t, test.want, direct != nil)
			if direct != nil {
				assert.Equal(t, []expr{"val", "(*out)[key]"}, []expr{direct.In, direct.Out})
			}
		})
	}
}

func TestInnerSteps(t *testing.T) {
	elem := &model.Copy{Op: model.CopyInto}
	s := step{Copy: &model.Copy{Op: model.CopySlice, Elem: elem}, In: "in.Parts", Out: "out.Parts", suffix: "_"}
	element := s.Element()
	assert.Equal(t, step{Copy: elem, In: "in.Parts[i_]", Out: "out.Parts[i_]", depth: 1, suffix: "_"}, element)
	s.Copy = &model.Copy{Op: model.CopyArray, Elem: elem}
	assert.True(t, s.Element().shallow, "an array is assigned first")
	s.Copy = &model.Copy{Op: model.CopyPointer, Elem: elem}
	assert.Equal(t, step{Copy: elem, In: "*in.Parts", Out: "*out.Parts", suffix: "_"}, s.Pointed())
	s.Copy = &model.Copy{Op: model.CopyStruct, Fields: []model.CopyField{{Name: "Name", Copy: elem}}}
	assert.Equal(t, []step{{Copy: elem, In: "in.Parts.Name", Out: "out.Parts.Name", shallow: true, suffix: "_"}}, s.Steps())
	s.Copy = &model.Copy{Op: model.CopyMap, Elem: elem}
	assert.Equal(t, step{Copy: elem, In: "val_", Out: "copied_", shallow: true, depth: 1, suffix: "_"}, s.EntryStep())
	s.Copy = &model.Copy{Op: model.CopyMap, Elem: elem, ElemType: "Part"}
	assert.False(t, s.EntryStep().shallow, "a new variable")
}

func TestType(t *testing.T) {
	plan := &model.Copy{Op: model.CopyAssign}
	for name, test := range map[string]struct {
		copy          model.DeepCopy
		typ, receiver string
		in            expr
	}{
		"struct":    {model.DeepCopy{Name: "Robot", Plan: plan}, "Robot", "*Robot", "*in"},
		"reference": {model.DeepCopy{Name: "Robots", Reference: true, Plan: plan}, "Robots", "Robots", "in"},
		"generic":   {model.DeepCopy{Name: "Box", TypeParams: []string{"K", "V"}, Plan: plan}, "Box[K, V]", "*Box[K, V]", "*in"},
	} {
		t.Run(name, func(t *testing.T) {
			v := typeView{&test.copy, locals{}}
			assert.Equal(t, test.typ, v.Type())
			assert.Equal(t, test.receiver, v.Receiver())
			assert.Equal(t, step{Copy: plan, In: test.in, Out: "*out"}, v.Step())
		})
	}
}

func TestAsInterfaces(t *testing.T) {
	interfaces := []model.CopyInterface{{Name: "Object", Type: "runtime.Object"}}
	for name, test := range map[string]struct {
		copy     model.DeepCopy
		receiver string
		value    bool
	}{
		"pointer":            {model.DeepCopy{Name: "Robot", Interfaces: interfaces}, "*Robot", false},
		"by value":           {model.DeepCopy{Name: "Robot", Interfaces: interfaces, NonPointer: true}, "Robot", false},
		"copy is no pointer": {model.DeepCopy{Name: "Robot", Interfaces: interfaces, Value: true}, "*Robot", true},
		"reference":          {model.DeepCopy{Name: "Robots", Interfaces: interfaces, Value: true, Reference: true}, "Robots", false},
	} {
		t.Run(name, func(t *testing.T) {
			views := typeView{&test.copy, locals{}}.AsInterfaces()
			require.Len(t, views, 1)
			assert.Equal(t, []string{"Object", "runtime.Object"}, []string{views[0].Name, views[0].Interface})
			assert.Equal(t, test.receiver, views[0].Receiver())
			assert.Equal(t, test.value, views[0].Value())
		})
	}
}

func TestImports(t *testing.T) {
	pkg := &model.Package{DeepCopies: &model.DeepCopies{Imports: []model.Import{
		{Alias: "runtime", Path: "k8s.io/apimachinery/pkg/runtime"}, {Alias: "corev1", Path: "k8s.io/api/core/v1"},
	}}}
	assert.Equal(t, []model.Import{{Path: "k8s.io/apimachinery/pkg/runtime"}, {Alias: "corev1", Path: "k8s.io/api/core/v1"}}, packageView{pkg, nil}.Imports())
	assert.Equal(t, "runtime", pkg.DeepCopies.Imports[0].Alias, "the model is not changed")
}

func TestCode(t *testing.T) {
	assign, into := &model.Copy{Op: model.CopyAssign}, &model.Copy{Op: model.CopyInto}
	for name, test := range map[string]struct {
		plan *model.Copy
		want string
	}{
		"assign":       {assign, "*out = *in"},
		"into":         {into, "in.DeepCopyInto(out)"},
		"call":         {&model.Copy{Op: model.CopyCall, Call: "DeepCopy"}, "*out = (*in).DeepCopy()"},
		"call pointer": {&model.Copy{Op: model.CopyCallPointer, Call: "DeepCopy"}, "*out = *in.DeepCopy()"},
		"help":         {&model.Copy{Op: model.CopyHelp, Call: "copyPart"}, "copyPart(in, out)"},
		"pointer": {
			&model.Copy{Op: model.CopyPointer, Nilable: true, Type: "int", Elem: assign},
			"if *in != nil {\n\t\t*out = new(int)\n\t\t**out = **in\n\t}",
		},
		"struct": {
			&model.Copy{Op: model.CopyStruct, Fields: []model.CopyField{{Name: "Part", Copy: into}}},
			"*out = *in\n\tin.Part.DeepCopyInto(&out.Part)",
		},
		"flat slice": {
			&model.Copy{Op: model.CopySlice, Type: "[]int", Elem: assign},
			"*out = make([]int, len(*in))\n\tcopy(*out, *in)",
		},
		"slice": {
			&model.Copy{Op: model.CopySlice, Type: "[]Part", Elem: into},
			"*out = make([]Part, len(*in))\n\tfor i := range *in {\n\t\t(*in)[i].DeepCopyInto(&(*out)[i])\n\t}",
		},
		"array": {&model.Copy{Op: model.CopyArray, Elem: into}, "*out = *in\n\tfor i := range *in {\n\t\t(*in)[i].DeepCopyInto(&(*out)[i])\n\t}"},
		"flat map": {
			&model.Copy{Op: model.CopyMap, Type: "map[string]int", Elem: assign},
			"*out = make(map[string]int, len(*in))\n\tfor key, val := range *in {\n\t\t(*out)[key] = val\n\t}",
		},
		"map": {
			&model.Copy{Op: model.CopyMap, Type: "map[string]Part", Elem: into, ElemType: "Part"},
			"*out = make(map[string]Part, len(*in))\n\tfor key, val := range *in {\n\t\tvar copied Part\n\t\tval.DeepCopyInto(&copied)\n\t\t(*out)[key] = copied\n\t}",
		},
		"map of maps": {
			&model.Copy{Op: model.CopyMap, Type: "map[string]map[string]int", Elem: &model.Copy{Op: model.CopyMap, Type: "map[string]int", Elem: assign}},
			"*out = make(map[string]map[string]int, len(*in))\n\tfor key, val := range *in {\n\t\tcopied := val\n\t\tcopied = make(map[string]int, len(val))\n" +
				"\t\tfor key2, val2 := range val {\n\t\t\tcopied[key2] = val2\n\t\t}\n\t\t(*out)[key] = copied\n\t}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			code := step{Copy: test.plan, In: "*in", Out: "*out"}.Code()
			assert.Equal(t, "\n\t"+test.want, code)
			src := "func f() {" + code + "\n}\n"
			formatted, err := format.Source([]byte(src))
			require.NoError(t, err)
			assert.Equal(t, src, string(formatted))
			for _, name := range regexp.MustCompile(`\b[a-z]+\b`).FindAllString(code, -1) {
				if types.Universe.Lookup(name) != nil && !slices.Contains([]string{"int", "string"}, name) {
					assert.Contains(t, model.CopyBuiltins, name, "packages that hide it are reported")
				}
			}
		})
	}
}

func TestUnformattedTypes(t *testing.T) {
	nested := &model.Copy{Op: model.CopyStruct, Fields: []model.CopyField{{Copy: &model.Copy{Elem: &model.Copy{ElemType: "Box[int,string]"}}}}}
	assert.True(t, unformattedTypes(nested))
	assert.False(t, unformattedTypes(&model.Copy{Op: model.CopyStruct}))
}
