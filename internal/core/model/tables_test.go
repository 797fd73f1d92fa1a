package model

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVerbs(t *testing.T) {
	for name, test := range map[string]struct {
		set, of Verbs
		has     bool
		without Verbs
	}{
		"all of one":    {Verbs{Get, List}, Verbs{Get}, true, Verbs{List}},
		"all of two":    {Verbs{Get, List, Watch}, Verbs{Watch, Get}, true, Verbs{List}},
		"some":          {Verbs{Get, List}, Verbs{Get, Watch}, false, Verbs{List}},
		"none":          {Verbs{Get}, Verbs{Watch}, false, Verbs{Get}},
		"of nothing":    {nil, Verbs{Get}, false, Verbs{}},
		"nothing":       {Verbs{Get}, nil, true, Verbs{Get}},
		"kept in order": {Verbs{Watch, Get, List}, Verbs{Get}, true, Verbs{Watch, List}},
	} {
		t.Run(name, func(t *testing.T) {
			before := append(Verbs{}, test.set...)
			assert.Equal(t, test.has, test.set.Has(test.of...))
			assert.ElementsMatch(t, test.without, test.set.Without(test.of...))
			assert.ElementsMatch(t, before, test.set, "the set is not changed")
		})
	}
	assert.Equal(t, []string{"get", "list", "watch"}, ReadOnlyVerbs.Strings())
}

func TestRegistration(t *testing.T) {
	for name, test := range map[string]struct {
		declared    []string
		installAdds bool
		local       bool
		builder     string
		install     string
	}{
		"nothing declared": {nil, false, true, "localSchemeBuilder", "AddToScheme"},
		"install adds":     {nil, true, true, "localSchemeBuilder", "localSchemeBuilder.AddToScheme"},
		"builder":          {[]string{NameSchemeBuilder}, true, false, "SchemeBuilder", "SchemeBuilder.AddToScheme"},
		"local builder":    {[]string{NameLocalSchemeBuilder}, false, false, "SchemeBuilder", "AddToScheme"},
	} {
		t.Run(name, func(t *testing.T) {
			r := Registration{Declared: test.declared, InstallAdds: test.installAdds}
			for _, name := range test.declared {
				assert.False(t, r.Lacks(name))
			}
			assert.True(t, r.Lacks(NameKind))
			assert.Equal(t, test.local, r.LocalBuilder())
			assert.Equal(t, test.builder, r.BuilderName())
			assert.Equal(t, test.install, r.InstallIs())
		})
	}
}

func TestObjects(t *testing.T) {
	r := Registration{Types: []string{"AllowList", "Options", "Robot", "RobotList"}}
	assert.Equal(t, []string{"AllowList", "Options", "Robot"}, r.Objects(), "AllowList lists no other type")
	assert.Equal(t, []string{"RobotGVK", "RobotGVR"}, []string{GVK("Robot"), GVR("Robot")})
}

func TestLayoutPaths(t *testing.T) {
	v := kind("Robot", "Robots").Version
	l := &Layout{
		Root: "example.com/client", Clientset: "versioned", Listers: "listers", Informers: "informers", Controllers: "controllers",
		SourceDirs: map[string]string{"example.com/apis/fleet/v1beta1": "../apis/fleet/v1beta1"},
	}
	for want, got := range map[string]string{
		"example.com/client":            l.ImportPath(),
		"example.com/client/versioned":  l.ClientsetPackage(),
		"example.com/client/informers":  l.InformersPackage(),
		"example.com/client/a/b":        l.ImportPath("a", "b"),
		"versioned/typed/fleet/v1beta1": l.TypedDir(v),
		"listers/fleet/v1beta1":         l.ListerDir(v),
		"informers/fleet/v1beta1":       l.InformerDir(v),
		"informers/fleet":               l.GroupInformersDir(v.Group),
		"controllers/fleet/v1beta1":     l.ControllerDir(v),
		"../apis/fleet/v1beta1":         l.SourceDir(&Package{Path: v.Source.Path}),
	} {
		assert.Equal(t, want, got)
	}
}

func TestApplyConfigurationPackage(t *testing.T) {
	own := Type{Package: "example.com/apis/Fleet/v1", ApplyFolder: "fleet/v1"}
	foreign := Type{Package: "k8s.io/api/autoscaling/v1", ApplyPackage: "k8s.io/client-go/applyconfigurations/autoscaling/v1"}
	made := &Layout{ApplyConfigurationDir: "apply", ApplyConfigurations: "example.com/client/apply"}
	given := &Layout{ApplyConfigurations: "example.com/given"}
	assert.Equal(t, "example.com/client/apply/fleet/v1", made.ApplyConfigurationPackage(own))
	assert.Equal(t, "k8s.io/client-go/applyconfigurations/autoscaling/v1", made.ApplyConfigurationPackage(foreign))
	assert.Equal(t, "example.com/given/Fleet/v1", given.ApplyConfigurationPackage(own), "where code-generator puts them")
	assert.True(t, given.WithApply())
	assert.False(t, (&Layout{}).WithApply())
}

func TestFileName(t *testing.T) {
	for stem, want := range map[string]string{
		"robot": "robot.go", "fake_robot": "fake_robot.go", "robot_test": "robot_test_.go", "robot_arm64": "robot_arm64_.go",
		"test": "test.go", "a_linux_b": "a_linux_b.go",
	} {
		assert.Equal(t, want, FileName(stem))
	}
	k := kind("Fleet_client", "Fleet_clients")
	assert.Equal(t, "fleet_client_.go", k.FileName(""), "the typed client of group fleet is fleet_client.go")
	assert.Equal(t, "fake_fleet_client_.go", k.FileName("fake_"))
}

func TestRelatedNames(t *testing.T) {
	for name, test := range map[string]struct {
		owned         Related
		plural, field string
	}{
		"built in": {Related{Plural: "Deployments", GroupGoName: "Apps", GoVersion: "V1"}, "Deployments", "deployments"},
		"ambiguous": {
			Related{Plural: "Deployments", GroupGoName: "Apps", GoVersion: "V1", Ambiguous: true},
			"KubeAppsV1Deployments", "kubeAppsV1Deployments",
		},
		"ambiguous of own": {
			Related{Plural: "Deployments", GroupGoName: "Apps", GoVersion: "V1", Ambiguous: true, Kind: &Kind{}},
			"AppsV1Deployments", "appsV1Deployments",
		},
		"keyword": {Related{Plural: "Range"}, "Range", "rangeObjects"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.plural, test.owned.GoPlural())
			assert.Equal(t, test.field, test.owned.Field())
		})
	}
}
