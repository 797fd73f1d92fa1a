package applyconfiguration

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

func layout() *model.Layout {
	return &model.Layout{Root: "example.com/client", ApplyConfigurationDir: "apply", ApplyConfigurations: "example.com/client/apply"}
}

func TestPackages(t *testing.T) {
	apply := &model.ApplyConfigurations{Packages: []*model.ApplyPackage{
		{Folder: "fleet/v1", Source: "example.com/fleet/v1", SourceAlias: "fleetv1", GroupVersion: "fleetv1.SchemeGroupVersion"},
		{Folder: "parts", Source: "example.com/parts", SourceAlias: "parts"},
		{Folder: "fl/eetv1", Source: "example.com/fl/eetv1", SourceAlias: "applyconfigurationsfleetv12", GroupVersion: "x"},
		{Folder: "flee/tv1", Source: "example.com/flee/tv1", SourceAlias: "fleetv12", GroupVersion: "y"},
	}}
	var got [][3]string
	for _, p := range newTreeView(apply, layout()).Packages() {
		got = append(got, [3]string{p.SourceAlias, p.BuilderAlias, p.Path})
	}
	assert.Equal(t, [][3]string{
		{"fleetv1", "applyconfigurationsfleetv1", "example.com/client/apply/fleet/v1"},
		{"applyconfigurationsfleetv12", "applyconfigurationsfleetv13", "example.com/client/apply/fl/eetv1"},
		{"fleetv12", "applyconfigurationsfleetv14", "example.com/client/apply/flee/tv1"},
	}, got, "packages without a group and version are not imported")
}

func TestTree(t *testing.T) {
	v := newTreeView(&model.ApplyConfigurations{}, layout())
	assert.Equal(t, "apply", v.PackageName())
	assert.Equal(t, "example.com/client/apply/internal", v.Internal())
}

func TestTypeImports(t *testing.T) {
	pkg := packageOfType{Imports: []model.Import{{Alias: "partsac", Path: "fleet/parts", Apply: true}, {Alias: "corev1", Path: "k8s.io/api/core/v1"}}}
	v := typeView{&model.ApplyType{Name: "Robot"}, pkg, layout(), nil}
	assert.Equal(t, []model.Import{{Alias: "partsac", Path: "example.com/client/apply/fleet/parts", Apply: true}, {Alias: "corev1", Path: "k8s.io/api/core/v1"}}, v.Imports())
	assert.Equal(t, "fleet/parts", pkg.Imports[0].Path, "the model is not changed")
	assert.Nil(t, v.About())
}

func TestTargets(t *testing.T) {
	applied := &model.ApplyType{
		Name: "Robot", Subresources: []model.Subresource{{Name: "arms", GoName: "Arms"}},
		Getters: []model.ApplyGetter{{Name: "Kind"}, {Name: "Name"}},
	}
	silent := &model.ApplyType{Name: "Robot"}
	for minor, want := range map[int]struct {
		extractor string
		extracted []model.Subresource
		silent    []model.Subresource
		readable  []model.ApplyGetter
	}{
		33: {"extractRobot", []model.Subresource{model.StatusSubresource}, nil, applied.Getters[1:]},
		34: {"extractRobot", []model.Subresource{model.StatusSubresource}, nil, applied.Getters},
		35: {"ExtractRobotFrom", applied.Subresources, nil, applied.Getters},
	} {
		layout := &model.Layout{Target: model.Target{Minor: minor}}
		v := typeView{applied, packageOfType{}, layout, &model.Kind{}}
		assert.Equal(t, want.extractor, v.Extractor(), minor)
		assert.Equal(t, want.extracted, v.Extracted(), minor)
		assert.Equal(t, want.readable, v.Readable(), minor)
		assert.Equal(t, want.silent, typeView{silent, packageOfType{}, layout, &model.Kind{NoStatus: true}}.Extracted(), "a marker says that there is no status")
	}
}

func TestJobs(t *testing.T) {
	assert.Empty(t, Jobs(&model.API{}, layout()))
	kind := &model.Kind{Name: "Robot"}
	version := &model.Version{Source: model.Source{Path: "example.com/fleet/v1"}, Kinds: []*model.Kind{kind}}
	kind.Version = version
	api := &model.API{
		Groups: []*model.Group{{Versions: []*model.Version{version}}},
		Apply: &model.ApplyConfigurations{Packages: []*model.ApplyPackage{
			{Folder: "fleet/v1", Source: "example.com/fleet/v1", Types: []*model.ApplyType{{Name: "Robot"}, {Name: "RobotSpec"}}},
		}},
	}
	about := map[string]*model.Kind{}
	for _, job := range Jobs(api, layout()) {
		if view, ok := job.View.(typeView); ok {
			about[job.Path] = view.About()
		} else {
			about[job.Path] = nil
		}
	}
	assert.Equal(t, map[string]*model.Kind{
		"apply/utils.go": nil, "apply/internal/internal.go": nil, "apply/fleet/v1/robot.go": kind, "apply/fleet/v1/robotspec.go": nil,
	}, about)
}

// TestEnsureSlice gives each function another name than all others of the type.
func TestEnsureSlice(t *testing.T) {
	slice := func(name, elem string) model.ApplySetter {
		return model.ApplySetter{Name: name, Form: model.AppendPointed, Type: elem, Pointer: true}
	}
	arms := slice("Arms", "ArmApplyConfiguration")
	for name, test := range map[string]struct {
		of   model.ApplyType
		want string
	}{
		"only one":         {model.ApplyType{Setters: []model.ApplySetter{arms}}, "ensureArmApplyConfigurationExists"},
		"two of one type":  {model.ApplyType{Setters: []model.ApplySetter{arms, slice("Spares", arms.Type)}}, ""},
		"of another group": {model.ApplyType{Setters: []model.ApplySetter{arms, slice("Spares", "otherac."+arms.Type)}}, ""},
		"embedded": {model.ApplyType{
			Setters: []model.ApplySetter{arms}, Ensured: []model.ApplyEmbedded{{Func: "ensureArmApplyConfigurationExists"}},
		}, ""},
	} {
		assert.Equal(t, test.want, typeView{ApplyType: &test.of}.EnsureSlice(arms), name)
	}
	assert.Empty(t, typeView{ApplyType: &model.ApplyType{}}.EnsureSlice(model.ApplySetter{Form: model.AppendPointed, Type: "X"}), "no pointer")
}
