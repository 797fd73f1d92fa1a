package generators

import (
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
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
				v.Kinds = append(v.Kinds, &model.Kind{Name: kind, Plural: kind + "s", Resource: kind, HasList: true, Verbs: model.AllVerbs, Version: v, Controller: &model.Controller{Owned: []model.Related{builtIn()}}})
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
	api.Packages = []*model.Package{{Path: "example.com/types", Name: "v1", DeepCopies: &model.DeepCopies{File: "zz_generated.deepcopy.go"}, Defaults: &model.Defaults{},
		Conversions: &model.Conversions{File: "zz_generated.conversion.go"}, Registration: &model.Registration{
			File:  "zz_generated.register.go",
			Group: "example.com", Version: "v1", Types: []string{"Robot"}, Builder: model.BuilderOfFunctions, Func: "addKnownTypes",
		}}}
	return api
}

func sampleLayout() *model.Layout {
	return &model.Layout{
		Target: model.DefaultTarget, Root: "example.com/out", Clientset: "clientset", Listers: "listers", Informers: "informers", ApplyConfigurationDir: "applyconfiguration",
		ApplyConfigurations: "example.com/out/applyconfiguration", Controllers: "controllers", Runtime: true,
		SourceDirs: map[string]string{"example.com/types": "../types"},
	}
}

// builtIn returns an owned kind of Kubernetes.
func builtIn() model.Related {
	return model.Related{Name: "Pod", Plural: "Pods", Resource: "pods", Namespaced: true, Package: "k8s.io/api/core/v1", Alias: "corev1", GroupGoName: "Core", GoVersion: "V1"}
}

// allJobs returns the jobs of all generators and of the scaffold.
func allJobs() []render.Job {
	var jobs []render.Job
	dropIn := sampleLayout()
	dropIn.Runtime = false
	for _, g := range rendered() {
		jobs = append(jobs, g.Jobs(sampleAPI(), sampleLayout())...)
		jobs = append(jobs, g.Jobs(sampleAPI(), dropIn)...)
	}
	destination := scaffold.Destination{ImportPath: "example.com", Module: "example.com", Operator: "example-operator"}
	return slices.Concat(jobs, scaffold.Jobs(sampleAPI().Kinds()[0], sampleLayout(), destination),
		scaffold.JobsTogether([]scaffold.Controlled{{Kind: sampleAPI().Kinds()[0], Layout: sampleLayout()}}, destination))
}

// TestTemplatesNameTheirViews compares the first line of each template, which editors read, with the type of its view.
func TestTemplatesNameTheirViews(t *testing.T) {
	for _, job := range allJobs() {
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

// TestEverySourceIsAnOutput compares the templates with the rows of all generators.
func TestEverySourceIsAnOutput(t *testing.T) {
	named := map[string]bool{}
	for _, job := range allJobs() {
		named[job.Template] = true
	}
	assert.Equal(t, filesIn(t, templates.FS), slices.Sorted(maps.Keys(named)), "the templates, and those that outputs name")
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

// TestRuntimeFiles compares the output with and without the run-time library.
func TestRuntimeFiles(t *testing.T) {
	paths := func(runtime bool) []string {
		api, layout := sampleAPI(), sampleLayout()
		layout.Runtime = runtime
		var all []string
		for _, g := range rendered() {
			for _, job := range g.Jobs(api, layout) {
				all = append(all, job.Path)
			}
		}
		return all
	}
	without := paths(false)
	added := slices.DeleteFunc(paths(true), func(name string) bool { return slices.Contains(without, name) })
	assert.ElementsMatch(t, []string{"clientset/fake/strict_generated.go", "informers/runtime.go", "informers/fields.go"}, added)
}

func TestFilesLieWhereTheirGeneratorSays(t *testing.T) {
	for _, g := range rendered() {
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
	files := All.FilesIn(sampleAPI(), sampleLayout())
	assert.Equal(t, map[string][]string{"example.com/types": {
		"../types/zz_generated.deepcopy.go", "../types/zz_generated.defaults.go", "../types/zz_generated.register.go",
		"../types/zz_generated.conversion.go",
	}}, files)
}

// rendered returns the products that templates make.
func rendered() product.Table {
	return slices.DeleteFunc(slices.Clone(All), func(p product.Product) bool { return p.Jobs == nil })
}
