package deepcopy_test

import (
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/deepcopy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// resolve plans the deep copies of the packages in an archive, by import path below the module.
func resolve(t *testing.T, archive string) (map[string]*model.DeepCopies, []string) {
	t.Helper()
	universe := gotypetest.Universe(t, archive)
	var diags diag.List
	copies := map[string]*model.DeepCopies{}
	for s, c := range deepcopy.Resolve(universe, source.NewReader(universe).ReadAll(), &diags).Packages {
		copies[strings.TrimPrefix(s.Path, gotypetest.Module+"/")] = c
	}
	var messages []string
	for _, d := range diags.Sorted("") {
		messages = append(messages, fmt.Sprintf("%s:%d: %s", filepath.Base(d.Pos.Filename), d.Pos.Line, d.Message))
	}
	return copies, messages
}

// planText returns a plan as text: the operation, its type, and in parentheses the plans for the parts.
func planText(c *model.Copy) string {
	if c == nil {
		return "none"
	}
	text := string(c.Op)
	for i, is := range []bool{c.Methods.Into, c.Methods.Value, c.Methods.Pointer, c.Methods.ByHand} {
		if is {
			text += []string{" into", " value", " pointer", ", by hand"}[i]
		}
	}
	if c.Call != "" {
		text += " " + c.Call
	}
	if c.Type != "" {
		text += " " + c.Type
	}
	if c.ElemType != "" {
		text += " of " + c.ElemType
	}
	var parts []string
	if c.Elem != nil {
		parts = append(parts, planText(c.Elem))
	}
	for _, f := range c.Fields {
		parts = append(parts, f.Name+": "+planText(f.Copy))
	}
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text
}

const types = `
-- a/types.go --
// +k8s:deepcopy-gen=package
package a

import (
	"net/netip"
	"sync"
	"time"

	"example.com/m/b"
)

type Text string

type Leaf struct{ N int }

type Ref struct{ P *int }

type Node struct{ Next *Node }

type List []string

type ByHand struct{ secret []int }

func (in *ByHand) DeepCopy() *ByHand { return nil }

type Object interface{ DeepCopyObject() Object }

type Pair[K ~string, V interface{ DeepCopy() V }] struct {
	Keys []K
	Value V
}

var _ = netip.Addr{}
var _ sync.Mutex
var _ time.Time
var _ b.Foreign
`

const foreign = `
-- b/types.go --
package b

type Foreign struct{ Words []string }

type Hidden struct{ words []string }

type Circle struct{ Next []Circle }

type WithInto struct{ Words []string }

func (in *WithInto) DeepCopyInto(out *WithInto) {}

type ByValue struct{ Words []string }

func (in ByValue) DeepCopy() ByValue { return in }
`

func TestPlanOfField(t *testing.T) {
	tests := map[string]string{
		"int":                  "",
		"Text":                 "",
		"Leaf":                 "assign",
		"[3]Leaf":              "assign",
		"time.Time":            "assign",
		"netip.Addr":           "assign",
		"struct{ N int }":      "assign",
		"*int":                 "pointer int (assign)",
		"*Leaf":                "pointer Leaf (assign)",
		"Ref":                  "methods into pointer",
		"*Ref":                 "pointer Ref (methods into pointer)",
		"**int":                "pointer *int (pointer int (assign))",
		"[]string":             "slice []string (assign)",
		"[]*int":               "slice []*int (pointer int (assign))",
		"[]Ref":                "slice []Ref (methods into pointer)",
		"[][]byte":             "slice [][]byte (slice []byte (assign))",
		"[2]*int":              "array (pointer int (assign))",
		"[2][]string":          "array (slice []string (assign))",
		"map[string]int":       "map map[string]int (assign)",
		"map[Text]Ref":         "map map[Text]Ref (methods into pointer)",
		"map[string][]Leaf":    "map map[string][]Leaf of []Leaf (slice []Leaf (assign))",
		"List":                 "slice List (assign)",
		"*List":                "pointer List (slice List (assign))",
		"Node":                 "methods into pointer",
		"ByHand":               "methods into pointer, by hand",
		"*ByHand":              "pointer (methods into pointer, by hand)",
		"Object":               "call DeepCopyObject",
		"[]Object":             "slice []Object (call DeepCopyObject)",
		"struct{ P *int }":     "struct (P: pointer int (assign))",
		"b.Foreign":            "struct (Words: slice []string (assign))",
		"[]b.Foreign":          "slice []b.Foreign (struct (Words: slice []string (assign)))",
		"b.WithInto":           "methods into, by hand",
		"b.ByValue":            "methods value, by hand",
		"*b.ByValue":           "pointer (methods value, by hand)",
		"b.Circle":             "help deepCopyCircle",
		"map[string]*b.Circle": "map map[string]*b.Circle of *b.Circle (pointer b.Circle (help deepCopyCircle))",
	}
	fields := slices.Sorted(maps.Keys(tests))
	copies, messages := resolve(t, declare(fields))
	require.Empty(t, messages)
	for i, field := range fields {
		got := ""
		if made := find(copies["a"], fmt.Sprintf("Fields%d", i)); len(made.Plan.Fields) > 0 {
			got = planText(made.Plan.Fields[0].Copy)
		}
		assert.Equal(t, tests[field], got, field)
	}
}

// declare returns the source of a package in which each type Fields<n> has one of the fields.
func declare(fields []string) string {
	source := types
	for i, field := range fields {
		source += fmt.Sprintf("type Fields%d struct{ F %s }\n", i, field)
	}
	return source + foreign
}

func find(copies *model.DeepCopies, name string) model.DeepCopy {
	i := slices.IndexFunc(copies.Types, func(made model.DeepCopy) bool { return made.Name == name })
	return copies.Types[i]
}

func TestFieldsThatCannotBeCopied(t *testing.T) {
	tests := map[string]string{
		"any":                   "any can hold any type",
		"interface{ M() }":      "interface{M()} can hold any type",
		"error":                 "error can hold any type",
		"func()":                "a function cannot be copied",
		"chan int":              "a channel cannot be copied",
		"sync.Mutex":            "sync.Mutex must not be copied",
		"*sync.Mutex":           "sync.Mutex must not be copied",
		"map[[1]any]string":     "keys of type [1]any have pointers, which would be shared",
		"struct{ C chan int }":  "a channel cannot be copied",
		"[]map[string]chan int": "a channel cannot be copied",
		"NotThere":              "type NotThere is not declared",
	}
	fields := slices.Sorted(maps.Keys(tests))
	_, messages := resolve(t, declare(fields))
	require.Len(t, messages, len(fields))
	_, fromComment, _ := strings.Cut(types, "//")
	line := strings.Count(fromComment, "\n") + 1 // of the first struct
	for i, field := range fields {
		what := fmt.Sprintf("field F of Fields%d cannot be copied: ", i)
		switch field {
		case "NotThere":
			what = ""
		case "struct{ C chan int }":
			what = "field C of a struct cannot be copied: "
		}
		assert.Equal(t, fmt.Sprintf("types.go:%d: %s%s", line+i, what, tests[field]), messages[i])
	}
}

func TestNestedTypes(t *testing.T) {
	fields := []string{strings.Repeat("[]", 200) + "string", strings.Repeat("[]", 201) + "string", strings.Repeat("*", 500) + "string",
		"[][]Pair"}
	universe := gotypetest.Universe(t, declare(fields))
	var diags diag.List
	deepcopy.Resolve(universe, source.NewReader(universe).ReadAll(), &diags)
	diags = diags.Sorted("")
	require.Len(t, diags, 3)
	for _, d := range diags[:2] {
		assert.Contains(t, d.Message, "cannot be copied: the type is nested more than 200 levels deep")
		assert.Equal(t, "name the inner type", d.Hint)
	}
	assert.Equal(t, "the generic type Pair has no type arguments", diags[2].Message)
}

func TestFieldOfAnotherPackageThatIsNotExported(t *testing.T) {
	_, messages := resolve(t, declare([]string{"[]b.Hidden"}))
	assert.Equal(t, []string{"types.go:5: field words of Hidden cannot be copied: field words of Hidden is not exported"}, messages,
		"the position of a field in the user's own packages")
}

func TestTypeParameters(t *testing.T) {
	copies, messages := resolve(t, declare(nil))
	require.Empty(t, messages)
	pair := find(copies["a"], "Pair")
	assert.Equal(t, []string{"K", "V"}, pair.TypeParams)
	assert.Equal(t, "struct (Keys: slice []K (assign), Value: methods value)", planText(pair.Plan))
}

func TestMethodsThatAreMade(t *testing.T) {
	const archive = `
-- a/types.go --
// +k8s:deepcopy-gen=package
package a

type Struct struct{ P *int }

type Map map[string]int

type Number int

type unexported struct{ P *int }

type Interface interface{ M() }

type Alias = Struct

// +k8s:deepcopy-gen=false
type Without struct{ P *int }

type WithCopy struct{ P *int }

func (in *WithCopy) DeepCopy() *WithCopy { return nil }

type WithBoth struct{ P *int }

func (in *WithBoth) DeepCopy() *WithBoth { return nil }

func (in *WithBoth) DeepCopyInto(out *WithBoth) {}

type WithValue struct{ P *int }

func (in WithValue) DeepCopy() WithValue { return in }
`
	copies, messages := resolve(t, archive)
	require.Empty(t, messages)
	got := map[string]string{}
	for _, made := range copies["a"].Types {
		got[made.Name] = fmt.Sprintf("into=%t copy=%t reference=%t plan: %s", made.Into, made.Copy, made.Reference, planText(made.Plan))
	}
	assert.Equal(t, map[string]string{
		"Map":       "into=true copy=true reference=true plan: map Map (assign)",
		"Struct":    "into=true copy=true reference=false plan: struct (P: pointer int (assign))",
		"WithCopy":  "into=true copy=false reference=false plan: methods pointer, by hand",
		"WithValue": "into=true copy=false reference=false plan: methods value, by hand",
	}, got)
}

func TestMarkersThatContradict(t *testing.T) {
	tests := map[string]struct{ pkg, typ, want string }{
		"package says no": {
			"+k8s:deepcopy-gen=false", "+k8s:deepcopy-gen=true",
			"+k8s:deepcopy-gen of type T contradicts +k8s:deepcopy-gen=false at types.go:1",
		},
		"kubebuilder says no": {
			"", "+k8s:deepcopy-gen=true\n// +kubebuilder:object:generate=false",
			"+k8s:deepcopy-gen of type T contradicts +kubebuilder:object:generate=false at types.go:5",
		},
		"value of a package":    {"+k8s:deepcopy-gen=true", "", "marker +k8s:deepcopy-gen of a package must be package or false, got \"true\""},
		"value of a type":       {"", "+k8s:deepcopy-gen=package", "marker +k8s:deepcopy-gen of a type must be true or false, got \"package\""},
		"interface without dot": {"", "+k8s:deepcopy-gen:interfaces=Object", "\"Object\" is not the name of an interface"},
		"unknown package":       {"", "+k8s:deepcopy-gen:interfaces=example.com/m/none.Object", "package example.com/m/none cannot be found"},
		"not an interface":      {"", "+k8s:deepcopy-gen:interfaces=example.com/m/a.T", "example.com/m/a.T is not an interface"},
		"nonpointer in vain": {
			"", "+k8s:deepcopy-gen=true\n// +k8s:deepcopy-gen:nonpointer-interfaces=true",
			"marker +k8s:deepcopy-gen:nonpointer-interfaces has no effect on a type without interfaces",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, messages := resolve(t, "-- a/types.go --\n// "+test.pkg+"\npackage a\n\n// "+test.typ+"\ntype T struct{}\n")
			require.NotEmpty(t, messages)
			assert.True(t, strings.HasSuffix(messages[0], ": "+test.want), messages)
		})
	}
}

func TestLocalsAreIdentifiers(t *testing.T) {
	for _, name := range model.CopyLocals {
		assert.True(t, token.IsIdentifier(name), name)
	}
}
