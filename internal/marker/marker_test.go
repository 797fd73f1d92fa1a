package marker

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

func scan(t *testing.T, src string) Set {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", src+"\npackage p\n", parser.ParseComments)
	require.NoError(t, err)
	return Scan(fset, file.Comments...)
}

func TestScan(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      Marker
		line, col int
	}{
		{"plain", "// +genclient", Marker{Name: GenClient}, 1, 4},
		{"no space", "//+genclient", Marker{Name: GenClient}, 1, 3},
		{"tab", "//\t+genclient", Marker{Name: GenClient}, 1, 4},
		{"value", "// text\n// +groupName=fleet.example.com", Marker{Name: GroupName, Value: "fleet.example.com", Assigned: true}, 2, 4},
		{"empty value", "// +groupName=", Marker{Name: GroupName, Assigned: true}, 1, 4},
		{"trailing comment", "// +groupName=apps # as ever", Marker{Name: GroupName, Value: "apps", Assigned: true}, 1, 4},
		{"trailing comment without value", "// +genclient # wanted", Marker{Name: GenClient}, 1, 4},
		{"commas and equals signs", "// +genclient:method=A,verb=get", Marker{Name: Method, Value: "A,verb=get", Assigned: true}, 1, 4},
		{"block comment", "/*\n text\n  +genclient\n*/", Marker{Name: GenClient}, 3, 3},
		{"block comment on one line", "/* +genclient */", Marker{Name: GenClient}, 1, 4},
		{"carriage return", "// +genclient\r", Marker{Name: GenClient}, 1, 4},
		{"foreign", `// +kubebuilder:resource:path=foos,scope=Cluster`, Marker{Name: "kubebuilder:resource:path", Value: "foos,scope=Cluster", Assigned: true}, 1, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := scan(t, test.src)
			require.Len(t, got, 1)
			assert.Equal(t, test.line, got[0].Pos.Line)
			assert.Equal(t, test.col, got[0].Pos.Column)
			got[0].Pos = token.Position{}
			assert.Equal(t, test.want, got[0])
		})
	}
}

func TestScanPassesOverOtherLines(t *testing.T) {
	assert.Empty(t, scan(t, "// genclient\n// 1 + 1\n// + genclient\n// a +genclient"))
}

func TestValuePos(t *testing.T) {
	m := scan(t, "// +resourceName=foos")[0]
	assert.Equal(t, 18, m.ValuePos(0).Column)
	assert.Equal(t, 20, m.ValuePos(2).Column)
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, src string
		place     Place
		kept      int
		message   string
		hint      string
	}{
		{"known", "// +genclient", OnType, 1, "", ""},
		{"elsewhere", "// +genclient", OnPackage, 0, "", ""},
		{"somebody else's", "// +kubebuilder:printcolumn:name=Age", OnType, 0, "", ""},
		{"twice the same", "// +genclient\n// +genclient", OnType, 1, "", ""},
		{"twice, repeatable", "// +genclient:method=A,verb=get\n// +genclient:method=B,verb=get", OnType, 2, "", ""},
		{"contradiction", "// +resourceName=a\n// +resourceName=b", OnType, 1, "marker +resourceName=b contradicts +resourceName=a at a.go:1", ""},
		{"value too much", "// +genclient:noStatus=false", OnType, 0, `marker +genclient:noStatus takes no value, got "false"`, "write +genclient:noStatus to say yes; leave the line out to say no"},
		{"value missing", "// +genclient:onlyVerbs", OnType, 0, "marker +genclient:onlyVerbs needs a value: +genclient:onlyVerbs=…", ""},
		{"neither true nor false", "// +k8s:client-gen=maybe", OnPackage, 0, `marker +k8s:client-gen is true or false, got "maybe"`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var diags diag.List
			assert.Len(t, Check(scan(t, test.src), test.place, &diags), test.kept)
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
	const list = "informer-gen-lite tags lists all that there are"
	for name, hint := range map[string]string{
		"genclient:nonNamespace":       "did you mean +genclient:nonNamespaced?",
		"genclient:frobnicate":         list,
		"genClient":                    "did you mean +genclient?",
		"genclients":                   "did you mean +genclient?",
		"groupname":                    "did you mean +groupName?",
		"groupGoname":                  "did you mean +groupGoName?",
		"resourcename":                 "did you mean +resourceName?",
		"k8s:deepcpy-gen":              "did you mean +k8s:deepcopy-gen?",
		"k8s:informr-gen":              "did you mean +k8s:informer-gen?",
		"informergen:controler":        "did you mean +informergen:controller?",
		"K8s:client-gen":               "did you mean +k8s:client-gen?",
		"k8s:deepcopy-gen:interfces":   "did you mean +k8s:deepcopy-gen:interfaces?",
		"genclient":                    "",
		"kubebuilder:resource:path":    "",
		"kubebuilder:object:root":      "",
		"optional":                     "",
		"k8s:optional":                 "",
		"k8s:event-gen":                "",
		"k8s:deepcopy-gen":             "",
		"k8s:register-gen":             "",
		"versionName":                  "",
		"listType":                     "",
		"k8s:prerelease-lifecycle-gen": "",
		"k8s:prerelease-lifecycle-gen:introduced": "",
		"enum": "",
	} {
		t.Run(name, func(t *testing.T) {
			var diags diag.List
			CheckSpelling(Set{{Name: name}}, &diags)
			if hint == "" {
				assert.Empty(t, diags)
				return
			}
			require.Len(t, diags, 1)
			assert.Equal(t, "unknown marker +"+name, diags[0].Message)
			assert.Equal(t, hint, diags[0].Hint)
		})
	}
}

func TestTheTableIsComplete(t *testing.T) {
	for _, d := range Known {
		assert.NotEmpty(t, d.Summary, d.Name)
		example := scan(t, "// "+d.Example)
		require.Len(t, example, 1)
		var diags diag.List
		assert.Len(t, Check(example, d.Place, &diags), 1, "the example of +%s must be valid", d.Name)
		assert.Empty(t, diags)
	}
}

func TestNearest(t *testing.T) {
	verbs := []string{"get", "list", "deleteCollection"}
	assert.Equal(t, "list", Nearest("lst", verbs))
	assert.Equal(t, "deleteCollection", Nearest("DeleteCollections", verbs))
	assert.Empty(t, Nearest("frobnicate", verbs))
}
