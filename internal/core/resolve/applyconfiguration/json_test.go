package applyconfiguration_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// describeSpec returns the fields and setters of the apply configuration of Spec, whose fields follow. @ stands for backquotes.
func describeSpec(t *testing.T, target model.Target, text string) (fields, setters []string) {
	t.Helper()
	apply, diags := resolveFor(t, target, strings.ReplaceAll("int @json:\"f\"@\n"+text, "@", "`"))
	require.Empty(t, diags)
	spec := find(t, apply, "Spec")
	for _, f := range spec.Fields[1:] {
		fields = append(fields, strings.TrimSpace(f.Name+" "+f.Type+" "+f.JSON))
	}
	for _, s := range spec.Setters[1:] {
		setters = append(setters, s.Name+" "+s.Type+" "+s.Path)
	}
	return fields, setters
}

// TestAdditions compares releases: fields that code-generator omits are additions, and take no setters from those that it writes.
func TestAdditions(t *testing.T) {
	const base = "}\n\ntype Base struct {\n\tStatus string @json:\"phase\"@\n\tExtra string @json:\"extra\"@\n"
	older := model.Target{Minor: 36}
	for name, test := range map[string]struct {
		target          model.Target
		text            string
		fields, setters []string
	}{
		"empty tag": {
			model.DefaultTarget, "Base @json:\"\"@\nStatus int @json:\"status\"@\n" + base,
			[]string{"BaseApplyConfiguration", "Status *int status,omitempty"},
			[]string{"Status string b.BaseApplyConfiguration.Status", "Extra string b.BaseApplyConfiguration.Extra"},
		},
		"empty tag, older": {
			older, "Base @json:\"\"@\nStatus int @json:\"status\"@\n" + base,
			[]string{"*BaseApplyConfiguration ,inline", "Status *int status,omitempty"},
			[]string{"Extra string b.BaseApplyConfiguration.Extra", "Status int b.Status"},
		},
		"no tag": {
			model.DefaultTarget, "Base\nStatus int @json:\"status\"@\n" + base,
			[]string{"BaseApplyConfiguration", "Status *int status,omitempty"},
			[]string{"Extra string b.BaseApplyConfiguration.Extra", "Status int b.Status"},
		},
		"fields": {
			model.DefaultTarget, "A int\nB int @json:\"\"@\nC int @json:\"-\"@\nD int @json:\"-,\"@\ne int\n_ int @json:\"x\"@\ng int @json:\"g\"@",
			[]string{"A *int A,omitempty", "B *int B,omitempty", "D *int -,omitempty", "g *int g,omitempty"},
			[]string{"A int b.A", "B int b.B", "D int b.D", "g int b.g"},
		},
		"only an empty tag": {
			model.DefaultTarget, "S Outer @json:\"s\"@\n}\n\ntype Outer struct {\nBase @json:\"\"@\n" + base,
			[]string{"S *OuterApplyConfiguration s,omitempty"},
			[]string{"S *OuterApplyConfiguration b.S"},
		},
		"only an empty tag, older": {
			older, "S Outer @json:\"s\"@\n}\n\ntype Outer struct {\nBase @json:\"\"@\n" + base,
			[]string{"S *fleetv1.Outer s,omitempty"},
			[]string{"S fleetv1.Outer b.S"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fields, setters := describeSpec(t, test.target, test.text)
			assert.Equal(t, test.fields, fields)
			assert.Equal(t, test.setters, setters)
		})
	}
}

// TestEmbeddedWithoutBuilder embeds what has no apply configuration.
func TestEmbeddedWithoutBuilder(t *testing.T) {
	for name, test := range map[string]struct {
		text            string
		fields, setters []string
	}{
		"no tags": {
			"Bare\n}\n\ntype Bare struct {\n\tN int\n",
			[]string{"N *int N,omitempty"}, []string{"N int b.N"},
		},
		"generic, a field of the same name, and hidden": {
			"*Of[Inner] @json:\",inline\"@\nG int @json:\"x\"@\n}\n\ntype Of[T any] struct {\nF T @json:\"of\"@\nG T @json:\"x\"@\n*Of[T]\n",
			[]string{"OfF *InnerApplyConfiguration of,omitempty", "G *int x,omitempty"},
			[]string{"OfF *InnerApplyConfiguration b.OfF", "G int b.G"},
		},
		"unexported": {
			"hiddenBase\n}\n\ntype hiddenBase struct {\nN int @json:\"n\"@\nInner @json:\"inner\"@\nMore\n" +
				"}\n\ntype More struct {\nM []string @json:\"m\"@\n",
			[]string{"N *int n,omitempty", "*InnerApplyConfiguration inner,omitempty", "MoreApplyConfiguration"},
			[]string{"N int b.N", "M string b.MoreApplyConfiguration.M"},
		},
		"embedded twice, and under one name": {
			"one @json:\",inline\"@\nInner @json:\",inline\"@\nparts.Part @json:\"named\"@\n}\n\n" +
				"type one struct {\nInner\nPart @json:\"part\"@\nlow @json:\"low\"@\n}\n\ntype Part struct {\nP int @json:\"p\"@\n}\n\n" +
				"type low struct {\nL int @json:\"l\"@\n",
			[]string{
				"OnePart *PartApplyConfiguration part,omitempty", "Low *struct{L int \"json:\\\"l\\\"\"} low,omitempty",
				"InnerApplyConfiguration", "*partsac.PartApplyConfiguration named,omitempty",
			},
			[]string{"Part *PartApplyConfiguration b.OnePart", "Low struct{L int \"json:\\\"l\\\"\"} b.Low", "N int b.InnerApplyConfiguration.N"},
		},
		"unexported with a name": {
			"*low @json:\"low\"@\n}\n\ntype low struct {\nN int @json:\"n\"@\n",
			[]string{"Low *struct{N int \"json:\\\"n\\\"\"} low,omitempty"},
			[]string{"Low struct{N int \"json:\\\"n\\\"\"} b.Low"},
		},
		"omitted unless set": {
			"Optional @json:\",inline\"@\n}\n\ntype Optional struct {\nN *int @json:\",omitempty\"@\nL []int @json:\",omitempty\"@\n}\n" +
				"\nfunc (Optional) X() {}\n\ntype _ struct {\n",
			[]string{"OptionalApplyConfiguration"},
			[]string{"N int b.OptionalApplyConfiguration.N", "L int b.OptionalApplyConfiguration.L"},
		},
		"not structs": {
			"Words\nhidden\nLabel @json:\",inline\"@\nFace\n}\n\ntype Label [2]string\n\ntype Face interface{\n",
			[]string{"fleetv1.Words Words,omitzero", "fleetv1.Label Label,omitzero", "fleetv1.Face Face,omitzero"},
			nil,
		},
		"quoted": {
			"N int64 @json:\"n,string\"@\nL []int @json:\"l,string\"@",
			[]string{"N *int64 n,omitempty,string", "L []int l,omitempty"}, []string{"N int64 b.N", "L int b.L"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fields, setters := describeSpec(t, model.DefaultTarget, test.text)
			assert.Equal(t, test.fields, fields)
			assert.Equal(t, test.setters, setters)
		})
	}
}

// TestUnsent has setters of fields that are not in the JSON. Warnings are given as the line of the Spec, from F, and the message.
func TestUnsent(t *testing.T) {
	const base = "}\n\ntype Base struct {\nSize int @json:\"size\"@\n}\n\ntype Outer struct {\n"
	for name, test := range map[string]struct {
		text, want string
		warnings   []string
	}{
		"same type":   {"Base @json:\",inline\"@\nSize *int @json:\"size\"@\n" + base, "Size int b.Size", nil},
		"all sent":    {"Base @json:\",inline\"@\nSize bool @json:\"other\"@\n" + base, "Size int b.BaseApplyConfiguration.Size", nil},
		"own object":  {"Base @json:\"base\"@\nSize bool @json:\"size\"@\n" + base, "Size int b.BaseApplyConfiguration.Size", nil},
		"outer first": {"Size bool @json:\"size\"@\nBase @json:\",inline\"@\n" + base, "Size bool b.Size", nil},
		"another name in JSON": {
			"Base @json:\",inline\"@\nTotal int @json:\"size\"@\nSize int @json:\"count\"@\n" + base, "Size int b.Size, Total int b.Total", nil,
		},
		"another type": {
			"Base @json:\",inline\"@\nSize bool @json:\"size\"@\n" + base, "Size int b.BaseApplyConfiguration.Size",
			[]string{"2: WithSize of the apply configuration of Spec sets a field that is not in the JSON: declare Size above Base, and WithSize sets this field"},
		},
		"deeper": {
			"Outer @json:\",inline\"@\nMore @json:\",inline\"@\n" + base + "Base @json:\",inline\"@\n}\ntype More struct {\nSize string @json:\"size\"@",
			"Size int b.BaseApplyConfiguration.Size",
			[]string{"13: WithSize of the apply configuration of Spec sets a field that is not in the JSON: declare More above Outer, and WithSize sets this field"},
		},
		"hidden by another name": {
			"Base @json:\",inline\"@\nTotal bool @json:\"size\"@\n" + base, "Size int b.BaseApplyConfiguration.Size, Total bool b.Total",
			[]string{"6: WithSize of the apply configuration of Spec sets a field that is not in the JSON: give it a name in JSON that no other field has"},
		},
		"ambiguous": {
			"Base @json:\",inline\"@\nOther @json:\",inline\"@\n" + base + "}\n\ntype Other struct {\nSize int @json:\"size\"@",
			"Size int b.BaseApplyConfiguration.Size",
			[]string{"6: WithSize of the apply configuration of Spec sets a field that is not in the JSON: give it a name in JSON that no other field has"},
		},
		"embedded again": {
			"Outer @json:\",inline\"@\nBase @json:\",inline\"@\n" + base + "Base @json:\",inline\"@",
			"Size int b.OuterApplyConfiguration.BaseApplyConfiguration.Size",
			[]string{"6: WithSize of the apply configuration of Spec sets a field that is not in the JSON: give it a name in JSON that no other field has"},
		},
		"own JSON": {
			"Base @json:\",inline\"@\nSize bool @json:\"size\"@\n}\n\nfunc (Spec) MarshalJSON() ([]byte, error) { return nil, nil }\n\ntype _ struct {\n" + base,
			"Size int b.BaseApplyConfiguration.Size", // whose fields are encoded before the method is called
			[]string{"2: WithSize of the apply configuration of Spec sets a field that is not in the JSON: declare Size above Base, and WithSize sets this field"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apply, diags := resolve(t, strings.ReplaceAll("int @json:\"f\"@\n"+test.text, "@", "`"))
			spec := find(t, apply, "Spec")
			var setters, warnings []string
			for _, s := range spec.Setters[1:] {
				setters = append(setters, s.Name+" "+s.Type+" "+s.Path)
			}
			for _, d := range diags {
				if strings.Contains(d.Message, " of Spec ") {
					assert.True(t, d.Warning)
					warnings = append(warnings, fmt.Sprintf("%d: %s: %s", d.Pos.Line-19, d.Message, d.Hint))
				}
			}
			assert.Equal(t, test.want, strings.Join(setters, ", "))
			assert.Equal(t, test.warnings, warnings)
		})
	}
}

// TestInlinedInEachOther ends, and reports types of infinite size.
func TestInlinedInEachOther(t *testing.T) {
	_, diags := resolve(t, "int `json:\"f\"`\n*Other\n}\n\ntype Other struct {\nN int `json:\"n\"`\n*Spec")
	require.Len(t, diags, 2)
	assert.Equal(t, "type Other is inlined in itself", diags[0].Message)
	assert.Equal(t, "type Spec is inlined in itself", diags[1].Message)
	apply, diags := resolveFor(t, model.Target{Minor: 36}, "int `json:\"f\"`\n*Other\n}\n\ntype Other struct {\nN int `json:\"n\"`\n*Spec")
	require.Empty(t, diags)
	assert.Len(t, find(t, apply, "Other").Setters, 2)
}

// TestConversion determines the kinds whose objects are converted by encoding/json.
func TestConversion(t *testing.T) {
	const methods = "}\n\ntype Text struct{ N int }\n\nfunc (Text) MarshalText() ([]byte, error) { return nil, nil }\n\n" +
		"type Own struct { A [2]int @json:\"a\"@ }\n\nfunc (*Own) MarshalJSON() ([]byte, error) { return nil, nil }\n\ntype _ struct {\n"
	older := model.Target{Minor: 36}
	for field, test := range map[string]struct {
		target model.Target
		want   bool
	}{
		"[]Inner @json:\"f\"@":           {model.DefaultTarget, false},
		"Own @json:\"f\"@":               {model.DefaultTarget, false},
		"*Text @json:\"f\"@":             {model.DefaultTarget, true},
		"map[string]Text @json:\"f\"@":   {model.DefaultTarget, true},
		"map[Text]string @json:\"f\"@":   {model.DefaultTarget, true},
		"map[int]string @json:\"f\"@":    {model.DefaultTarget, true},
		"map[hidden]int8 @json:\"f\"@":   {model.DefaultTarget, false},
		"[][2]int @json:\"f\"@":          {model.DefaultTarget, true},
		"[]uint64 @json:\"f\"@":          {model.DefaultTarget, true},
		"uint32 @json:\"f\"@":            {model.DefaultTarget, false},
		"int @json:\"f,string\"@":        {model.DefaultTarget, true},
		"int @json:\"-,\"@":              {model.DefaultTarget, true},
		"int @json:\"f\"@\nWords":        {model.DefaultTarget, true},
		"int @json:\"f\"@\nInner":        {model.DefaultTarget, false},
		"int @json:\"f\"@\nInner @\"\"@": {older, true},
		"int @json:\"n\"@\nInner":        {model.DefaultTarget, true},
		"*Spec @json:\"f\"@":             {model.DefaultTarget, false},
	} {
		apply, diags := resolveFor(t, test.target, strings.ReplaceAll(field+"\n"+methods, "@", "`"))
		require.False(t, diags.Failed(), field)
		assert.Equal(t, test.want, find(t, apply, "Robot").ViaJSON, field)
		assert.Equal(t, test.want, apply.ViaJSON(), field)
		assert.False(t, find(t, apply, "Spec").Encodes)
		if strings.HasPrefix(field, "Own") {
			assert.True(t, find(t, apply, "Own").Encodes)
		}
	}
}

// TestEncodingTwice warns about a type with its own JSON that embeds one.
func TestEncodingTwice(t *testing.T) {
	const methods = "}\n\ntype Text struct{ N int }\n\nfunc (Text) MarshalText() ([]byte, error) { return nil, nil }\n\n" +
		"type Own struct {\nText\nA int `json:\"a\"`\n}\n\nfunc (Own) MarshalJSON() ([]byte, error) { return nil, nil }\n\ntype _ struct {\n"
	_, diags := resolve(t, "Own `json:\"f\"`\n"+methods)
	require.Len(t, diags, 1)
	assert.True(t, diags[0].Warning)
	assert.Equal(t, "the apply configuration of Own only has the JSON of the embedded Text", diags[0].Message)
}

// TestOddTag warns about a name that encoding/json reads differently since Go 1.27.
func TestOddTag(t *testing.T) {
	_, diags := resolve(t, "int `json:\"o'clock\"`\nPlain int `json:\"o-clock\"`")
	require.Len(t, diags, 1)
	assert.True(t, diags[0].Warning)
	assert.Equal(t, `the name "o'clock" in the json tag of F has characters that releases of Go read differently`, diags[0].Message)
}
