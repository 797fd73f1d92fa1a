package model

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// kind returns a namespaced kind with every verb in fleet.example.com/v1beta1.
func kind(name, plural string) *Kind {
	v := &Version{
		Name: "v1beta1", GoName: "V1beta1", GroupFolder: "fleet", Folder: "v1beta1", Package: "v1beta1",
		Group:    &Group{Name: "fleet.example.com", GoName: "Fleet", Folder: "fleet", Package: "fleet"},
		Source:   Source{Path: "example.com/apis/fleet/v1beta1", GroupVersion: "SchemeGroupVersion", Resource: true},
		Generate: Activation{Client: true, Lister: true, Informer: true, Apply: true},
	}
	v.Group.Versions = []*Version{v}
	k := &Kind{Name: name, Plural: plural, Resource: "robots", Namespaced: true, HasList: true, HasStatus: true, Verbs: AllVerbs, Version: v}
	v.Kinds = []*Kind{k}
	return k
}

func TestGroupNames(t *testing.T) {
	core := &Group{GoName: "Core"}
	assert.Equal(t, "core", core.DisplayName())
	assert.Equal(t, "/api", core.APIPath())
	fleet := kind("Robot", "Robots").Version.Group
	assert.Equal(t, "fleet", fleet.FirstLabel())
	assert.Equal(t, "/apis", fleet.APIPath())
	assert.Equal(t, "fleet", fleet.ImportAlias())
	assert.Equal(t, "cacheinformers", (&Group{Package: "cache"}).ImportAlias(), "cache is what templates call client-go's package")
}

func TestVersionNames(t *testing.T) {
	v := kind("Robot", "Robots").Version
	assert.Equal(t, "FleetV1beta1", v.GroupGoVersion())
	assert.Equal(t, "fleetV1beta1", v.Field())
	assert.Equal(t, "fleetv1beta1", v.Alias())
	assert.Equal(t, "fleet.example.com/v1beta1", v.GV())
	assert.Equal(t, "fleetv1beta1.SchemeGroupVersion", v.GroupVersionExpr())
	v.Source.GroupVersion = ""
	assert.Equal(t, `schema.GroupVersion{Group: "fleet.example.com", Version: "v1beta1"}`, v.GroupVersionExpr())
	assert.Equal(t, "v1", (&Version{Name: "v1", Group: &Group{}}).GV())
	assert.Equal(t, "metaapiv1", (&Version{Folder: "v1", Group: &Group{GoName: "Meta"}}).Alias(), "metav1 is k8s.io/apimachinery's")
}

func TestKindNames(t *testing.T) {
	k := kind("NetworkPolicy", "NetworkPolicies")
	assert.Equal(t, "networkPolicy", k.Private())
	assert.Equal(t, "networkPolicies", k.ClientStruct())
	assert.Equal(t, "NetworkPolicyList", k.List())
	assert.Equal(t, `fleetv1beta1.Resource("robots")`, k.Version.GroupResourceExpr("robots"))
	k.Version.Source.Resource = false
	assert.Equal(t, `fleetv1beta1.SchemeGroupVersion.WithResource("robots").GroupResource()`, k.Version.GroupResourceExpr("robots"))
	assert.Equal(t, "typesClient", kind("Type", "Types").ClientStruct(), "types is what templates call apimachinery's package")
}

func TestFileNames(t *testing.T) {
	for name, want := range map[string]string{
		"Robot": "robot.go", "Foo_test": "foo_test_.go", "Foo_Windows": "foo_windows_.go", "Foo_bar": "foo_bar.go",
		"Doc": "doc_.go", "Interface": "interface_.go", "Windows": "windows.go",
	} {
		assert.Equal(t, want, (&Kind{Name: name}).FileName(""))
	}
	assert.Equal(t, "fake_windows_.go", (&Kind{Name: "Windows"}).FileName("fake_"), "fake_windows.go would be for Windows only")
}

func TestClientVerbs(t *testing.T) {
	k := kind("Robot", "Robots")
	assert.Equal(t, AllVerbs, k.ClientVerbs(true))
	assert.Equal(t, AllVerbs.Without(Apply, ApplyStatus), k.ClientVerbs(false))
	k.HasStatus = false
	assert.Equal(t, AllVerbs.Without(UpdateStatus, ApplyStatus), k.ClientVerbs(true))
	k.NoVerbs = true
	assert.Empty(t, k.ClientVerbs(true))
	assert.False(t, k.NeedsList())
}

func TestKindFeatures(t *testing.T) {
	for _, test := range []struct {
		name                           string
		change                         func(*Kind)
		lister, informer, list, applys bool
	}{
		{"all verbs", func(*Kind) {}, true, true, true, true},
		{"list and watch", func(k *Kind) { k.Verbs = Verbs{List, Watch} }, true, true, true, false},
		{"list and get", func(k *Kind) { k.Verbs = Verbs{List, Get} }, true, false, true, false},
		{"create", func(k *Kind) { k.Verbs = Verbs{Create} }, false, false, false, false},
		{"all but list", func(k *Kind) { k.Verbs = AllVerbs.Without(List) }, false, false, true, true},
		{"all but apply", func(k *Kind) { k.Verbs = AllVerbs.Without(Apply) }, true, true, true, true},
		{"no verbs", func(k *Kind) { k.NoVerbs = true }, true, false, false, false},
		{"no informers", func(k *Kind) { k.Version.Generate.Informer = false }, true, false, true, true},
		{"no listers", func(k *Kind) { k.Version.Generate.Lister = false }, false, true, true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := kind("Robot", "Robots")
			test.change(k)
			assert.Equal(t, test.lister, k.HasLister(), "lister")
			assert.Equal(t, test.informer, k.HasInformer(), "informer")
			assert.Equal(t, test.list, k.NeedsList(), "list")
			assert.Equal(t, test.applys, k.NeedsApply(), "apply")
		})
	}
}

func TestTypeNames(t *testing.T) {
	scale := Type{Package: "k8s.io/api/autoscaling/v1", Name: "Scale"}
	assert.Equal(t, "autoscalingv1", scale.Alias())
	assert.Equal(t, "autoscaling/v1", scale.FoldedGroupVersion())
}

func TestLayout(t *testing.T) {
	k := kind("Robot", "Robots")
	l := &Layout{Root: "example.com/client", Clientset: "clientset/versioned", Listers: "listers", Informers: ".",
		ApplyConfigurations: "example.com/client/applyconfiguration",
		Handwritten:         map[string]bool{"listers/fleet/v1beta1/robot_expansion.go": true}}
	assert.Equal(t, "clientset/versioned/typed/fleet/v1beta1", l.TypedDir(k.Version))
	assert.Equal(t, "example.com/client", l.InformersPackage())
	assert.Equal(t, "client", l.PackageOf(l.Informers))
	assert.Equal(t, "versioned", l.PackageOf(l.Clientset))
	assert.True(t, l.HasExpansion(l.ListerDir(k.Version), k))
	assert.False(t, l.HasExpansion(l.TypedDir(k.Version), k))
	assert.False(t, l.HasCustomRegister())
	assert.Equal(t, "example.com/client/applyconfiguration/fleet/v1beta1", l.ApplyConfigurationPackage(Type{Package: k.Version.Source.Path}))
}
