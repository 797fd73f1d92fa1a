package informers

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// group returns a group with a version for each folder, and a kind in each.
func group(name string, folders ...string) *model.Group {
	g := &model.Group{Name: name + ".example.com", GoName: "Fleet", Folder: name, Package: name}
	for _, folder := range folders {
		v := &model.Version{
			Name: folder, GoName: folder, GroupFolder: name, Folder: folder, Package: folder, Group: g,
			Source: model.Source{Path: "example.com/" + name + "/" + folder}, Generate: model.Activation{Informer: true, Lister: true},
		}
		v.Kinds = []*model.Kind{{Name: "Robot", Plural: "Robots", Resource: "robots", Namespaced: true, Verbs: model.AllVerbs, Version: v}}
		g.Versions = append(g.Versions, v)
	}
	return g
}

func paths(jobs []render.Job) []string {
	var all []string
	for _, job := range jobs {
		all = append(all, job.Path)
	}
	return all
}

func TestJobs(t *testing.T) {
	layout := &model.Layout{Root: "example.com/client", Informers: "informers", Runtime: true}
	optedOut := group("silent", "v1")
	optedOut.Versions[0].Generate.Informer = false
	api := &model.API{Groups: []*model.Group{group("fleet", "v1"), optedOut}}
	files := paths(Jobs(api, layout))
	assert.Equal(t, []string{
		"informers/fleet/interface.go", "informers/fleet/v1/interface.go", "informers/fleet/v1/robot.go",
		"informers/factory.go", "informers/runtime.go", "informers/fields.go", "informers/generic.go",
		"informers/internalinterfaces/factory_interfaces.go",
	}, files)
	assert.Empty(t, Jobs(&model.API{Groups: []*model.Group{optedOut}}, layout), "no informer, no factory")
	layout.Runtime = false
	assert.Len(t, Jobs(api, layout), 6, "without runtime.go and fields.go")
}

func TestGroupAlias(t *testing.T) {
	view := factoryView{
		Layout: &model.Layout{Root: "example.com/client", Informers: "informers"},
		Groups: []*model.Group{group("fleet", "v1"), group("cache", "v1"), group("cacheinformers", "v1")},
	}
	view = view.withAliases()
	var aliases []string
	for _, g := range view.Groups {
		aliases = append(aliases, view.GroupAlias(g))
	}
	assert.Equal(t, []string{"fleet", "cacheinformers", "cacheinformers2"}, aliases)
	assert.Equal(t, "informers", view.Package())
}

func TestVersionAlias(t *testing.T) {
	g := group("fleet", "v1", "factory", "init")
	view := newGroupView(g, &model.Layout{Informers: "informers"})
	var aliases []string
	for _, version := range g.Versions {
		aliases = append(aliases, view.VersionAlias(version))
	}
	assert.Equal(t, []string{"v1", "factoryinformers", "initinformers"}, aliases)
}

func TestKind(t *testing.T) {
	kind := group("fleet", "v1").Versions[0].Kinds[0]
	v := kindView{Kind: kind}
	assert.Equal(t, "fleetv1.Robot", v.Type())
	assert.Equal(t, kind, v.About())
	assert.Equal(t, "RobotInformer", v.AdapterBase())
	assert.Equal(t, []string{"namespace string, ", "namespace, "}, []string{v.NamespaceParam(), v.NamespaceArg()})
	for target, want := range map[int]string{33: "RobotInformer", 36: "RobotInformer", 37: "TypedRobotInformer"} {
		layout := &model.Layout{Target: model.Target{Minor: target}}
		assert.Equal(t, want, versionView{kind.Version, layout}.Informer(kind), target)
	}
	kind.Namespaced, kind.Name = false, "Typed"
	assert.Equal(t, []string{"", ""}, []string{v.NamespaceParam(), v.NamespaceArg()})
	assert.Equal(t, "adaptedTypedInformer", v.AdapterBase(), "a field must not be called like the method TypedInformer")
}

// TestSources checks which kinds informers of the library can have.
func TestSources(t *testing.T) {
	fleet, other := group("fleet", "v1"), group("other", "v1")
	other.Versions[0].Kinds[0].Verbs = model.Verbs{model.List, model.Watch}
	api := &model.API{Groups: []*model.Group{fleet, other}}
	view := factoryView{Layout: &model.Layout{}, Versions: api.Versions(), api: api}
	sources := view.Sources()
	assert.Len(t, sources, 1, "no source without the verb get")
	assert.Equal(t, []string{"fleetv1.Robot", "Namespaced"}, []string{sources[0].Type(), sources[0].Constructor()})
	fleet.Versions[0].Kinds[0].Namespaced = false
	assert.Equal(t, "Cluster", view.Sources()[0].Constructor())
}
