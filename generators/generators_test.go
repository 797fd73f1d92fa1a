package generators

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
				Generate: model.Activation{Client: true, Lister: true, Informer: true},
			}
			for _, kind := range []string{"Arm", "Robot"} {
				v.Kinds = append(v.Kinds, &model.Kind{Name: kind, Plural: kind + "s", Resource: kind, HasList: true, Verbs: model.AllVerbs, Version: v})
			}
			g.Versions = append(g.Versions, v)
		}
		api.Groups = append(api.Groups, g)
	}
	return api
}

func sampleLayout() *model.Layout {
	return &model.Layout{Root: "example.com/out", Clientset: "clientset", Listers: "listers", Informers: "informers"}
}

func TestEveryTemplateIsAnOutput(t *testing.T) {
	used := map[string]bool{}
	for _, g := range All {
		for _, job := range g.Jobs(sampleAPI(), sampleLayout()) {
			used[job.Template] = true
		}
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

func TestFilesLieBelowTheirGeneratorsDirectory(t *testing.T) {
	for _, g := range All {
		for _, job := range g.Jobs(sampleAPI(), sampleLayout()) {
			assert.Contains(t, job.Path, g.Dir(sampleLayout())+"/")
		}
	}
}

// TestDeterminism runs with shuffled input and changing parallelism, and expects the same bytes.
func TestDeterminism(t *testing.T) {
	options := Options{Layout: sampleLayout(), Generators: All}
	want, err := Run(context.Background(), sampleAPI(), options)
	require.NoError(t, err)
	require.NotEmpty(t, want)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for procs := 1; procs <= 4; procs++ {
		runtime.GOMAXPROCS(procs)
		shuffled := append([]Generator{}, All...)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		got, err := Run(context.Background(), sampleAPI(), Options{Layout: sampleLayout(), Generators: shuffled})
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

func TestCollidingFiles(t *testing.T) {
	api := sampleAPI()
	kinds := api.Groups[0].Versions[0].Kinds
	kinds[0].Name = "ROBOT"
	_, err := Run(context.Background(), api, Options{Layout: sampleLayout(), Generators: All})
	assert.ErrorContains(t, err, "another generated file would be called robot.go")
}
