package applyconfiguration_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

const types = `
-- go.mod --
module example.com/m

go 1.26

require k8s.io/apimachinery v0.37.2
-- vendor/modules.txt --
# k8s.io/apimachinery v0.37.2
## explicit; go 1.26
k8s.io/apimachinery/pkg/apis/meta/v1
-- vendor/k8s.io/apimachinery/pkg/apis/meta/v1/types.go --
package v1

type TypeMeta struct {
	Kind string ` + "`json:\"kind\"`" + `
}

type ObjectMeta struct {
	Name string ` + "`json:\"name\"`" + `
}
-- apis/fleet/v1/types.go --
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/m/apis/parts"
	"example.com/m/apis/external"
)

type Robot struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata\"`" + `

	Spec  Spec   ` + "`json:\"spec\"`" + `
	Inner *Inner ` + "`json:\"inner,omitempty\"`" + `
}

type Spec struct {
	F %s
}

type Inner struct {
	N int ` + "`json:\"n\"`" + `
}

type Words []string

type hidden string

type Untagged struct{ N int }

type Unreached struct {
	N int ` + "`json:\"n\"`" + `
}

var _ parts.Part
var _ external.External
-- apis/parts/parts.go --
package parts

type Part struct {
	N int ` + "`json:\"n\"`" + `
}
-- apis/external/external.go --
package external

type External struct {
	N int ` + "`json:\"n\"`" + `
}
`

// resolve plans the apply configurations of Robot, whose Spec has the field.
func resolve(t *testing.T, field string) (*model.ApplyConfigurations, diag.List) {
	t.Helper()
	return resolveFor(t, model.NewestTarget, field)
}

func resolveFor(t *testing.T, target model.Target, field string) (*model.ApplyConfigurations, diag.List) {
	t.Helper()
	universe := gotypetest.Universe(t, fmt.Sprintf(types, field), "./apis/fleet/...", "./apis/parts")
	version := &model.Version{
		Name: "v1", GoName: "V1", GroupFolder: "fleet", Folder: "v1", Package: "v1", Group: &model.Group{Name: "fleet.io", GoName: "Fleet"},
		Source: model.Source{Path: gotypetest.Module + "/apis/fleet/v1"}, Generate: model.Activation{Apply: true},
	}
	version.Group.Versions = []*model.Version{version}
	version.Kinds = []*model.Kind{{Name: "Robot", HasStatus: true, Verbs: model.AllVerbs, Version: version}}
	api := &model.API{Groups: []*model.Group{version.Group}}
	external := map[model.Type]string{{Package: gotypetest.Module + "/apis/external",
		Name: "External"}: "example.com/other/applyconfiguration/external"}
	var diags diag.List
	apply := applyconfiguration.Resolve(universe, source.NewReader(universe).ReadAll(), api,
		applyconfiguration.Options{Target: target, External: external}, nil, &diags)
	require.NotNil(t, apply)
	return apply, diags
}

func find(t *testing.T, apply *model.ApplyConfigurations, name string) *model.ApplyType {
	t.Helper()
	for _, pkg := range apply.Packages {
		for _, made := range pkg.Types {
			if made.Name == name {
				return made
			}
		}
	}
	t.Fatalf("no apply configuration of %s", name)
	return nil
}

func TestFieldsAndSetters(t *testing.T) {
	const tag = "`json:\"f,omitempty\"`"
	tests := map[string]struct {
		field, setter string
		form          model.SetterForm
	}{
		"int":               {"*int", "int", model.SetPointer},
		"*int":              {"*int", "int", model.SetPointer},
		"string":            {"*string", "string", model.SetPointer},
		"hidden":            {"*string", "string", model.SetPointer},
		"Inner":             {"*InnerApplyConfiguration", "*InnerApplyConfiguration", model.SetValue},
		"*Inner":            {"*InnerApplyConfiguration", "*InnerApplyConfiguration", model.SetValue},
		"[]string":          {"[]string", "string", model.Append},
		"[]byte":            {"[]byte", "byte", model.Append},
		"Words":             {"*fleetv1.Words", "fleetv1.Words", model.SetPointer},
		"[]Inner":           {"[]InnerApplyConfiguration", "InnerApplyConfiguration", model.AppendPointed},
		"[]*Inner":          {"[]*fleetv1.Inner", "*fleetv1.Inner", model.AppendPointed},
		"*[]*Inner":         {"*[]*fleetv1.Inner", "*fleetv1.Inner", model.AppendPointed},
		"[]*parts.Part":     {"[]*parts.Part", "*parts.Part", model.AppendPointed},
		"map[string]string": {"map[string]string", "map[string]string", model.PutEntries},
		"map[string]Inner":  {"map[string]InnerApplyConfiguration", "map[string]InnerApplyConfiguration", model.PutEntries},
		"map[string]*Inner": {"map[string]*fleetv1.Inner", "map[string]*fleetv1.Inner", model.PutEntries},
		"parts.Part":        {"*partsac.PartApplyConfiguration", "*partsac.PartApplyConfiguration", model.SetValue},
		"[]parts.Part":      {"[]partsac.PartApplyConfiguration", "partsac.PartApplyConfiguration", model.AppendPointed},
		"external.External": {"*externalac.ExternalApplyConfiguration", "*externalac.ExternalApplyConfiguration", model.SetValue},
		"Untagged":          {"*fleetv1.Untagged", "fleetv1.Untagged", model.SetPointer},
		"[2]string":         {"*[2]string", "[2]string", model.SetPointer},
		"interface{ M() }":  {"*interface{M()}", "interface{M()}", model.SetPointer},
		"map[hidden]hidden": {"map[string]string", "map[string]string", model.PutEntries},
	}
	for field, want := range tests {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			apply, diags := resolve(t, field+" "+tag)
			require.Empty(t, diags)
			spec := find(t, apply, "Spec")
			require.Len(t, spec.Fields, 1)
			require.Len(t, spec.Setters, 1)
			assert.Equal(t, want.field, strings.ReplaceAll(spec.Fields[0].Type, " ", ""), "type of the field")
			assert.Equal(t, want.setter, strings.ReplaceAll(spec.Setters[0].Type, " ", ""), "type of the parameter")
			assert.Equal(t, want.form, spec.Setters[0].Form)
			assert.Equal(t, "f,omitempty", spec.Fields[0].JSON)
		})
	}
}

func TestEmbeddedFields(t *testing.T) {
	for name, test := range map[string]struct {
		target      model.Target
		tag         string
		field, json string
		ensured     int
	}{
		"inline":         {model.NewestTarget, ",inline", "InnerApplyConfiguration", "", 0},
		"unnamed":        {model.NewestTarget, ",omitempty", "InnerApplyConfiguration", ",omitempty", 0},
		"unnamed, older": {model.Target{Minor: 36}, ",omitempty", "*InnerApplyConfiguration", ",omitempty,inline", 1},
		"inline, older":  {model.Target{Minor: 36}, ",inline", "InnerApplyConfiguration", ",inline", 0},
		"named":          {model.NewestTarget, "inner", "*InnerApplyConfiguration", "inner,omitempty", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apply, diags := resolveFor(t, test.target, "int `json:\"f\"`\n\tInner `json:\""+test.tag+"\"`")
			require.Empty(t, diags)
			spec := find(t, apply, "Spec")
			require.Len(t, spec.Fields, 2)
			assert.Equal(t, test.field, spec.Fields[1].Type)
			assert.Equal(t, test.json, spec.Fields[1].JSON)
			assert.Len(t, spec.Ensured, test.ensured)
		})
	}
}

// TestCommentsWithoutMarkers has blank lines before markers, which code-generator leaves at the end before the newest release.
func TestCommentsWithoutMarkers(t *testing.T) {
	for target, want := range map[model.Target][]string{
		model.DefaultTarget: {"G is set.", "", "It has two parts.", ""},
		model.NewestTarget:  {"G is set.", "", "It has two parts."},
	} {
		apply, diags := resolveFor(t, target, "bool `json:\"b\"`\n\t// G is set.\n\t//\n\t// +optional\n\t// It has two parts.\n\t//\n\t// +optional\n\tG int `json:\"g\"`")
		require.Empty(t, diags)
		assert.Equal(t, want, find(t, apply, "Spec").Fields[1].Doc, target)
	}
}

func TestTypesWithApplyConfigurations(t *testing.T) {
	apply, diags := resolve(t, "*parts.Part `json:\"f\"`")
	require.Empty(t, diags)
	got := map[string][]string{}
	for _, pkg := range apply.Packages {
		for _, made := range pkg.Types {
			got[pkg.Folder] = append(got[pkg.Folder], made.Name)
		}
	}
	assert.Equal(t, map[string][]string{"fleet/v1": {"Inner", "Robot", "Spec"}, "apis/parts": {"Part"}}, got,
		"types that cannot be reached and those without json tags have none")
	robot := find(t, apply, "Robot")
	assert.True(t, robot.Client)
	assert.Equal(t, "fleet.io/v1", robot.APIVersion)
	assert.Equal(t, []model.Subresource{{Name: "status", GoName: "Status"}}, robot.Subresources)
	assert.Contains(t, apply.Schema, "- name: com.example.m.apis.fleet.v1.Robot\n")
}

func TestMissingType(t *testing.T) {
	_, diags := resolve(t, "NotThere `json:\"f\"`")
	require.Len(t, diags, 1, "one for the builder and the schema together")
	assert.Equal(t, "type NotThere is not declared", diags[0].Message)
}
