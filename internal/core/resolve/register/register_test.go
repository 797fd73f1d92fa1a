package register_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/register"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// read returns the package whose types.go begins with the markers and ends with the text.
func read(t *testing.T, markers, text string) *source.Package {
	t.Helper()
	if markers != "" {
		markers = "// " + markers + "\n"
	}
	sources := source.NewReader(gotypetest.Universe(t, "-- a/types.go --\n"+markers+"package a\n\n"+text)).ReadAll()
	require.Len(t, sources, 1)
	return sources[0]
}

// isObject treats each type as a runtime.Object, except those named Spec.
func isObject(decl *gotype.Decl) bool { return decl.Name() != "Spec" }

const robot = `
type Robot struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
}

type RobotList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
}

type RobotSpec struct{ N int }

type Alias = Robot

type Defined Robot

type internal struct{ metav1.TypeMeta }
`

func TestAsked(t *testing.T) {
	tests := map[string]struct {
		markers, text string
		want          bool
	}{
		"group and objects":    {"+groupName=fleet.io", robot, true},
		"no group":             {"", robot, false},
		"no objects":           {"+groupName=fleet.io", "type Spec struct{ N int }\n", false},
		"marker":               {"+k8s:register-gen=package", robot, true},
		"marker says no":       {"+groupName=fleet.io\n// +k8s:register-gen=false", robot, false},
		"handwritten variable": {"+groupName=fleet.io", robot + "\nvar AddToScheme = b.AddToScheme\n", false},
		"handwritten function": {"+groupName=fleet.io", robot + "\nfunc AddToScheme(s *S) {}\n", false},
		"internal version":     {"+groupName=fleet.io", "type Robot struct{ metav1.TypeMeta }\n", false},
		"type with +genclient": {"+groupName=fleet.io", "// +genclient\ntype Robot struct{}\n", true},
		"no deep copies":       {"+groupName=fleet.io", "type Spec struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n}\n", false},
		"and a marker":         {"+k8s:register-gen", "type Spec struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n}\n", true},
		"package of TypeMeta":  {"+groupName=fleet.io", robot + "\ntype TypeMeta struct{}\n", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, register.Requested(read(t, test.markers, test.text), isObject))
		})
	}
}

func version() *model.Version {
	return &model.Version{Name: "v1", Group: &model.Group{Name: "fleet.io"}, Kinds: []*model.Kind{{Name: "Robot", Resource: "robots"}}}
}

func TestResolve(t *testing.T) {
	tests := map[string]struct {
		text               string
		declared           []string
		builder            model.SchemeBuilder
		group, installAdds bool
	}{
		"nothing declared": {robot, []string{}, model.BuilderOfFunctions, true, true},
		"builder of apimachinery": {
			robot + "\nvar SchemeBuilder = runtime.NewSchemeBuilder(f)\n", []string{"SchemeBuilder"}, model.BuilderOfFunctions, true, true},
		"builder of controller-runtime": {
			robot + "\nvar SchemeBuilder = &scheme.Builder{GroupVersion: gv}\n", []string{"SchemeBuilder"}, model.BuilderOfObjects, true, true},
		"pointer to another": {
			robot + "\nvar own runtime.SchemeBuilder\n\nvar SchemeBuilder = &own\n", []string{"SchemeBuilder"}, model.BuilderOfFunctions, true,
			true},
		"unknown builder and AddToScheme": {
			robot + "\nvar SchemeBuilder = make()\n\nvar AddToScheme = SchemeBuilder.Add\n", []string{"SchemeBuilder",
				"AddToScheme"}, model.BuilderByHand, true, false},
		"the same group": {robot + "\nconst GroupName = \"fleet.io\"\n", []string{"GroupName"}, model.BuilderOfFunctions, true, true},
		"AddToScheme is Install": {
			robot + "\nfunc AddToScheme(s *S) error { return Install(s) }\n", []string{"AddToScheme"}, model.BuilderOfFunctions, true, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var diags diag.List
			v := version()
			r := register.Resolve(read(t, "+groupName=fleet.io", test.text), v, isObject, &diags)
			assert.Empty(t, diags)
			assert.Equal(t, []string{"Defined", "Robot", "RobotList"}, r.Types)
			assert.Equal(t, map[string]string{"Robot": "robots"}, r.Resources)
			assert.Equal(t, test.declared, r.Declared, "declared")
			assert.Equal(t, test.builder, r.Builder)
			assert.Equal(t, test.group, r.GroupName)
			assert.Equal(t, test.installAdds, r.InstallAdds)
			assert.Equal(t, "addKnownTypes", r.Func)
			assert.Equal(t, "SchemeGroupVersion AddToScheme", v.Source.GroupVersion+" "+v.Source.AddToScheme)
			assert.True(t, v.Source.Resource)
		})
	}
	text := robot + "\ntype Spec struct{ metav1.TypeMeta }\n"
	assert.Equal(t, []string{"Spec"}, register.Omitted(read(t, "+groupName=fleet.io", text), isObject))
	assert.Empty(t, register.Omitted(read(t, "", text), isObject), "no registration is requested")
	r := register.Resolve(read(t, "+groupName=fleet.io", robot+"\nfunc addKnownTypes() {}\n"), version(), isObject, new(diag.List))
	assert.Equal(t, "addKnownTypes2", r.Func)
}

func TestObstaclesToRegistration(t *testing.T) {
	tests := map[string]struct{ markers, text, want string }{
		"no objects": {
			"+k8s:register-gen=package", "type Spec struct{}\n",
			"types.go:1: nothing to register: no exported type of package example.com/m/a embeds TypeMeta",
		},
		"no deep copies": {
			"+k8s:register-gen=package", "type Spec struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n}\n",
			"types.go:1: nothing to register: no type of package example.com/m/a has the method DeepCopyObject",
		},
		"declared internal": {
			"+k8s:register-gen=package",
			robot + "\nvar SchemeGroupVersion = schema.GroupVersion{Version: runtime.APIVersionInternal}\n",
			"types.go:1: cannot generate the registration of package example.com/m/a, whose version is runtime.APIVersionInternal",
		},
		"internal version": {
			"+k8s:register-gen=package", "type Robot struct{ metav1.TypeMeta }\n",
			"types.go:1: cannot generate the registration of package example.com/m/a, whose TypeMeta has no json tag",
		},
		"another group": {
			"+groupName=fleet.io", robot + "const GroupName = \"other.io\"\n",
			`types.go:20: GroupName is "other.io", but the group of package example.com/m/a is "fleet.io"`,
		},
		"name of an import": {
			"+groupName=fleet.io", robot + "type schema struct{}\n",
			"types.go:20: schema is a type of this package, but the generated registration imports a package with this name",
		},
		"another GroupVersion": {
			"+groupName=fleet.io", robot + "type SchemeGroupVersion struct{}\n",
			"types.go:20: SchemeGroupVersion is a type, but registration needs a variable of type schema.GroupVersion with this name",
		},
		"form of AddToScheme": {
			"+groupName=fleet.io", robot + "func AddToScheme() {}\n",
			"types.go:20: AddToScheme is a function with another signature, but registration needs a func(*runtime.Scheme) error with this name",
		},
		"form of the builder": {
			"+groupName=fleet.io", robot + "type SchemeBuilder struct{}\n",
			"types.go:20: SchemeBuilder is a type, but registration needs a runtime.SchemeBuilder with this name",
		},
		"unknown builder": {
			"+groupName=fleet.io", robot + "var SchemeBuilder = make()\n",
			"types.go:20: cannot determine how this SchemeBuilder adds types, so AddToScheme cannot be generated",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var diags diag.List
			register.Resolve(read(t, test.markers, test.text), version(), isObject, &diags)
			require.Len(t, diags, 1)
			assert.Equal(t, test.want, fmt.Sprintf("%s:%d: %s", filepath.Base(diags[0].Pos.Filename), diags[0].Pos.Line, diags[0].Message))
			assert.NotEmpty(t, diags[0].Hint)
		})
	}
}
