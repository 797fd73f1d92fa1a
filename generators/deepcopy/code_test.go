package deepcopy

import (
	"go/format"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

func TestType(t *testing.T) {
	for name, test := range map[string]struct {
		copy          model.DeepCopy
		typ, receiver string
	}{
		"struct":    {model.DeepCopy{Name: "Robot"}, "Robot", "*Robot"},
		"reference": {model.DeepCopy{Name: "Robots", Reference: true}, "Robots", "Robots"},
		"generic":   {model.DeepCopy{Name: "Box", TypeParams: []string{"K", "V"}}, "Box[K, V]", "*Box[K, V]"},
	} {
		t.Run(name, func(t *testing.T) {
			v := typeView{&test.copy, ""}
			assert.Equal(t, test.typ, v.Type())
			assert.Equal(t, test.receiver, v.Receiver())
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
			views := typeView{&test.copy, ""}.AsInterfaces()
			require.Len(t, views, 1)
			assert.Equal(t, []string{"Object", "runtime.Object"}, []string{views[0].Name, views[0].Interface})
			assert.Equal(t, test.receiver, views[0].Receiver())
			assert.Equal(t, test.value, views[0].Value())
		})
	}
}

// plans of the parts in the tests below.
var (
	assign   = &model.Copy{Op: model.CopyAssign}
	into     = &model.Copy{Op: model.CopyMethods, Methods: model.CopyMethodSet{Into: true, Pointer: true}}
	intoOnly = &model.Copy{Op: model.CopyMethods, Methods: model.CopyMethodSet{Into: true, ByHand: true}}
	value    = &model.Copy{Op: model.CopyMethods, Methods: model.CopyMethodSet{Value: true, ByHand: true}}
	pointer  = &model.Copy{Op: model.CopyMethods, Methods: model.CopyMethodSet{Pointer: true, ByHand: true}}
	object   = &model.Copy{Op: model.CopyCall, Call: "DeepCopyObject"}
	help     = &model.Copy{Op: model.CopyHelp, Call: "copyPart"}
	words    = &model.Copy{Op: model.CopySlice, Type: "[]string", Elem: assign}
	number   = &model.Copy{Op: model.CopyPointer, Type: "int", Elem: assign}
	fields   = &model.Copy{Op: model.CopyStruct, Fields: []model.CopyField{{Name: "P", Copy: number}}}
)

// TestCode has the code for each kind of part within each kind of value.
func TestCode(t *testing.T) {
	tests := map[string][]struct {
		plan *model.Copy
		want string
	}{
		"itself": {
			{assign, "*out = *in"},
			{intoOnly, "in.DeepCopyInto(out)"},
			{value, "*out = in.DeepCopy()"},
			{pointer, "clone := in.DeepCopy(); *out = *clone"},
			{object, "if *in != nil {; *out = (*in).DeepCopyObject(); }"},
			{help, "copyPart(in, out)"},
			{words, "*out = make([]string, len(*in)); copy(*out, *in)"},
		},
		"field": {
			{assign, "out.F = in.F"},
			{into, "in.F.DeepCopyInto(&out.F)"},
			{value, "out.F = in.F.DeepCopy()"},
			{pointer, "out.F = *in.F.DeepCopy()"},
			{object, "if in.F != nil {; out.F = in.F.DeepCopyObject(); }"},
			{help, "copyPart(&in.F, &out.F)"},
			{words, "if in.F != nil {; in, out := &in.F, &out.F; *out = make([]string, len(*in)); copy(*out, *in); }"},
			{fields, "{; in, out := &in.F, &out.F; if in.P != nil {; in, out := &in.P, &out.P; *out = new(int); **out = **in; }; }"},
		},
		"element": {
			{into, "(*in)[i].DeepCopyInto(&(*out)[i])"},
			{value, "(*out)[i] = (*in)[i].DeepCopy()"},
			{pointer, "(*out)[i] = *(*in)[i].DeepCopy()"},
			{object, "if (*in)[i] != nil {; (*out)[i] = (*in)[i].DeepCopyObject(); }"},
			{help, "copyPart(&(*in)[i], &(*out)[i])"},
			{words, "if (*in)[i] != nil {; in, out := &(*in)[i], &(*out)[i]; *out = make([]string, len(*in)); copy(*out, *in); }"},
			{fields, "in, out := &(*in)[i], &(*out)[i]; *out = *in; if in.P != nil {; in, out := &in.P, &out.P; *out = new(int); **out = **in; }"},
		},
		"entry": {
			{assign, "(*out)[key] = val"},
			{into, "(*out)[key] = *val.DeepCopy()"},
			{intoOnly, "var outVal T; val.DeepCopyInto(&outVal); (*out)[key] = outVal"},
			{value, "(*out)[key] = val.DeepCopy()"},
			{object, "if val == nil {; (*out)[key] = nil; } else {; (*out)[key] = val.DeepCopyObject(); }"},
			{help, "var outVal T; copyPart(&val, &outVal); (*out)[key] = outVal"},
			{words, "var outVal T; if val == nil {; (*out)[key] = nil; } else {; in, out := &val, &outVal; " +
				"*out = make([]string, len(*in)); copy(*out, *in); }; (*out)[key] = outVal"},
			{fields, "var outVal T; {; in, out := &val, &outVal; *out = *in; " +
				"if in.P != nil {; in, out := &in.P, &out.P; *out = new(int); **out = **in; }; }; (*out)[key] = outVal"},
		},
		"pointed": {
			{assign, "*out = new(T); **out = **in"},
			{into, "*out = new(T); (*in).DeepCopyInto(*out)"},
			{intoOnly, "*out = new(T); (*in).DeepCopyInto(*out)"},
			{value, "x := (*in).DeepCopy(); *out = &x"},
			{pointer, "*out = (*in).DeepCopy()"},
			{object, "*out = new(T); {; in, out := *in, *out; if *in != nil {; *out = (*in).DeepCopyObject(); }; }"},
			{help, "*out = new(T); {; in, out := *in, *out; copyPart(in, out); }"},
			{words, "*out = new(T); if **in != nil {; in, out := *in, *out; *out = make([]string, len(*in)); copy(*out, *in); }"},
		},
	}
	within := map[string]func(w *writer, c *model.Copy){
		"itself": (*writer).copy,
		"field": func(w *writer, c *model.Copy) {
			w.parts(&model.Copy{Op: model.CopyStruct, Fields: []model.CopyField{{Name: "F", Copy: c}}})
		},
		"element": (*writer).element,
		"entry":   func(w *writer, c *model.Copy) { w.entry(&model.Copy{Elem: c, ElemType: "T"}) },
		"pointed": func(w *writer, c *model.Copy) { w.pointer(&model.Copy{Elem: c, Type: "T"}) },
	}
	for place, write := range within {
		for _, test := range tests[place] {
			w := newWriter("")
			write(w, test.plan)
			code := w.String()
			assert.Equal(t, test.want, strings.Join(strings.Fields(strings.ReplaceAll(strings.TrimSpace(code), "\n", "; ")), " "), place)
			checkCode(t, code)
		}
	}
}

// checkCode checks that code is formatted, and that model.CopyBuiltins has the predeclared identifiers in it.
func checkCode(t *testing.T, code string) {
	t.Helper()
	src := "func f() {" + code + "\n}\n"
	formatted, err := format.Source([]byte(src))
	require.NoError(t, err)
	assert.Equal(t, src, string(formatted))
	for _, name := range regexp.MustCompile(`\b[a-z]+\b`).FindAllString(code, -1) {
		if types.Universe.Lookup(name) != nil && !slices.Contains([]string{"int", "string"}, name) {
			assert.Contains(t, model.CopyBuiltins, name, "packages that hide it are reported")
		}
	}
}

// TestLoops has slices, arrays and maps as a whole, and names with a suffix.
func TestLoops(t *testing.T) {
	for want, plan := range map[string]*model.Copy{
		"\n\t*out_ = make([]T, len(*in_))\n\tfor i_ := range *in_ {\n\t\t(*in_)[i_].DeepCopyInto(&(*out_)[i_])\n\t}":             {Op: model.CopySlice, Type: "[]T", Elem: into},
		"\n\t*out_ = *in_\n\tfor i_ := range *in_ {\n\t\t(*in_)[i_].DeepCopyInto(&(*out_)[i_])\n\t}":                             {Op: model.CopyArray, Elem: into},
		"\n\t*out_ = make(map[string]T, len(*in_))\n\tfor key_, val_ := range *in_ {\n\t\t(*out_)[key_] = *val_.DeepCopy()\n\t}": {Op: model.CopyMap, Type: "map[string]T", Elem: into},
	} {
		w := newWriter("_")
		w.copy(plan)
		assert.Equal(t, want, w.String())
		checkCode(t, w.String())
	}
}

func TestUnformattedTypes(t *testing.T) {
	nested := &model.Copy{Op: model.CopyStruct, Fields: []model.CopyField{{Copy: &model.Copy{Elem: &model.Copy{ElemType: "Box[int,string]"}}}}}
	assert.True(t, unformattedTypes(nested))
	assert.False(t, unformattedTypes(&model.Copy{Op: model.CopyStruct}))
}
