package scaffold

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// kindIn returns a kind in a version named v1 everywhere.
func kindIn(group, name string, verbs model.Verbs) *model.Kind {
	v := &model.Version{
		Name: "v1", GoName: "V1", GroupFolder: strings.ToLower(group), Folder: "v1", Group: &model.Group{Name: strings.ToLower(group) + ".example.com", GoName: group},
		Source: model.Source{Path: "example.com/apis/" + strings.ToLower(group) + "/v1"}, Generate: model.Activation{Apply: true},
	}
	k := &model.Kind{Name: name, Plural: name + "s", Resource: strings.ToLower(name) + "s", Namespaced: true, HasStatus: true, Verbs: verbs, Version: v}
	v.Kinds = []*model.Kind{k}
	return k
}

func generated(k *model.Kind) model.Related {
	v := k.Version
	return model.Related{
		Name: k.Name, Plural: k.Plural, Resource: k.Resource, Group: v.Group.Name, Namespaced: k.Namespaced,
		Package: v.Source.Path, Alias: v.Alias(), GroupGoName: v.Group.GoName, GoVersion: v.GoName, Kind: k,
	}
}

func deployment() model.Related {
	return model.Related{
		Name: "Deployment", Plural: "Deployments", Resource: "deployments", Group: "apps", Namespaced: true,
		Package: "k8s.io/api/apps/v1", Alias: "appsv1", GroupGoName: "Apps", GoVersion: "V1",
	}
}

func layout(applyDir string) *model.Layout {
	return &model.Layout{Root: "example.com/client", Controllers: "controllers", ApplyConfigurationDir: applyDir, ApplyConfigurations: "example.com/client/apply"}
}

func viewOf(name, finalizer string, owned ...model.Related) view {
	kind := kindIn("Fleet", name, model.AllVerbs)
	kind.Controller = &model.Controller{Finalizer: finalizer, Owned: owned, HasStatusField: true}
	return newView(kind, layout("apply"), Destination{ImportPath: "example.com/base", Module: "example.com/base"})
}

func TestNames(t *testing.T) {
	v := viewOf("Robot", "")
	for want, got := range map[string]string{
		"robot": v.Package(), "example.com/base/internal/controller/robot": v.ReconcilerPackage(), "fleetv1.Robot": v.Type(),
		"example.com/client/controllers/fleet/v1": v.Typed(), "fleetv1controllers": v.TypedAlias(),
	} {
		assert.Equal(t, want, got)
	}
}

func TestObject(t *testing.T) {
	for name, want := range map[string]string{
		"Robot": "robot", "Cache": "cacheObject", "Type": "typeObject", "Result": "resultObject", "Fleetv1": "fleetv1Object",
		"Fleetv1controllers": "fleetv1controllersObject", "DesiredDeployments": "desiredDeploymentsObject", "DesiredPods": "desiredPods",
	} {
		assert.Equal(t, want, viewOf(name, "", deployment()).Object(), name)
	}
}

func TestImports(t *testing.T) {
	knob := generated(kindIn("Other", "Knob", model.AllVerbs))
	readOnly := generated(kindIn("Static", "Plan", model.ReadOnlyVerbs))
	called := generated(kindIn("Fleet", "Arm", model.ReadOnlyVerbs))
	called.Package, called.Alias = "example.com/apis/fleet/v1controllers", "fleetv1controllers"
	got := map[string]string{}
	for _, i := range viewOf("Robot", "", deployment(), knob, readOnly, called).Imports() {
		got[i.Alias] = i.Path
	}
	assert.Equal(t, map[string]string{
		"fleetv1": "example.com/apis/fleet/v1", "fleetv1controllers": "example.com/apis/fleet/v1controllers",
		"fleetv1controllers2": "example.com/client/controllers/fleet/v1",
		"appsv1":              "k8s.io/api/apps/v1", "appsv1apply": "k8s.io/client-go/applyconfigurations/apps/v1",
		"otherv1": "example.com/apis/other/v1", "otherv1apply": "example.com/client/apply/other/v1", "staticv1": "example.com/apis/static/v1",
	}, got)
}

func TestOwned(t *testing.T) {
	with := func(verbs ...model.Verb) model.Related { return generated(kindIn("Other", "Knob", verbs)) }
	all := func(verbs ...model.Verb) model.Related { // without patch, all objects have to be watched
		owned := with(verbs...)
		owned.All = true
		return owned
	}
	tests := map[string]struct {
		owned                      model.Related
		applyDir                   string
		applied, created, deleted  bool
		wanted, syncFunc, accessor string
		rule                       []string
	}{
		"built in":            {deployment(), "", true, true, true, "appsv1apply.DeploymentApplyConfiguration", "Apply", "r.kube.AppsV1().Deployments", []string{"list", "watch", "get", "create", "patch", "delete"}},
		"all verbs":           {with(model.AllVerbs...), "apply", true, true, true, "otherv1apply.KnobApplyConfiguration", "Apply", "r.client.OtherV1().Knobs", []string{"list", "watch", "get", "create", "patch", "delete"}},
		"cannot be extracted": {with(model.AllVerbs...), "", false, true, true, "otherv1.Knob", "Create", "r.client.OtherV1().Knobs", []string{"list", "watch", "get", "create", "patch", "delete"}},
		"all objects":         {all(model.AllVerbs...), "", false, true, true, "otherv1.Knob", "Create", "r.client.OtherV1().Knobs", []string{"list", "watch", "get", "create", "delete"}},
		"create":              {all(model.Create), "apply", false, true, false, "otherv1.Knob", "CreateOnly", "r.client.OtherV1().Knobs", []string{"list", "watch", "create"}},
		"apply":               {all(model.Apply), "apply", true, false, false, "otherv1apply.KnobApplyConfiguration", "ApplyOnly", "r.client.OtherV1().Knobs", []string{"list", "watch", "create", "patch"}},
		"delete":              {all(model.Delete), "apply", false, false, true, "otherv1.Knob", "Create", "r.client.OtherV1().Knobs", []string{"list", "watch"}},
		"read-only":           {all(model.ReadOnlyVerbs...), "apply", false, false, false, "otherv1.Knob", "CreateOnly", "r.client.OtherV1().Knobs", []string{"list", "watch"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			v := viewOf("Robot", "", test.owned)
			v.Layout = layout(test.applyDir)
			owned := v.OwnedViews()[0]
			assert.Equal(t, test.applied, owned.Applied(), "applied")
			assert.Equal(t, test.deleted, owned.Deleted(), "deleted")
			assert.Equal(t, test.applied || test.created, owned.Maintained(), "maintained")
			assert.Equal(t, test.applied || test.created, v.Maintains())
			assert.Equal(t, test.applied, v.Applies())
			assert.Equal(t, test.wanted, owned.Wanted())
			assert.Equal(t, test.syncFunc, owned.SyncFunc())
			assert.Equal(t, test.accessor, owned.Accessor())
			permissions := v.Layout.Permissions(v.Kind)
			at := slices.IndexFunc(permissions, func(p model.Permission) bool { return p.Resources[0] == test.owned.Resource })
			assert.ElementsMatch(t, test.rule, permissions[at].Verbs)
		})
	}
}

func TestClusterScopedOwned(t *testing.T) {
	owned := deployment()
	owned.Namespaced = false
	v := viewOf("Robot", "", owned).OwnedViews()[0]
	assert.Equal(t, "controller.ClusterScoped(r.kube.AppsV1().Deployments)", v.Accessor())
	assert.False(t, v.NeedsNamespace(false))
	assert.Equal(t, "appsv1apply.Deployment(robot.Name)", v.Example("robot", true))
}

func TestExample(t *testing.T) {
	v := viewOf("Robot", "", deployment(), generated(kindIn("Other", "Knob", model.Verbs{model.Create}))).OwnedViews()
	assert.Equal(t, "appsv1apply.Deployment(robot.Name, robot.Namespace)", v[0].Example("robot", true))
	assert.Equal(t, `appsv1apply.Deployment(robot.Name, "default")`, v[0].Example("robot", false))
	assert.Equal(t, "{ObjectMeta: metav1.ObjectMeta{Name: robot.Name, Namespace: robot.Namespace}}", v[1].Example("robot", true))
	assert.True(t, v[0].NeedsNamespace(false))
	assert.False(t, v[0].NeedsNamespace(true))
}

func TestPermissions(t *testing.T) {
	const leases = "coordination.k8s.io leases"
	always := []string{
		"events.k8s.io events [create patch]", leases + " [create]",
		leases + " [get list watch update] robot-controller",
	}
	tests := map[string]struct {
		finalizer string
		hasStatus bool
		owned     []model.Related
		want      []string
	}{
		"plain":     {"", false, nil, []string{"fleet.example.com robots [list watch]"}},
		"finalizer": {"example.com/cleanup", false, nil, []string{"fleet.example.com robots [list watch get patch]"}},
		"status":    {"", true, nil, []string{"fleet.example.com robots [list watch]", "fleet.example.com robots/status [update]"}},
		"maintains": {"", false, []model.Related{deployment()}, []string{
			"fleet.example.com robots [list watch get]", "fleet.example.com robots/finalizers [update]",
			"apps deployments [list watch get create delete patch]",
		}},
		"watches": {"", false, []model.Related{generated(kindIn("Other", "Knob", model.ReadOnlyVerbs))}, []string{
			"fleet.example.com robots [list watch]", "other.example.com knobs [list watch get patch]",
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			v := viewOf("Robot", test.finalizer, test.owned...)
			v.HasStatus = test.hasStatus
			var got []string
			for _, p := range v.Layout.Permissions(v.Kind) {
				line := fmt.Sprint(p.Groups[0], " ", p.Resources[0], " ", p.Verbs)
				for _, name := range p.Names {
					line += " " + name
				}
				got = append(got, line)
			}
			assert.Equal(t, slices.Concat(test.want, always), got)
		})
	}
}

func TestEventSources(t *testing.T) {
	referring := viewOf("Robot", "")
	referring.References = []model.Reference{{To: deployment()}}
	both := viewOf("Robot", "", deployment())
	both.References = referring.References
	assert.Empty(t, viewOf("Robot", "").EventSources())
	assert.Equal(t, "an object that it owns", viewOf("Robot", "", deployment()).EventSources())
	assert.Equal(t, "an object that it refers to", referring.EventSources())
	assert.Equal(t, "an object that it owns or refers to", both.EventSources())
}
