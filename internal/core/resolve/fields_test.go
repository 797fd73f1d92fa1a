package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
)

// describe returns a line for each field, indented by depth.
func describe(fields []resolve.Field, indent string) []string {
	var lines []string
	for _, f := range fields {
		line := fmt.Sprintf("%s%s %q %s", indent, f.Name, f.JSON, f.Type)
		if f.Embedded {
			line += " embedded"
		}
		if f.Inline {
			line += " inline"
		}
		if f.Optional {
			line += " optional"
		}
		lines = append(append(lines, line), describe(f.Fields, indent+"  ")...)
	}
	return lines
}

func TestFields(t *testing.T) {
	const of = "example.com/m/apis/fleet/v1."
	tests := map[string]struct {
		field, types string
		want         []string
	}{
		"basic":             {"N int `json:\"n\"`", "", []string{`N "n" int`}},
		"pointer":           {"N *int32 `json:\"n,omitempty\"`", "", []string{`N "n" *int32 optional`}},
		"omitzero":          {"N int `json:\"n,omitzero\"`", "", []string{`N "n" int optional`}},
		"without a tag":     {"N int", "", []string{`N "N" int`}},
		"name in options":   {"N int `json:\",omitempty\"`", "", []string{`N "N" int optional`}},
		"not serialized":    {"N int `json:\"-\"`", "", []string{`N "" int`}},
		"called -":          {"N int `json:\"-,\"`", "", []string{`N "-" int`}},
		"unexported":        {"n int", "", nil},
		"two names":         {"A, B int", "", []string{`A "A" int`, `B "B" int`}},
		"optional":          {"// +optional\nN int `json:\"n\"`", "", []string{`N "n" int optional`}},
		"required":          {"// +required\nN int `json:\"n,omitempty\"`", "", []string{`N "n" int`}},
		"kubebuilder first": {"// +optional\n// +kubebuilder:validation:Required\nN int `json:\"n\"`", "", []string{`N "n" int`}},
		"optional first":    {"// +required\n// +k8s:optional\nN int `json:\"n\"`", "", []string{`N "n" int optional`}},
		"struct":            {"S Spec `json:\"s\"`", "type Spec struct{ N int }", []string{`S "s" ` + of + "Spec", `  N "N" int`}},
		"anonymous struct":  {"S struct{ N int } `json:\"s\"`", "", []string{`S "s" struct{N int}`, `  N "N" int`}},
		"slice of pointers": {"S []*Spec `json:\"s\"`", "type Spec struct{ N int }", []string{`S "s" []*` + of + "Spec", `  N "N" int`}},
		"map":               {"S map[string]Spec `json:\"s\"`", "type Spec struct{ N int }", []string{`S "s" map[string]` + of + "Spec", `  N "N" int`}},
		"named slice": {
			"S Specs `json:\"s\"`", "type Specs []Spec\n\ntype Spec struct{ N int }",
			[]string{`S "s" ` + of + "Specs", `  N "N" int`},
		},
		"alias":               {"S Other `json:\"s\"`", "type Other = Spec\n\ntype Spec struct{ N int }", []string{`S "s" ` + of + "Other", `  N "N" int`}},
		"inlined":             {"Spec `json:\",inline\"`", "type Spec struct{ N int }", []string{`Spec "" ` + of + "Spec embedded inline", `  N "N" int`}},
		"embedded":            {"*Spec `json:\"spec\"`", "type Spec struct{ N int }", []string{`Spec "spec" *` + of + "Spec embedded", `  N "N" int`}},
		"embedded, no tag":    {"Spec", "type Spec struct{ N int }", []string{`Spec "" ` + of + "Spec embedded inline", `  N "N" int`}},
		"embedded, no struct": {"Text `json:\",inline\"`", "type Text string", []string{`Text "Text" ` + of + "Text embedded"}},
		"embedded, not exported": {
			"spec `json:\",inline\"`", "type spec struct{ N int }", []string{`spec "" ` + of + "spec embedded inline", `  N "N" int`},
		},
		"generic": {
			"S Box[Spec] `json:\"s\"`", "type Box[T any] struct{ In T }\n\ntype Spec struct{ N int }",
			[]string{`S "s" ` + of + "Box[" + of + "Spec]", `  In "In" ` + of + "Spec", `    N "N" int`},
		},
		"recursive":   {"S Spec `json:\"s\"`", "type Spec struct{ Next []Spec }", []string{`S "s" ` + of + "Spec", `  Next "Next" []` + of + "Spec"}},
		"undeclared":  {"S map[string]*Spec `json:\"s\"`", "", []string{`S "s" map[string]*Spec`}},
		"outside":     {"At *other.Time `json:\"at\"`", "", []string{`At "at" *example.com/m/other.Time`}},
		"unavailable": {"At metav1.Time `json:\"at\"`", "", []string{`At "at" metav1.Time`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive := robotWith("", "\n}\n\ntype RobotList", "\n\t"+test.field+"\n}\n\n"+test.types+"\n\ntype RobotList")
			archive = strings.Replace(archive, "package v1\n", "package v1\n\nimport \"example.com/m/other\"\n", 1)
			archive += "\n-- other/time.go --\npackage other\n\ntype Time struct{ N int }\n"
			result, diags := resolve.API(t.Context(), gotypetest.Load(t, archive, "./apis/..."), resolve.Options{})
			require.Empty(t, diags)
			fields := result.Fields(result.API.Kinds()[0])
			lines := describe(fields, "")
			assert.Contains(t, lines[0], `TypeMeta "" `)
			assert.True(t, strings.HasPrefix(lines[1], `ObjectMeta "metadata" `), lines[1])
			assert.Equal(t, test.want, append([]string(nil), lines[2:]...))
		})
	}
}

func TestMarkersAndComments(t *testing.T) {
	archive := robotWith("// +kubebuilder:printcolumn:name=Age,type=date\n// +somebody:elses\n", "\n}\n\ntype RobotList",
		"\n\t// N counts.\n\t//\n\t// +kubebuilder:validation:Minimum=1\n\t// It is positive.\n\tN int `json:\"n\"`\n}\n\ntype RobotList")
	result, diags := resolve.API(t.Context(), gotypetest.Load(t, archive), resolve.Options{})
	require.Empty(t, diags)
	kind := result.API.Kinds()[0]
	var names []string
	for _, m := range result.Markers(kind) {
		names = append(names, m.Name+" "+m.Value)
	}
	assert.Equal(t, []string{"genclient ", "kubebuilder:printcolumn name=Age,type=date", "somebody:elses "}, names)
	field := result.Fields(kind)[2]
	assert.Equal(t, []string{"N counts.", "", "It is positive."}, field.Doc)
	require.Len(t, field.Markers, 1)
	assert.Equal(t, []string{"kubebuilder:validation:Minimum", "1"}, []string{field.Markers[0].Name, field.Markers[0].Value})
	assert.Equal(t, field.Pos.Line-2, field.Markers[0].Pos.Line)
}
