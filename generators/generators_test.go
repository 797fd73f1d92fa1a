package generators

import (
	"go/format"
	"io/fs"
	"maps"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/emit"
	"github.com/informer-gen-lite/informer-gen-lite/generators/clientset"
	"github.com/informer-gen-lite/informer-gen-lite/generators/controller"
	"github.com/informer-gen-lite/informer-gen-lite/generators/informers"
	"github.com/informer-gen-lite/informer-gen-lite/generators/listers"
	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// sampleAPI returns an API whose output makes use of every template.
func sampleAPI() *model.API {
	api := &model.API{}
	for _, name := range []string{"Apps", "Fleet"} {
		g := &model.Group{Name: "example.com", GoName: name, Folder: name, Package: name}
		for _, folder := range []string{"v1", "v1beta1"} {
			v := &model.Version{
				Name: folder, GoName: goname.UpperFirst(folder), GroupFolder: name, Folder: folder, Package: folder, Group: g,
				Source:   model.Source{Path: "example.com/" + name + "/" + folder},
				Generate: model.Activation{Client: true, Lister: true, Informer: true, Apply: true},
			}
			for _, kind := range []string{"Arm", "Robot"} {
				v.Kinds = append(v.Kinds, &model.Kind{Name: kind, Plural: kind + "s", Resource: kind, HasList: true, Verbs: model.AllVerbs, Version: v, Controller: &model.Controller{Owned: []model.Owned{builtIn()}}})
			}
			g.Versions = append(g.Versions, v)
		}
		api.Groups = append(api.Groups, g)
	}
	api.Apply = &model.ApplyConfigurations{Schema: "types: []\n"}
	for _, v := range api.Versions() {
		api.Apply.Packages = append(api.Apply.Packages, &model.ApplyPackage{
			Folder: v.ApplyFolder(), Package: v.Package, Source: v.Source.Path, SourceAlias: v.Alias(), GroupVersion: v.GroupVersionExpr(),
			Types: []*model.ApplyType{{Name: "Spec"}},
		})
	}
	api.Packages = []*model.Package{{Path: "example.com/types", Name: "v1", DeepCopies: &model.DeepCopies{}, Registration: &model.Registration{
		Group: "example.com", Version: "v1", Types: []string{"Robot"}, Builder: model.BuilderOfFunctions, Func: "addKnownTypes",
	}}}
	return api
}

func sampleLayout() *model.Layout {
	return &model.Layout{
		Target: model.NewestTarget, Root: "example.com/out", Clientset: "clientset", Listers: "listers", Informers: "informers", ApplyConfigurationDir: "applyconfiguration",
		ApplyConfigurations: "example.com/out/applyconfiguration", Controllers: "controllers", Tracing: true, Runtime: true,
		SourceDirs: map[string]string{"example.com/types": "../types"},
	}
}

// builtIn returns an owned kind of Kubernetes.
func builtIn() model.Owned {
	return model.Owned{Name: "Pod", Plural: "Pods", Resource: "pods", Namespaced: true, Package: "k8s.io/api/core/v1", Alias: "corev1", GroupGoName: "Core", GoVersion: "V1"}
}

// allJobs returns the jobs of all generators and of the scaffold.
func allJobs() []render.Job {
	var jobs []render.Job
	dropIn := sampleLayout()
	dropIn.Runtime = false
	for _, g := range All {
		jobs = append(jobs, g.Jobs(sampleAPI(), sampleLayout())...)
		jobs = append(jobs, g.Jobs(sampleAPI(), dropIn)...)
	}
	return append(jobs, scaffold.Jobs(sampleAPI().Kinds()[0], sampleLayout(), scaffold.Destination{ImportPath: "example.com", Module: "example.com"})...)
}

// TestTemplatesNameTheirViews compares the first line of each template, which editors read, with the type of its view.
func TestTemplatesNameTheirViews(t *testing.T) {
	for _, job := range allJobs() {
		if job.Emit != "" {
			continue
		}
		view := reflect.TypeOf(job.View)
		if view.Kind() == reflect.Pointer {
			view = view.Elem()
		}
		text, err := fs.ReadFile(templates.FS, job.Template)
		require.NoError(t, err)
		first, _, _ := strings.Cut(string(text), "\n")
		assert.Equal(t, "{{- /*gotype: "+view.PkgPath()+"."+view.Name()+"*/ -}}", first, job.Template)
	}
}

// TestEverySourceIsAnOutput compares the templates and the run-time code with the rows of all generators.
func TestEverySourceIsAnOutput(t *testing.T) {
	templated, emitted := map[string]bool{}, map[string]bool{}
	for _, job := range allJobs() {
		if job.Emit != "" {
			emitted[job.Emit] = true
		} else {
			templated[job.Template] = true
		}
	}
	assert.Equal(t, filesIn(t, templates.FS), slices.Sorted(maps.Keys(templated)), "the templates, and those that outputs name")
	assert.Equal(t, filesIn(t, emit.FS), slices.Sorted(maps.Keys(emitted)), "the run-time code, and what outputs name")
}

// TestEveryEmittedFileIsEmbedded compares what is embedded with the packages on disk.
func TestEveryEmittedFileIsEmbedded(t *testing.T) {
	var want []string
	for _, name := range filesIn(t, os.DirFS("../emit")) {
		if path.Dir(name) != "." && !strings.HasSuffix(name, "_test.go") {
			want = append(want, name)
		}
	}
	assert.Equal(t, want, filesIn(t, emit.FS))
}

func filesIn(t *testing.T, fsys fs.FS) []string {
	t.Helper()
	var names []string
	require.NoError(t, fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	}))
	return names
}

// TestConditionalFiles checks that files are left out if the API does not need them.
func TestConditionalFiles(t *testing.T) {
	paths := func(change func(*model.API, *model.Layout)) []string {
		api, layout := sampleAPI(), sampleLayout()
		change(api, layout)
		var all []string
		for _, g := range All {
			for _, job := range g.Jobs(api, layout) {
				all = append(all, job.Path)
			}
		}
		return all
	}
	all := paths(func(*model.API, *model.Layout) {})
	assert.Contains(t, all, "controllers/kube.go")
	assert.Contains(t, all, "controllers/controllertest/kube.go")
	assert.Contains(t, all, "controllers/tracing/tracing.go")
	assert.Contains(t, all, "clientset/fake/strict_generated.go")
	few := paths(func(api *model.API, layout *model.Layout) {
		for _, kind := range api.Kinds() {
			kind.Controller = &model.Controller{}
		}
		layout.ApplyConfigurations, layout.Tracing = "", false
	})
	assert.NotContains(t, few, "controllers/tracing/tracing.go", "nobody asks for it")
	assert.NotContains(t, few, "controllers/kube.go", "nothing built-in is owned")
	assert.NotContains(t, few, "controllers/controllertest/kube.go", "nothing built-in is owned")
	assert.Len(t, few, len(all)-3)
}

// TestEmittedFilesAreFormatted renders the run-time code for packages of other names, with imports in another order.
func TestEmittedFilesAreFormatted(t *testing.T) {
	layout := sampleLayout()
	layout.Clientset, layout.Informers, layout.Controllers = "z/clients", "a/informers", "pkg/loops"
	renderer, err := render.New(templates.FS, emit.FS, []byte("// Copyright"))
	require.NoError(t, err)
	jobs := slices.Concat(clientset.Generator.Jobs(sampleAPI(), layout), controller.Generator.Jobs(sampleAPI(), layout), listers.Generator.Jobs(sampleAPI(), layout),
		informers.Generator.Jobs(sampleAPI(), layout))
	seen := 0
	for _, job := range jobs {
		if !slices.Contains([]string{"pkg/loops", "pkg/loops/controllertest", "pkg/loops/tracing", "z/clients/fake/internal/strict", "listers/internal/cached", "listers/reader", "a/informers/internal/shared"}, path.Dir(job.Path)) {
			continue
		}
		seen++
		file, err := renderer.Render(job)
		require.NoError(t, err)
		text := string(file.Content)
		formatted, err := format.Source(file.Content)
		require.NoError(t, err)
		assert.Equal(t, string(formatted), text, file.Path)
		assert.True(t, strings.HasPrefix(text, "// Copyright\n\n"+render.GeneratedBy+"\n\n"), file.Path)
		assert.NotContains(t, text, "informer-gen-lite/examples", file.Path)
		assert.NotContains(t, text, "informer-gen-lite/emit", file.Path)
		switch file.Path {
		case "pkg/loops/controller.go":
			assert.Contains(t, text, "DO NOT EDIT.\n\n// Package loops has")
		case "pkg/loops/factory.go":
			assert.Contains(t, text, "\tinformers \"example.com/out/a/informers\"\n\tclientset \"example.com/out/z/clients\"\n)\n\n// WithFactory")
		case "pkg/loops/tracing/tracing.go":
			assert.Contains(t, text, "\n\tcontrollers \"example.com/out/pkg/loops\"\n)\n\n// WithTracerProvider")
		case "pkg/loops/controllertest/reconcile.go":
			assert.Contains(t, text, "DO NOT EDIT.\n\n// Package controllertest tests")
			assert.Contains(t, text, "\tcontrollers \"example.com/out/pkg/loops\"\n\t\"example.com/out/z/clients/scheme\"\n)\n")
		}
	}
	assert.Equal(t, 70, seen)
}

func TestFilesLieWhereTheirGeneratorSays(t *testing.T) {
	for _, g := range All {
		dir, name := g.Dir(sampleLayout()), g.PackageFile
		assert.NotEqual(t, dir == "", name == "", "%s has either a directory or a file in API packages", g.Name)
		for _, job := range g.Jobs(sampleAPI(), sampleLayout()) {
			if dir == "" {
				assert.Equal(t, "../types/"+name, job.Path)
			} else {
				assert.Contains(t, job.Path, dir+"/")
			}
		}
	}
}

func TestFilesIn(t *testing.T) {
	files := FilesIn(sampleAPI(), sampleLayout(), All)
	assert.Equal(t, map[string][]string{"example.com/types": {"../types/zz_generated.deepcopy.go", "../types/zz_generated.register.go"}}, files)
}
