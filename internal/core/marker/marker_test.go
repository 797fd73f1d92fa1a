package marker

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

func scan(t *testing.T, src string) Set {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", src+"\npackage p\n", parser.ParseComments)
	require.NoError(t, err)
	return Scan(fset, file.Comments...)
}

func TestCode(t *testing.T) {
	src := "// Example:\n//\n//\t+genclient\n/*\n\t+genclient:noStatus\n*/"
	assert.Empty(t, scan(t, src))
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", src+"\npackage p\n", parser.ParseComments)
	require.NoError(t, err)
	_, code := ScanAll(fset, file.Comments...)
	require.Len(t, code, 2)
	assert.Equal(t, []int{3, 5}, []int{code[0].Pos.Line, code[1].Pos.Line})
}

func TestScan(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      Marker
		line, col int
	}{
		{"plain", "// +genclient", Marker{Name: GenClient}, 1, 4},
		{"no space", "//+genclient", Marker{Name: GenClient}, 1, 3},
		{"controller-gen, tab", "//\t+kubebuilder:storageversion", Marker{Name: "kubebuilder:storageversion", code: true}, 1, 4},
		{"value", "// text\n// +groupName=fleet.example.com", Marker{Name: GroupName, Value: "fleet.example.com", Assigned: true}, 2, 4},
		{"empty value", "// +groupName=", Marker{Name: GroupName, Assigned: true}, 1, 4},
		{"trailing comment", "// +groupName=apps # as ever", Marker{Name: GroupName, Value: "apps", Assigned: true}, 1, 4},
		{"trailing comment without value", "// +genclient # wanted", Marker{Name: GenClient}, 1, 4},
		{"hash in JSON", `// +default="a # b"`, Marker{Name: Default, Value: `"a # b"`, Assigned: true}, 1, 4},
		{"commas and equals signs", "// +genclient:method=A,verb=get", Marker{Name: Method, Value: "A,verb=get", Assigned: true}, 1, 4},
		{"block comment", "/*\n text\n  +genclient\n*/", Marker{Name: GenClient}, 3, 3},
		{"block comment on one line", "/* +genclient */", Marker{Name: GenClient}, 1, 4},
		{"carriage return", "// +genclient\r", Marker{Name: GenClient}, 1, 4},
		{"colon equals", "// +kubebuilder:object:generate:=false", Marker{Name: ObjectGenerate, Value: "false", Assigned: true, shift: 1}, 1, 4},
		{
			"controller-gen, one value", "// +kubebuilder:validation:Enum=a;b",
			Marker{Name: "kubebuilder:validation:Enum", Value: "a;b", Assigned: true}, 1, 4,
		},
		{
			"controller-gen, colon equals", "// +kubebuilder:validation:Minimum:=1",
			Marker{Name: "kubebuilder:validation:Minimum", Value: "1", Assigned: true, shift: 1}, 1, 4,
		},
		{"controller-gen, no value", "// +kubebuilder:storageversion", Marker{Name: "kubebuilder:storageversion"}, 1, 4},
		{
			"controller-gen, unknown", "// +kubebuilder:resourc:path=robots",
			Marker{Name: "kubebuilder:resourc:path", Value: "robots", Assigned: true}, 1, 4,
		},
		{
			"controller-gen, trailing comment", "// +kubebuilder:object:root=true # a kind",
			Marker{Name: ObjectRoot, Value: "true", Assigned: true}, 1, 4,
		},
		{
			"controller-gen, hash in a value", `// +kubebuilder:validation:XValidation:rule="a == 'b # c'"`,
			Marker{Name: "kubebuilder:validation:XValidation", Value: `rule="a == 'b # c'"`, Assigned: true}, 1, 4,
		},
		{
			"foreign", `// +kubebuilder:resource:path=foos,scope=Cluster`,
			Marker{Name: "kubebuilder:resource", Value: "path=foos,scope=Cluster", Assigned: true}, 1, 4,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := scan(t, test.src)
			require.Len(t, got, 1)
			assert.Equal(t, test.line, got[0].Pos.Line)
			assert.Equal(t, test.col, got[0].Pos.Column)
			got[0].Pos, got[0].parsed = token.Position{}, nil
			assert.Equal(t, test.want, got[0])
		})
	}
}

func TestScanPassesOverOtherLines(t *testing.T) {
	assert.Empty(t, scan(t, "// genclient\n// 1 + 1\n// + genclient\n// a +genclient"))
}

// TestSimpleMarkersNeedNoGrammar compares all short lines.
func TestSimpleMarkersNeedNoGrammar(t *testing.T) {
	const letters = "aZ7:-_.= #,(\"é"
	texts, compared := []string{""}, 0
	for range 5 {
		var longer []string
		for _, text := range texts {
			for _, letter := range letters {
				longer = append(longer, text+string(letter))
			}
		}
		texts = longer
		for _, text := range texts {
			// Callers trim the ends of lines.
			if name, _, _ := strings.Cut(text, "="); isName(name) && !strings.HasSuffix(text, " ") {
				m, ok := parse("+" + text)
				require.True(t, ok, text)
				want, _ := extract("+" + text)
				require.Equal(t, want, m, text)
				compared++
			}
		}
	}
	assert.Greater(t, compared, 1000)
}

func TestValuePos(t *testing.T) {
	m := scan(t, "// +resourceName=foos")[0]
	assert.Equal(t, 18, m.ValuePos(0).Column)
	assert.Equal(t, 20, m.ValuePos(2).Column)
	assert.Equal(t, 34, scan(t, "// +kubebuilder:object:generate:=false")[0].ValuePos(0).Column)
	assert.Equal(t, 26, scan(t, "// +kubebuilder:resource:path=robots")[0].ValuePos(0).Column)
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, src string
		level     Level
		kept      int
		message   string
		hint      string
	}{
		{"known", "// +genclient", OnType, 1, "", ""},
		{"elsewhere", "// +genclient", OnPackage, 0, "", ""},
		{"somebody else's", "// +kubebuilder:printcolumn:name=Age", OnType, 0, "", ""},
		{"twice the same", "// +genclient\n// +genclient", OnType, 1, "", ""},
		{"twice, repeatable", "// +genclient:method=A,verb=get\n// +genclient:method=B,verb=get", OnType, 2, "", ""},
		{
			"contradiction", "// +resourceName=a\n// +resourceName=b", OnType, 1,
			"marker +resourceName=b contradicts +resourceName=a at a.go:1", "",
		},
		{
			"value too much", "// +genclient:noStatus=false", OnType, 0,
			`marker +genclient:noStatus takes no value, got "false"`,
			"write +genclient:noStatus to enable it; remove the line to disable it",
		},
		{"value missing", "// +genclient:onlyVerbs", OnType, 0, "marker +genclient:onlyVerbs needs a value: +genclient:onlyVerbs=…", ""},
		{"neither true nor false", "// +k8s:client-gen=maybe", OnPackage, 0, `marker +k8s:client-gen must be true or false, got "maybe"`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var diags diag.List
			assert.Len(t, Check(scan(t, test.src), test.level, &diags), test.kept)
			if test.message == "" {
				assert.Empty(t, diags)
				return
			}
			require.Len(t, diags, 1)
			assert.Equal(t, test.message, diags[0].Message)
			assert.Equal(t, test.hint, diags[0].Hint)
		})
	}
}

func TestCheckSpelling(t *testing.T) {
	const list = "run informer-gen-lite markers for a list"
	for line, hint := range map[string]string{
		"genclient:nonNamespace": "did you mean +genclient:nonNamespaced?",
		"genclient:frobnicate":   list,
		"genClient":              "did you mean +genclient?",
		"genclients":             "did you mean +genclient?",
		"groupname":              "did you mean +groupName?",
		"groupGoname":            "did you mean +groupGoName?",
		"resourcename":           "did you mean +resourceName?",
		"informergen:controler":  "did you mean +informergen:controller?",
	} {
		t.Run(line, func(t *testing.T) {
			var diags diag.List
			CheckSpelling(scan(t, "// +"+line), &diags)
			assert.Equal(t, diag.List{{Pos: diags[0].Pos, Message: "unknown marker +" + line, Hint: hint}}, diags)
		})
	}
	for _, name := range []string{
		"genclient", "kubebuilder:object:root=true", "optional", "k8s:optional", "k8s:event-gen", "k8s:deepcopy-gen", "k8s:register-gen",
		"versionName", "listType",
		"k8s:prerelease-lifecycle-gen", "k8s:prerelease-lifecycle-gen:introduced", "enum", "k8s:maxBytes=10", `k8s:ifEnabled("X")=+k8s:required`,
		"kubebuilder:resource", "kubebuilder:resource:path=a,scope=Cluster,shortName={a,b},categories=all;x", "kubebuilder:scaffold:imports",
		"kubebuilder:validation:MinLength=1",
		"kubebuilder:validation:Enum=a=b;c", `kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"`,
		`kubebuilder:printcolumn:JSONPath=".status.x[?(@.type==\"Ready\")].y",name=Ready,type=string`,
		`kubebuilder:validation:XValidation:rule="has(self.a), b=c",message='x'`,
		`kubebuilder:validation:XValidation:message="matching ^[a'(),;=:@]$ for ['x']",rule="self.matches(r\"\"\"^[a'(),;=:@]$\"\"\")"`,
		"kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list", "kubebuilder:something:else",
	} {
		t.Run(name, func(t *testing.T) {
			var diags diag.List
			CheckSpelling(scan(t, "// +"+name), &diags)
			assert.Empty(t, diags)
		})
	}
}

// TestMarkersOfOthers checks that mistakes in markers of other generators are warnings, if they resemble one.
func TestMarkersOfOthers(t *testing.T) {
	for line, want := range map[string]string{
		"k8s:deepcpy-gen":       "warning: unknown marker +k8s:deepcpy-gen\n\tdid you mean +k8s:deepcopy-gen?",
		"k8s:informr-gen=false": "warning: unknown marker +k8s:informr-gen\n\tdid you mean +k8s:informer-gen?",
		"K8s:client-gen":        "warning: unknown marker +K8s:client-gen\n\tdid you mean +k8s:client-gen?",
		"k8s:deepcopy-gen:interfces=x": "warning: unknown marker +k8s:deepcopy-gen:interfces\n" +
			"\tdid you mean +k8s:deepcopy-gen:interfaces?",
		"k8s:optionl":                     "warning: unknown marker +k8s:optionl\n\tdid you mean +k8s:optional?",
		"kubebuilder:objects:root=true":   "warning: unknown marker +kubebuilder:objects:root\n\tdid you mean +kubebuilder:object:root?",
		"kubebuilder:resourc:path=robots": "warning: unknown marker +kubebuilder:resourc:path\n\tdid you mean +kubebuilder:resource?",
		"kubebuilder:subresource:statsu": "warning: unknown marker +kubebuilder:subresource:statsu\n" +
			"\tdid you mean +kubebuilder:subresource:status?",
		"kubebuilder:validation:enum=a;b": "warning: unknown marker +kubebuilder:validation:enum\n" +
			"\tdid you mean +kubebuilder:validation:Enum?",
		"kubebuilder:validation:MinLenght:=1": "warning: unknown marker +kubebuilder:validation:MinLenght\n" +
			"\tdid you mean +kubebuilder:validation:MinLength?",
		"kubebuilder:resource:scpe=Cluster": "warning: unknown argument \"scpe\" of +kubebuilder:resource\n\tdid you mean scope?",
		"kubebuilder:resource:path=a,kind=Foo": "warning: unknown argument \"kind\" of +kubebuilder:resource\n" +
			"\tuse one of categories, path, scope, shortName, singular",
	} {
		t.Run(line, func(t *testing.T) {
			var diags diag.List
			CheckSpelling(scan(t, "// +"+line), &diags)
			require.Len(t, diags, 1)
			diags[0].Pos = token.Position{}
			assert.Equal(t, want, diags[0].String())
		})
	}
}

func TestTheTableIsComplete(t *testing.T) {
	for _, d := range slices.Concat(Known, Kubebuilder) {
		assert.NotEmpty(t, d.Summary, d.Name)
		assert.Regexp(t, `^v\d+\.\d+\.\d+$`, d.Since, d.Name)
		assert.GreaterOrEqual(t, d.ClientGo.Minor, model.OldestTarget.Minor, d.Name)
		assert.Equal(t, strings.HasPrefix(d.Name, "informergen:"), d.Stability == Beta, "markers of others are stable: %s", d.Name)
		assert.Equal(t, d.Value.form == absent, d.Value.parse == nil, "%s: values are parsed", d.Name)
		assert.Equal(t, d.Value.parse == nil, scan(t, "// "+d.Example)[0].parsed == nil, d.Name)
	}
	for _, d := range Known {
		example := scan(t, "// "+d.Example)
		require.Len(t, example, 1)
		var diags diag.List
		assert.Len(t, Check(example, d.Level, &diags), 1, "the example of +%s must be valid", d.Name)
		assert.Empty(t, diags)
	}
}

func TestArguments(t *testing.T) {
	for value, want := range map[string][]string{
		"":                     {""},
		"a":                    {"a"},
		"a=1, b=2":             {"a=1", "b=2"},
		`a="x,y",b={p,q},c`:    {`a="x,y"`, "b={p,q}", "c"},
		"a=`,`,b=','":          {"a=`,`", "b=','"},
		`a="x,b=2`:             {`a="x`, "b=2"},
		`a="`:                  {`a="`},
		"{":                    {"{"},
		`a="it's, so",b=don't`: {`a="it's, so"`, "b=don't"},
	} {
		var got []string
		for offset, argument := range Arguments(value) {
			assert.Equal(t, argument, value[offset:offset+len(argument)])
			got = append(got, argument)
		}
		assert.Equal(t, want, got, value)
	}
}
