package listers

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

func fleet() *model.Version {
	v := &model.Version{
		GroupFolder: "fleet", Folder: "v1", Package: "v1", Group: &model.Group{GoName: "Fleet"},
		Generate: model.Activation{Lister: true},
	}
	v.Kinds = []*model.Kind{
		{Name: "Arm", Verbs: model.Verbs{model.Get, model.List}, Version: v},
		{Name: "Report", Verbs: model.Verbs{model.Create}, Version: v},
		{Name: "Robot", Verbs: model.AllVerbs, Version: v},
	}
	return v
}

func TestJobs(t *testing.T) {
	v, silent := fleet(), fleet()
	silent.Generate.Lister = false
	api := &model.API{Groups: []*model.Group{{Versions: []*model.Version{silent, v}}}}
	var paths []string
	for _, job := range Jobs(api, &model.Layout{Listers: "listers"}) {
		paths = append(paths, job.Path)
	}
	assert.Equal(t, []string{"listers/fleet/v1/expansion_generated.go", "listers/fleet/v1/arm.go", "listers/fleet/v1/robot.go"}, paths)
	assert.Empty(t, Jobs(&model.API{Groups: []*model.Group{{Versions: []*model.Version{silent}}}}, &model.Layout{Listers: "listers"}), "no lister")
}

func TestWithoutExpansion(t *testing.T) {
	v := fleet()
	layout := &model.Layout{Listers: "listers", Handwritten: map[string]bool{"listers/fleet/v1/arm_expansion.go": true, "listers/other/v1/robot_expansion.go": true}}
	assert.Equal(t, []*model.Kind{v.Kinds[2]}, versionView{v, layout, layout.ListerDir(v)}.WithoutExpansion())
}

func TestKind(t *testing.T) {
	kind := fleet().Kinds[0]
	assert.Equal(t, "fleetv1.Arm", kindView{kind, &model.Layout{}, ""}.Type())
	assert.Equal(t, kind, kindView{kind, &model.Layout{}, ""}.About())
}

func TestCopies(t *testing.T) {
	kind := fleet().Kinds[0]
	kind.Plural = "Arms"
	assert.Equal(t, "Objects are shared and must not be modified: use DeepCopy.", kindView{kind, &model.Layout{}, ""}.Sharing())
	assert.Equal(t, "ret", kindView{kind, &model.Layout{}, ""}.Results())
	kind.ListsCopies = true
	assert.Equal(t, "copies", kindView{kind, &model.Layout{}, ""}.Results())
	assert.Equal(t, "Objects are deep copies and may be modified.", kindView{kind, &model.Layout{}, ""}.Sharing())
}

func TestGroupResource(t *testing.T) {
	kind := fleet().Kinds[0]
	kind.Resource = "arms"
	kind.Version.Source.Resource = true
	assert.Equal(t, `fleetv1.Resource("arm")`, kindView{kind, &model.Layout{}, ""}.GroupResource())
	assert.Equal(t, `fleetv1.Resource("arms")`, kindView{kind, &model.Layout{PluralListerErrors: true}, ""}.GroupResource())
}
