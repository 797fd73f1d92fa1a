package listers

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
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
	for _, job := range jobsOf(api, &model.Layout{Listers: "listers", Runtime: true}) {
		paths = append(paths, job.Path)
	}
	assert.Equal(t, []string{"listers/fleet/v1/expansion_generated.go", "listers/fleet/v1/arm.go", "listers/fleet/v1/robot.go"}, paths[:3])
	var runtime []string
	for from, to := range map[string]string{"cached": "listers/internal/cached", "reader": "listers/reader"} {
		sources, err := filepath.Glob("../../emit/" + from + "/*.go")
		require.NoError(t, err)
		for _, source := range sources {
			if !strings.HasSuffix(source, "_test.go") {
				runtime = append(runtime, to+"/"+filepath.Base(source))
			}
		}
	}
	assert.ElementsMatch(t, runtime, paths[3:])
	assert.Len(t, jobsOf(api, &model.Layout{Listers: "listers"}), 3, "no run-time code")
	assert.Empty(t, jobsOf(&model.API{Groups: []*model.Group{{Versions: []*model.Version{silent}}}}, &model.Layout{Listers: "listers"}), "no lister, no run-time code")
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

func TestRuntimePackages(t *testing.T) {
	layout := &model.Layout{Root: "example.com/out", Listers: "listers", Target: model.NewestTarget}
	assert.Equal(t, "example.com/out/listers/internal/cached", kindView{fleet().Kinds[0], layout, ""}.CachedPackage())
	reader := readerView{layout}
	assert.Equal(t, map[string]string{"github.com/informer-gen-lite/informer-gen-lite/emit/cached": "example.com/out/listers/internal/cached"}, reader.ImportPaths())
	assert.Equal(t, "reader", reader.Package())
	_, err := reader.Has("Nothing")
	assert.Error(t, err)
}

func TestHasExpansion(t *testing.T) {
	v := fleet()
	layout := &model.Layout{Listers: "listers", Handwritten: map[string]bool{"listers/fleet/v1/arm_expansion.go": true}}
	dir := layout.ListerDir(v)
	assert.True(t, kindView{v.Kinds[0], layout, dir}.HasExpansion())
	assert.False(t, kindView{v.Kinds[2], layout, dir}.HasExpansion())
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
