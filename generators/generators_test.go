package generators

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// sampleAPI returns an API whose output makes use of every template.
func sampleAPI() *model.API {
	api := &model.API{}
	for _, name := range []string{"Apps", "Fleet"} {
		g := &model.Group{Name: "example.com", GoName: name, Folder: name, Package: name}
		for _, folder := range []string{"v1", "v1beta1"} {
			v := &model.Version{
				Name: folder, GoName: model.UpperFirst(folder), GroupFolder: name, Folder: folder, Package: folder, Group: g,
				Source:   model.Source{Path: "example.com/" + name + "/" + folder},
				Generate: model.Activation{Client: true, Lister: true, Informer: true, Apply: true},
			}
			for _, kind := range []string{"Arm", "Robot"} {
				v.Kinds = append(v.Kinds, &model.Kind{Name: kind, Plural: kind + "s", Resource: kind, HasList: true, Verbs: model.AllVerbs, Version: v, Controller: &model.Controller{}})
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
		Root: "example.com/out", Clientset: "clientset", Listers: "listers", Informers: "informers", ApplyConfigurationDir: "applyconfiguration",
		Controllers: "controllers",
		SourceDirs:  map[string]string{"example.com/types": "../types"},
	}
}

func TestEveryTemplateIsAnOutput(t *testing.T) {
	used := map[string]bool{}
	for _, g := range All {
		for _, job := range g.Jobs(sampleAPI(), sampleLayout()) {
			used[job.Template] = true
		}
	}
	for _, job := range scaffold.Jobs(sampleAPI().Kinds()[0], sampleLayout(), "example.com") {
		used[job.Template] = true
	}
	require.NoError(t, fs.WalkDir(templates.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			assert.True(t, used[name], "no output uses template %s", name)
			delete(used, name)
		}
		return err
	}))
	assert.Empty(t, used, "outputs whose template does not exist")
}

func TestFilesLieWhereTheirGeneratorSays(t *testing.T) {
	for _, g := range All {
		dir, name := g.Dir(sampleLayout()), g.Beside()
		assert.True(t, (dir == "") != (name == ""), "%s has either a directory or a file beside the types", g.Name())
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
