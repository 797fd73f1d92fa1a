package pipeline

import (
	"go/token"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// sampleAPI returns an API with output of every generator.
func sampleAPI() *model.API {
	group := &model.Group{Name: "fleet.example.com", GoName: "Fleet", Folder: "fleet", Package: "fleet"}
	version := &model.Version{
		Name: "v1", GoName: "V1", GroupFolder: "fleet", Folder: "v1", Package: "v1", Group: group,
		Source:   model.Source{Path: "example.com/fleet/v1"},
		Generate: model.Activation{Client: true, Lister: true, Informer: true, Apply: true},
	}
	for _, name := range []string{"Arm", "Robot"} {
		version.Kinds = append(version.Kinds, &model.Kind{
			Name: name, Plural: name + "s", Resource: name, HasList: true, Verbs: model.AllVerbs, Version: version, Controller: &model.Controller{},
		})
	}
	group.Versions = []*model.Version{version}
	return &model.API{
		Groups: []*model.Group{group},
		Apply: &model.ApplyConfigurations{Schema: "types: []\n", Packages: []*model.ApplyPackage{{
			Folder: version.ApplyFolder(), Package: "v1", Source: version.Source.Path, SourceAlias: version.Alias(),
			GroupVersion: version.GroupVersionExpr(), Types: []*model.ApplyType{{Name: "Spec"}},
		}}},
		Packages: []*model.Package{{
			Path: version.Source.Path, Name: "v1", DeepCopies: &model.DeepCopies{File: "zz_generated.deepcopy.go"},
			Registration: &model.Registration{File: "zz_generated.register.go", Group: group.Name, Version: "v1", Types: []string{"Robot"}, Builder: model.BuilderOfFunctions, Func: "addKnownTypes"},
		}},
	}
}

func sampleOptions(selected ...product.Product) renderOptions {
	return renderOptions{generators: selected, layout: &model.Layout{
		Root: "example.com/out", Clientset: "clientset", Listers: "listers", Informers: "informers", Controllers: "controllers",
		ApplyConfigurationDir: "applyconfiguration", SourceDirs: map[string]string{"example.com/fleet/v1": "../fleet/v1"},
	}}
}

// TestDeterminism renders with shuffled generators and changing parallelism, and expects the same bytes.
func TestDeterminism(t *testing.T) {
	want, err := renderAll(t.Context(), sampleAPI(), sampleOptions(generators.All...))
	require.NoError(t, err)
	require.NotEmpty(t, want)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for procs := 1; procs <= 4; procs++ {
		runtime.GOMAXPROCS(procs)
		shuffled := append([]product.Product{}, generators.All...)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		got, err := renderAll(t.Context(), sampleAPI(), sampleOptions(shuffled...))
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

func TestCollidingFiles(t *testing.T) {
	api := sampleAPI()
	api.Groups[0].Versions[0].Kinds[0].Name = "ROBOT"
	_, err := renderAll(t.Context(), api, sampleOptions(generators.All...))
	assert.ErrorContains(t, err, "another generated file would have the name robot.go")
}

func TestCheckPaths(t *testing.T) {
	for name, test := range map[string]struct {
		paths []string
		want  string
	}{
		"different":                {[]string{"a/x.go", "b/x.go"}, ""},
		"same":                     {[]string{"a/x.go", "a/x.go"}, "a/x.go: another generated file would have the name x.go\n\trename one of the kinds"},
		"same but for upper case":  {[]string{"a/X.go", "a/x.go"}, "a/x.go: another generated file would have the name X.go\n\trename one of the kinds"},
		"directories in the other": {[]string{"A/x.go", "a/x.go"}, "a/x.go: another generated file would have the name x.go\n\trename one of the kinds"},
	} {
		t.Run(name, func(t *testing.T) {
			var jobs []render.Job
			for _, path := range test.paths {
				jobs = append(jobs, render.Job{Path: path})
			}
			if err := checkPaths(jobs); test.want == "" {
				assert.NoError(t, err)
			} else {
				assert.EqualError(t, err, test.want)
			}
		})
	}
}

func TestCheckDeclarations(t *testing.T) {
	const hint = "\n\trename one of the kinds, or remove +genclient from one"
	file := func(path, source string) render.File {
		return render.File{Path: path, Content: []byte("package p\n\n" + source)}
	}
	for name, test := range map[string]struct {
		files []render.File
		want  string
	}{
		"different names":     {[]render.File{file("a/x.go", "type T int\n"), file("a/y.go", "type U int\n")}, ""},
		"different packages":  {[]render.File{file("a/x.go", "type T int\n"), file("b/x.go", "type T int\n")}, ""},
		"methods":             {[]render.File{file("a/x.go", "func (x X) M() {}\n"), file("a/y.go", "func (y Y) M() {}\n")}, ""},
		"blank names":         {[]render.File{file("a/x.go", "var _ I = T{}\nfunc init() {}\n"), file("a/y.go", "var _ I = U{}\nfunc init() {}\n")}, ""},
		"two files":           {[]render.File{file("a/x.go", "type T int\n"), file("a/y.go", "func T() {}\n")}, "a/y.go: T would be declared in x.go and in y.go" + hint},
		"two names":           {[]render.File{file("a/x.go", "type T int\ntype U int\n"), file("a/y.go", "type T int\ntype U int\n")}, "a/y.go: T would be declared in x.go and in y.go" + hint},
		"one file":            {[]render.File{file("a/x.go", "type T int\nvar T = 1\n")}, "a/x.go: duplicate declaration of T" + hint},
		"one file, and other": {[]render.File{file("a/x.go", "type T int\nvar T = 1\n"), file("a/y.go", "var T = 2\n")}, "a/y.go: T would be declared in x.go and in y.go" + hint},
	} {
		t.Run(name, func(t *testing.T) {
			if err := checkDeclarations(test.files); test.want == "" {
				assert.NoError(t, err)
			} else {
				assert.EqualError(t, err, test.want)
			}
		})
	}
}

func TestPositioned(t *testing.T) {
	kind := token.Position{Filename: "/m/types.go", Line: 3, Column: 6}
	at := func(name string) diag.Diagnostic {
		return diag.Diagnostic{Pos: token.Position{Filename: name}, Message: "x"}
	}
	got := positioned(diag.List{at("listers/robot.go"), at("listers/doc.go")}, "/m/gen", map[string]token.Position{"listers/robot.go": kind})
	assert.Equal(t, diag.List{{Pos: kind, Message: "x"}, at("/m/gen/listers/doc.go")}, got)
	assert.Equal(t, assert.AnError, positioned(assert.AnError, "/m/gen", nil), "an error without positions")
	assert.NoError(t, positioned(nil, "/m/gen", nil))
}
