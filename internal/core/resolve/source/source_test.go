package source_test

import (
	"fmt"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// read returns the package whose types.go has this text.
func read(t *testing.T, text string) *source.Package {
	t.Helper()
	sources := source.NewReader(gotypetest.Universe(t, "-- a/types.go --\n"+text)).ReadAll()
	require.Len(t, sources, 1)
	return sources[0]
}

func messages(diags diag.List) []string {
	var out []string
	for _, d := range diags.Sorted("") {
		out = append(out, fmt.Sprintf("%s:%d:%d: %s", filepath.Base(d.Pos.Filename), d.Pos.Line, d.Pos.Column, d.Message))
	}
	return out
}

func TestVerbs(t *testing.T) {
	tests := map[string]struct {
		markers string
		want    []string
	}{
		"all":               {"", model.AllVerbs.Strings()},
		"only":              {"+genclient:onlyVerbs=get,list", []string{"get", "list"}},
		"order of AllVerbs": {"+genclient:onlyVerbs=watch,create", []string{"create", "watch"}},
		"spaces":            {"+genclient:onlyVerbs= get , list", []string{"get", "list"}},
		"skip": {
			"+genclient:skipVerbs=apply,applyStatus,patch,watch,list,get",
			[]string{"create", "update", "updateStatus", "delete", "deleteWithResult", "deleteCollection"},
		},
		"readonly":            {"+genclient:readonly", []string{"get", "list", "watch"}},
		"readonly and others": {"+genclient:readonly\n// +genclient:onlyVerbs=delete", []string{"delete", "get", "list", "watch"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var diags diag.List
			decl := read(t, "package a\n\n// +genclient\n// "+test.markers+"\ntype T struct{}\n").Decls["T"]
			verbs, _ := source.ReadMarkers(decl.Markers).Client(&diags)
			assert.Equal(t, test.want, verbs.Strings())
			assert.Empty(t, diags)
		})
	}
}

func TestVerbMistakes(t *testing.T) {
	tests := map[string]string{
		"+genclient:onlyVerbs=get,lst": `types.go:3:29: unknown verb "lst"`,
		"+genclient:skipVerbs=get,get": `types.go:3:29: duplicate verb "get"`,
		"+genclient:onlyVerbs=get\n// +genclient:skipVerbs=list": "types.go:4:4: +genclient:skipVerbs and +genclient:onlyVerbs are mutually " +
			"exclusive",
		"+genclient:method=Scale": "types.go:3:4: method Scale needs a verb",
		"+genclient:method=scale,verb=get": `types.go:3:4: +genclient:method needs the name of an exported Go method, ` +
			`got "scale"`,
		"+genclient:method=Scale,verb=delete":          `types.go:3:4: method Scale cannot have the verb "delete"`,
		"+genclient:method=Scale,verb=get,input=Other": "types.go:3:43: method Scale with the verb get cannot have an input",
		"+genclient:method=Scale,verb=update,subresource=": `types.go:3:40: parameter "subresource" of +genclient:method ` +
			`needs a value: subresource=…`,
		"+genclient:method=Scale,verb=update,subresurce=scale": `types.go:3:40: unknown parameter "subresurce" of +genclient:method`,
	}
	for markers, want := range tests {
		t.Run(markers, func(t *testing.T) {
			var diags diag.List
			source.ReadMarkers(read(t, "package a\n\n// "+markers+"\ntype T struct{}\n").Decls["T"].Markers).Client(&diags)
			assert.Equal(t, []string{want}, messages(diags))
		})
	}
}

func TestMethods(t *testing.T) {
	var diags diag.List
	_, methods := source.ReadMarkers(read(t, `package a

// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s.io/api/autoscaling/v1.Scale
// +genclient:method=UpdateScale, verb = update, subresource=scale, input=Scale
type T struct{}
`).Decls["T"].Markers).Client(&diags)
	require.Empty(t, diags)
	require.Len(t, methods, 2)
	get, update := methods[0], methods[1]
	assert.Equal(t, []string{"GetScale", "get", "scale", "", "k8s.io/api/autoscaling/v1.Scale"},
		[]string{get.Name, string(get.Verb), get.Subresource, get.Input.Text, get.Result.Text})
	assert.Equal(t, []string{"UpdateScale", "update", "scale", "Scale", ""},
		[]string{update.Name, string(update.Verb), update.Subresource, update.Input.Text, update.Result.Text})
	assert.Equal(t, 65, get.Result.Pos.Column)
}

func TestKubebuilder(t *testing.T) {
	type values struct{ Path, Scope string }
	tests := map[string]struct {
		markers string
		want    values
		columns []int
	}{
		"none":         {"+genclient", values{}, nil},
		"path":         {"+kubebuilder:resource:path=robots", values{Path: "robots"}, []int{26}},
		"both":         {"+kubebuilder:resource:path=robots,scope=Cluster", values{"robots", "Cluster"}, []int{26, 38}},
		"among others": {"+kubebuilder:resource:shortName=rb;r,scope=Namespaced,categories=all", values{Scope: "Namespaced"}, []int{41}},
		"quotes":       {"+kubebuilder:resource:scope=\"Cluster\",path=`robots`", values{"robots", "Cluster"}, []int{42, 26}},
		"spaces":       {"+kubebuilder:resource:path=robots, scope=Cluster", values{"robots", "Cluster"}, []int{26, 39}},
		"braces":       {"+kubebuilder:resource:shortName={rb,r},path={robots}", values{}, nil},
		"quoted comma": {"+kubebuilder:resource:singular=\"a,path=b\",path=robots", values{Path: "robots"}, []int{46}},
		"two lines":    {"+kubebuilder:resource:path=robots\n// +kubebuilder:resource:scope=Cluster", values{"robots", "Cluster"}, []int{26, 26}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			k := read(t, "package a\n\n// "+test.markers+"\ntype T struct{}\n").Decls["T"].Kubebuilder
			var got values
			var columns []int
			if k.Path != nil {
				got.Path, columns = k.Path.Text, append(columns, k.Path.Pos.Column)
			}
			if k.Scope != nil {
				got.Scope, columns = k.Scope.Text, append(columns, k.Scope.Pos.Column)
			}
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.columns, columns)
		})
	}
	both := read(t, "package a\n\n// +kubebuilder:subresource:status\n// +kubebuilder:subresource:scale:specpath=.spec.replicas\n"+
		"type T struct{}\n").Decls["T"].Kubebuilder
	require.NotNil(t, both.Status)
	require.NotNil(t, both.Scale)
	assert.Equal(t, []int{3, 4}, []int{both.Status.Pos.Line, both.Scale.Pos.Line})
}

// at is a position in the line of the variable.
func at(column int) token.Position { return token.Position{Line: 3, Column: column} }

func TestGroupVersion(t *testing.T) {
	tests := map[string]struct {
		text string
		want source.GroupVersion
	}{
		"none": {"", source.GroupVersion{}},
		"literals": {
			`var SchemeGroupVersion = schema.GroupVersion{Group: "fleet.io", Version: "v1"}`,
			source.GroupVersion{Variable: "SchemeGroupVersion", Group: "fleet.io", Version: "v1"},
		},
		"constant": {
			"const GroupName = \"fleet.io\"\n\nvar GroupVersion = schema.GroupVersion{Group: GroupName, Version: \"v1\"}",
			source.GroupVersion{Variable: "GroupVersion", Group: "fleet.io", Version: "v1"},
		},
		"by order": {
			`var GroupVersion = schema.GroupVersion{"fleet.io", "v1"}`,
			source.GroupVersion{Variable: "GroupVersion", Group: "fleet.io", Version: "v1"},
		},
		"put together": {
			"const Suffix = \".io\"\n\nvar GroupVersion = schema.GroupVersion{Group: \"fleet\" + Suffix, Version: \"v\" + (\"1\")}",
			source.GroupVersion{Variable: "GroupVersion", Group: "fleet.io", Version: "v1"},
		},
		"of packages that are not there": {
			`var GroupVersion = schema.GroupVersion{Group: other.Name, Version: strings.ToLower("V1")}`,
			source.GroupVersion{Variable: "GroupVersion", GroupPos: at(47), VersionPos: at(68)},
		},
		"first wins": {
			"var GroupVersion = schema.GroupVersion{Version: \"v1\"}\n\nvar SchemeGroupVersion = schema.GroupVersion{Version: \"v2\"}",
			source.GroupVersion{Variable: "SchemeGroupVersion", Version: "v2"},
		},
		"register-gen's": {`var GroupVersion = metav1.GroupVersion{Group: "fleet.io", Version: "v1"}`, source.GroupVersion{}},
		"internal": {
			`var SchemeGroupVersion = schema.GroupVersion{Group: "fleet.io", Version: runtime.APIVersionInternal}`,
			source.GroupVersion{Variable: "SchemeGroupVersion", Group: "fleet.io", Internal: true},
		},
		"its constant": {
			"const internal = runtime.APIVersionInternal\n\nvar SchemeGroupVersion = schema.GroupVersion{Version: internal}",
			source.GroupVersion{Variable: "SchemeGroupVersion", Internal: true},
		},
		"its value": {
			`var SchemeGroupVersion = schema.GroupVersion{Version: "__internal"}`,
			source.GroupVersion{Variable: "SchemeGroupVersion", Version: "__internal", Internal: true},
		},
		"function": {"var SchemeGroupVersion = parse()", source.GroupVersion{Variable: "SchemeGroupVersion"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := read(t, "package a\n\n"+test.text+"\n").GroupVersion()
			for _, pos := range []*token.Position{&got.GroupPos, &got.VersionPos} {
				if pos.IsValid() {
					*pos = at(pos.Column)
				}
			}
			assert.Equal(t, test.want, got)
		})
	}
}

func TestInternal(t *testing.T) {
	const tag, noTag = " `json:\"metadata\"`", ""
	kind := func(name, tag string) string {
		return "// +genclient\ntype " + name + " struct {\n\tmetav1.TypeMeta\n\tmetav1.ObjectMeta" + tag + "\n}\n"
	}
	const declared = "var SchemeGroupVersion = schema.GroupVersion{Version: runtime.APIVersionInternal}\n"
	tests := map[string]struct {
		text string
		want bool
	}{
		"nothing":                  {"", false},
		"kind":                     {kind("A", tag), false},
		"without json tags":        {kind("A", noTag) + kind("B", noTag), true},
		"one with a json tag":      {kind("A", noTag) + kind("B", tag), false},
		"declared":                 {declared + kind("A", tag), true},
		"declared, without a kind": {declared, false},
		"not a struct":             {"// +genclient\ntype A int\n", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			universe := gotypetest.Universe(t, "-- a/types.go --\npackage a\n\n"+test.text)
			assert.Equal(t, test.want, source.NewReader(universe).Read(universe.Roots[0]).Internal())
		})
	}
}

func TestAddToScheme(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"var AddToScheme = b.AddToScheme": "AddToScheme",
		"func Install(s *S) error":        "Install",
		"func Install(s *S)":              "",
		"func AddToScheme() error":        "",
		"func AddToScheme(s *S) error\n\nvar Install = AddToScheme": "AddToScheme",
	} {
		assert.Equal(t, want, read(t, "package a\n\n"+text+"\n").AddToScheme(), text)
	}
	assert.True(t, read(t, "package a\n\nfunc Resource(s string) G\n").HasResource())
	assert.False(t, read(t, "package a\n\nfunc Resource() G\n").HasResource())
}

func TestDeclared(t *testing.T) {
	s := read(t, "package a\n\ntype T int\n\nfunc F() {}\n\nvar A, V = 1, \"text\"\n\nconst C = V\n")
	for name, want := range map[string]string{"T": "a type", "F": "a function", "V": "a variable or constant", "N": ""} {
		assert.Equal(t, want, s.Declared(name), name)
	}
	for name, want := range map[string]int{"T": 3, "F": 5, "V": 7, "C": 9, "N": 1} {
		assert.Equal(t, want, s.Position(name).Line, name)
	}
	assert.Equal(t, 8, s.Position("V").Column, "of the second name in a declaration")
	assert.Equal(t, "text", s.StringValue("C"))
	assert.Empty(t, s.StringValue("A"))
}

func TestMarkersInTheWrongPlace(t *testing.T) {
	s := read(t, `// +k8s:client-gen=false
package a

// +genclient

// A line in between.

const N = 1

// +genclient:nonNamespaced
type T struct{}

func f() {
	// +groupName=fleet.io
}

// +genclent
type U struct{}
`)
	var diags diag.List
	s.CheckDeclarations(&diags)
	assert.Equal(t, []string{
		"types.go:4:4: marker +genclient has no effect: it is not above a type",
		"types.go:10:4: marker +genclient:nonNamespaced has no effect on type T, which has no +genclient",
		"types.go:14:5: marker +groupName has no effect here",
		"types.go:17:4: unknown marker +genclent",
	}, messages(diags))
	assert.Equal(t, []bool{true, true, true, false}, []bool{diags[0].Warning, diags[1].Warning, diags[2].Warning, diags[3].Warning})
	assert.False(t, s.Activated(marker.ClientGen))
	assert.True(t, s.Activated(marker.ListerGen))
	assert.Empty(t, s.ClientTypes())
}

func TestCheckMarkers(t *testing.T) {
	s := read(t, "// +groupName=a.io\n// +groupName=b.io\npackage a\n\n// +genclient\n// +somebody:elses=x\ntype T struct{}\n")
	var diags diag.List
	s.CheckMarkers(&diags)
	assert.Equal(t, []string{"types.go:2:4: marker +groupName=b.io contradicts +groupName=a.io at types.go:1"}, messages(diags))
	assert.Len(t, s.Decls["T"].Markers, 1)
	assert.Len(t, s.Decls["T"].Scanned, 2)
	assert.Equal(t, []string{"T"}, s.ClientTypes())
}
