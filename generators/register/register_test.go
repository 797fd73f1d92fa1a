package register

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

func TestConstants(t *testing.T) {
	registration := model.Registration{Types: []string{"Robot", "RobotList", "Options"}, Resources: map[string]string{"Robot": "robots"}}
	kind, resource := constant{"RobotGVK", "kind Robot", "WithKind", "Robot"}, constant{"RobotGVR", "resource robots", "WithResource", "robots"}
	options := constant{"OptionsGVK", "kind Options", "WithKind", "Options"}
	for name, test := range map[string]struct {
		wanted   bool
		declared []string
		want     []constant
	}{
		"not wanted": {false, nil, nil},
		"all":        {true, nil, []constant{kind, resource, options}},
		"declared":   {true, []string{"RobotGVK", "OptionsGVK"}, []constant{resource}},
	} {
		t.Run(name, func(t *testing.T) {
			r := registration
			r.Declared = test.declared
			v := packageView{&model.Package{}, &r, &model.Layout{GVKConstants: test.wanted}}
			assert.Equal(t, test.want, v.Constants())
		})
	}
}

func TestGroupExpr(t *testing.T) {
	assert.Equal(t, `"fleet.example.com"`, packageView{Registration: &model.Registration{Group: "fleet.example.com"}}.GroupExpr())
	assert.Equal(t, "GroupName", packageView{Registration: &model.Registration{Group: "fleet.example.com", GroupName: true}}.GroupExpr())
}

func TestBuilder(t *testing.T) {
	for builder, want := range map[model.SchemeBuilder][2]bool{
		model.BuilderOfFunctions: {true, false}, model.BuilderOfObjects: {false, true}, model.BuilderByHand: {false, false},
	} {
		v := packageView{Registration: &model.Registration{Builder: builder}}
		assert.Equal(t, want, [2]bool{v.ByFunction(), v.ByObjects()}, builder)
	}
}

func TestJobs(t *testing.T) {
	registration := &model.Registration{File: "zz_generated.register.go"}
	api := &model.API{Packages: []*model.Package{{Path: "example.com/copied"}, {Path: "example.com/fleet", Registration: registration}}}
	jobs := Jobs(api, &model.Layout{SourceDirs: map[string]string{"example.com/fleet": "../fleet"}})
	assert.Len(t, jobs, 1)
	assert.Equal(t, "../fleet/zz_generated.register.go", jobs[0].Path)
}
