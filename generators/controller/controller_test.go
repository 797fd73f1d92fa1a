package controller

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// robot returns a kind with a controller.
func robot(owned ...model.Related) *model.Kind {
	v := &model.Version{
		GroupFolder: "fleet", Folder: "v1", Group: &model.Group{GoName: "Fleet"},
		Source: model.Source{Path: "example.com/apis/fleet/v1"}, Generate: model.Activation{Apply: true},
	}
	k := &model.Kind{Name: "Robot", Plural: "Robots", HasStatus: true, Verbs: model.AllVerbs, Version: v, Controller: &model.Controller{Owned: owned, HasStatusField: true}}
	v.Kinds = []*model.Kind{k}
	v.Group.Versions = []*model.Version{v}
	return k
}

func deployment() model.Related {
	return model.Related{Name: "Deployment", Plural: "Deployments", Package: "k8s.io/api/apps/v1", Alias: "appsv1"}
}

func layout() *model.Layout {
	return &model.Layout{
		Root: "example.com/client", Controllers: "controllers", Clientset: "versioned", Informers: "informers",
		ApplyConfigurationDir: "apply", ApplyConfigurations: "example.com/client/apply",
	}
}

func TestJobs(t *testing.T) {
	for name, test := range map[string]struct {
		kind *model.Kind
		want []string
	}{
		"none":     {&model.Kind{Name: "Robot"}, nil},
		"alone":    {robot(), []string{"controllers/fleet/v1/robot.go"}},
		"built-in": {robot(deployment()), []string{"controllers/fleet/v1/robot.go"}},
	} {
		t.Run(name, func(t *testing.T) {
			api := &model.API{Groups: []*model.Group{{Versions: []*model.Version{{Kinds: []*model.Kind{test.kind}}}}}}
			var paths []string
			for _, job := range Jobs(api, layout()) {
				paths = append(paths, job.Path)
			}
			assert.Equal(t, test.want, paths)
		})
	}
}

func TestImports(t *testing.T) {
	kind := robot(deployment())
	v := kindView{kind, kind.Controller, layout(), nil}
	assert.Equal(t, []importView{{"fleetv1", "example.com/apis/fleet/v1"}, {"appsv1", "k8s.io/api/apps/v1"}}, v.Imports())
	assert.Equal(t, "fleetv1.Robot", v.Type())
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
			v := kindView{kind, kind.Controller, l, nil}
			assert.Equal(t, test.update, v.HasUpdateStatus())
			assert.Equal(t, test.apply, v.HasApplyStatus())
		})
	}
}

func TestSource(t *testing.T) {
	shipped := func(namespaced bool) model.Related {
		return model.Related{
			Name: "Gateway", Plural: "Gateways", Resource: "gateways", Group: "gateway.networking.k8s.io", Namespaced: namespaced,
			Package: "sigs.k8s.io/gateway-api/apis/v1", Alias: "apisv1", Clientset: "gatewayapi", ClientsetAlias: "gatewayapiclientset",
			Shipped: &model.Shipped{Clientset: "sigs.k8s.io/gateway-api/clientset", Group: "GatewayV1", Version: "v1"},
		}
	}
	builtIn := deployment()
	builtIn.Resource, builtIn.Namespaced, builtIn.GroupGoName, builtIn.GoVersion = "deployments", true, "Apps", "V1"
	kind := robot(builtIn, shipped(true), shipped(false))
	v := kindView{kind, kind.Controller, layout(), nil}
	const resource = `schema.GroupVersionResource{Group: "gateway.networking.k8s.io", Version: "v1", Resource: "gateways"}`
	for i, want := range []string{
		`informer.Namespaced(kube, appsv1.SchemeGroupVersion.WithResource("deployments"), kube.AppsV1().Deployments)`,
		`informer.Namespaced(gatewayapi, ` + resource + `, gatewayapi.GatewayV1().Gateways)`,
		`informer.Cluster(gatewayapi, ` + resource + `, gatewayapi.GatewayV1().Gateways())`,
	} {
		assert.Equal(t, want, v.Source(kind.Controller.Owned[i]))
	}
	assert.Equal(t, importView{"gatewayapiclientset", "sigs.k8s.io/gateway-api/clientset"}, v.Imports()[4], "once for both kinds")
	assert.Len(t, v.Imports(), 5)
}
