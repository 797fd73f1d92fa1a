package controller

import (
	"go/format"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/emit"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// robot returns a kind with a controller.
func robot(owned ...model.Owned) *model.Kind {
	v := &model.Version{
		GroupFolder: "fleet", Folder: "v1", Group: &model.Group{GoName: "Fleet"},
		Source: model.Source{Path: "example.com/apis/fleet/v1"}, Generate: model.Activation{Apply: true},
	}
	k := &model.Kind{Name: "Robot", Plural: "Robots", HasStatus: true, Verbs: model.AllVerbs, Version: v, Controller: &model.Controller{Owned: owned, HasStatusField: true}}
	v.Kinds = []*model.Kind{k}
	v.Group.Versions = []*model.Version{v}
	return k
}

func deployment() model.Owned {
	return model.Owned{Name: "Deployment", Plural: "Deployments", Package: "k8s.io/api/apps/v1", Alias: "appsv1"}
}

func layout() *model.Layout {
	return &model.Layout{
		Root: "example.com/client", Controllers: "controllers", Clientset: "versioned", Informers: "informers",
		ApplyConfigurationDir: "apply", ApplyConfigurations: "example.com/client/apply",
	}
}

func TestJobs(t *testing.T) {
	for name, test := range map[string]struct {
		kind         *model.Kind
		wiring, kube bool
	}{
		"none":     {&model.Kind{Name: "Robot"}, false, false},
		"alone":    {robot(), true, false},
		"built-in": {robot(deployment()), true, true},
	} {
		t.Run(name, func(t *testing.T) {
			api := &model.API{Groups: []*model.Group{{Versions: []*model.Version{{Kinds: []*model.Kind{test.kind}}}}}}
			var paths []string
			for _, job := range jobsOf(api, layout()) {
				paths = append(paths, job.Path)
			}
			assert.Equal(t, test.wiring, slices.Contains(paths, "controllers/fleet/v1/robot.go"))
			assert.Equal(t, test.wiring, slices.Contains(paths, "controllers/factory.go"))
			assert.Equal(t, test.wiring, slices.Contains(paths, "controllers/controllertest/clients.go"))
			assert.Equal(t, test.kube, slices.Contains(paths, "controllers/kube.go"), "the clients of built-in kinds")
			assert.NotContains(t, paths, "controllers/tracing/tracing.go")
		})
	}
}

func TestTracing(t *testing.T) {
	l := layout()
	l.Tracing = true
	api := &model.API{Groups: []*model.Group{{Versions: []*model.Version{{Kinds: []*model.Kind{robot()}}}}}}
	jobs := jobsOf(api, l)
	last := jobs[len(jobs)-1]
	assert.Equal(t, "controllers/tracing/tracing.go", last.Path)
	v, ok := last.View.(tracingView)
	require.True(t, ok)
	assert.Equal(t, "tracing", v.Package())
	assert.Equal(t, []string{"example.com/client/controllers"}, slices.Collect(maps.Values(v.ImportPaths())))
	assert.Empty(t, jobsOf(&model.API{}, l), "no controllers")
}

func TestImports(t *testing.T) {
	kind := robot(deployment())
	v := kindView{kind, kind.Controller, layout()}
	assert.Equal(t, []importView{{"fleetv1", "example.com/apis/fleet/v1"}, {"appsv1", "k8s.io/api/apps/v1"}}, v.Imports())
	assert.Equal(t, "fleetv1.Robot", v.Type())
	assert.Equal(t, "example.com/client/controllers", v.Core())
	assert.Equal(t, "example.com/client/apply/fleet/v1", v.ApplyPackage())
}

func TestHasStatus(t *testing.T) {
	for name, test := range map[string]struct {
		change        func(*model.Kind, *model.Layout)
		update, apply bool
	}{
		"both":           {func(*model.Kind, *model.Layout) {}, true, true},
		"no field":       {func(k *model.Kind, _ *model.Layout) { k.Controller.HasStatusField = false }, false, false},
		"no subresource": {func(k *model.Kind, _ *model.Layout) { k.HasStatus = false }, false, false},
		"no apply":       {func(_ *model.Kind, l *model.Layout) { l.ApplyConfigurations = "" }, true, false},
		"apply only":     {func(k *model.Kind, _ *model.Layout) { k.Verbs = model.Verbs{model.ApplyStatus} }, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			kind, l := robot(), layout()
			test.change(kind, l)
			v := kindView{kind, kind.Controller, l}
			assert.Equal(t, test.update, v.HasUpdateStatus())
			assert.Equal(t, test.apply, v.HasApplyStatus())
		})
	}
}

func TestShared(t *testing.T) {
	v := sharedView{Layout: layout()}
	assert.Equal(t, "controllers", v.Package())
	paths := v.ImportPaths()
	assert.Len(t, paths, 2)
	for _, to := range paths {
		assert.Contains(t, []string{"example.com/client/versioned", "example.com/client/informers"}, to)
	}
}

// TestForTests renders the package for testing reconcilers without the parts that the API does not need.
func TestForTests(t *testing.T) {
	none := layout()
	none.ApplyConfigurations = ""
	for name, test := range map[string]struct {
		view       sharedView
		lacks, has []string
	}{
		"everything": {sharedView{layout(), true}, nil, []string{"fake.NewStrictClientset()", "Kube ", "kubefake.NewClientset()", "serve(t, clients)"}},
		"nothing":    {sharedView{none, false}, []string{"Kube ", "kubefake", "serve("}, []string{"fake.NewStrictClientset()"}},
	} {
		t.Run(name, func(t *testing.T) {
			renderer, err := render.New(templates.FS, emit.FS, nil)
			require.NoError(t, err)
			file, err := renderer.Render(render.Jobs(forTests, testView{test.view})[0])
			require.NoError(t, err)
			formatted, err := format.Source(file.Content)
			require.NoError(t, err)
			assert.Equal(t, string(formatted), string(file.Content))
			for _, part := range test.has {
				assert.Contains(t, string(file.Content), part)
			}
			for _, part := range test.lacks {
				assert.NotContains(t, string(file.Content), part)
			}
		})
	}
	_, err := testView{sharedView{layout(), true}}.Has("Wings")
	assert.EqualError(t, err, "there is no capability Wings")
}
