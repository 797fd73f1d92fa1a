package controller

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

func TestStatus(t *testing.T) {
	universe := gotypetest.Universe(t, `
-- go.mod --
module example.com/m

go 1.26

require k8s.io/apimachinery v0.0.0

replace k8s.io/apimachinery => ./apimachinery
-- apimachinery/go.mod --
module k8s.io/apimachinery
-- apimachinery/pkg/apis/meta/v1/types.go --
package v1

type Condition struct{}
-- a/types.go --
package a

import (
	"go/parser"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/m/a/conditions"
)

// +informergen:controller
type Full struct{ Status FullStatus }

type FullStatus struct {
	ObservedGeneration int64
	Conditions         []metav1.Condition
}

// +informergen:controller
type Others struct {
	Status struct {
		ObservedGeneration string
		Conditions         []conditions.Condition
	}
}

// +informergen:controller
type Without struct{}

type Untagged struct{ Status FullStatus }
-- a/conditions/conditions.go --
package conditions

type Condition struct{}
`, "./a")
	pkg := source.NewReader(universe).ReadAll()[0]
	tests := map[string]*model.Controller{
		"Full":     {HasStatusField: true, HasConditions: true, HasObservedGeneration: true},
		"Others":   {HasStatusField: true},
		"Without":  {},
		"Untagged": nil,
	}
	for name, want := range tests {
		var diags diag.List
		got, _ := Read(universe, pkg.Kind(name), &diags)
		assert.Equal(t, want, got, name)
		assert.Empty(t, diags)
	}
}

// kindIn returns a kind for which everything is generated.
func kindIn(group, version, name string) *model.Kind {
	v := &model.Version{
		Name: version, GoName: "V1", GroupFolder: "fleet", Folder: version, Group: &model.Group{Name: group, GoName: "Fleet"},
		Source:   model.Source{Path: "example.com/apis/fleet/" + version},
		Generate: model.Activation{Client: true, Lister: true, Informer: true, Apply: true},
	}
	v.Group.Versions = []*model.Version{v}
	k := &model.Kind{Name: name, Plural: name + "s", Resource: "robots", Namespaced: true, Verbs: model.AllVerbs, Version: v,
		Controller: &model.Controller{}}
	v.Kinds = []*model.Kind{k}
	return k
}

// requested returns what a marker with a value requests.
func requested(t *testing.T, value string) marker.ControllerRequest {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", "// +informergen:controller="+value+"\npackage a\n", parser.ParseComments)
	require.NoError(t, err)
	request, ok := marker.As[marker.ControllerRequest](marker.Scan(fset, file.Comments...)[0], new(diag.List))
	require.True(t, ok)
	return request
}

func TestLink(t *testing.T) {
	universe := gotypetest.Universe(t, "-- m.go --\npackage m\n-- shop/apis/v1/types.go --\npackage v1\n")
	tests := map[string]struct {
		owns     string
		change   func(*model.Kind)
		want     []string // types, and their names in methods
		messages []string
	}{
		"built in":            {owns: "apps/v1.Deployment", want: []string{"appsv1.Deployment Deployments"}},
		"core group":          {owns: "core/v1.ConfigMap", want: []string{"corev1.ConfigMap ConfigMaps"}},
		"by the group's name": {owns: "networking.k8s.io/v1.Ingress", want: []string{"networkingv1.Ingress Ingresses"}},
		"of the same version": {owns: "Robot", want: []string{"fleetv1.Robot Robots"}},
		"written in full":     {owns: "fleet.io/v1.Robot", want: []string{"fleetv1.Robot Robots"}},
		"same plural": {owns: "core/v1.Event; events.k8s.io/v1.Event",
			want: []string{"corev1.Event KubeCoreV1Events", "eventsv1.Event KubeEventsV1Events"}},
		"same alias": {owns: "apps/v1.Deployment", change: func(k *model.Kind) { k.Version.Group.GoName = "Apps" },
			want: []string{"kubeappsv1.Deployment Deployments"}},
		"twice": {
			owns: "Robot;fleet.io/v1.Robot", want: []string{"fleetv1.Robot Robots"},
			messages: []string{"duplicate kind fleet.io/v1.Robot"},
		},
		"by import path":          {owns: "example.com/apis/fleet/v1.Robot", want: []string{"fleetv1.Robot Robots"}},
		"built in by import path": {owns: "k8s.io/api/core/v1.ConfigMap", want: []string{"corev1.ConfigMap ConfigMaps"}},
		"twice by import path": {
			owns: "networking/v1.Ingress;k8s.io/api/networking/v1.Ingress;Robot;example.com/apis/fleet/v1.Robot",
			want: []string{"networkingv1.Ingress Ingresses", "fleetv1.Robot Robots"},
			messages: []string{
				"duplicate kind k8s.io/api/networking/v1.Ingress", "duplicate kind example.com/apis/fleet/v1.Robot",
			},
		},
		"unstable by import path": {
			owns: "k8s.io/api/networking/v1beta1.IPAddress",
			messages: []string{
				"no informer for kind k8s.io/api/networking/v1beta1.IPAddress: it is neither built into Kubernetes nor generated in this run",
			},
		},
		"other package": {owns: "example.com/m/shop/apis/v1.Route", messages: []string{
			"package example.com/m/shop/apis/v1 has no type Route"}},
		"package without a host": {owns: "go/build/constraint.Expr",
			messages: []string{"package go/build/constraint, which is in no module, has no clientset with a client for Expr, " +
				"and neither has a required module of the same owner"}},
		"path without a host": {owns: "apps/v1/x.Job", messages: []string{`"apps/v1/x.Job" does not name a kind`}},
		"no kind":             {owns: "v1.Pod", messages: []string{`"v1.Pod" does not name a kind`}},
		"unknown kind": {
			owns:     "apps/v1.Deploymnt",
			messages: []string{"no informer for kind apps/v1.Deploymnt: it is neither built into Kubernetes nor generated in this run"},
		},
		"cluster-scoped": {owns: "core/v1.Node", messages: []string{"cluster-scoped core/v1.Node cannot be owned by a namespaced Robot"}},
		"owner without a namespace": {owns: "core/v1.Node", change: func(k *model.Kind) { k.Namespaced = false },
			want: []string{"corev1.Node Nodes"}},
		"cannot be watched": {change: func(k *model.Kind) { k.Verbs = model.Verbs{model.Get} },
			messages: []string{"type Robot cannot have a controller without the verbs list and watch"}},
		"opted out": {change: func(k *model.Kind) { k.Version.Generate.Lister = false },
			messages: []string{"type Robot cannot have a controller, because its package opts out of clients, listers or informers"}},
		"finalizer without patch": {change: func(k *model.Kind) {
			k.Controller.Finalizer, k.Verbs = "fleet.io/cleanup", model.AllVerbs.Without(model.Patch)
		}, messages: []string{"type Robot cannot have a finalizer without the verbs get and patch"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			kind := kindIn("fleet.io", "v1", "Robot")
			if test.change != nil {
				test.change(kind)
			}
			api := &model.API{Groups: []*model.Group{kind.Version.Group}}
			request := Request{}
			var diags diag.List
			if test.owns != "" {
				request.ControllerRequest = requested(t, "owns="+test.owns)
			}
			Link(universe, api, model.NewestTarget, func(*model.Kind) Request { return request }, &diags)
			var got, messages []string
			for _, owned := range kind.Controller.Owned {
				got = append(got, owned.Type()+" "+owned.GoPlural())
			}
			for _, d := range diags {
				messages = append(messages, d.Message)
				assert.NotEqual(t, test.want == nil, d.Hint == "", d.Message)
			}
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.messages, messages)
		})
	}
}

func TestSuggestKind(t *testing.T) {
	kind := kindIn("fleet.io", "v1", "Robot")
	api := &model.API{Groups: []*model.Group{kind.Version.Group}}
	for full, want := range map[string]string{
		"apps/v1.Deploymnt":    "did you mean apps/v1.Deployment?",
		"app/v1.Deployment":    "did you mean apps/v1.Deployment?",
		"fleet.io/v1.Robt":     "did you mean fleet.io/v1.Robot?",
		"fleet.io/v1.Robot":    "allow its verbs list and watch",
		"other.io/v1.Anything": "write group/version.Kind, such as apps/v1.Deployment or core/v1.ConfigMap",
	} {
		assert.Equal(t, want, suggestKind(api, full), full)
	}
}

// TestShippedNames: the names of clientsets and imports of other modules differ from each other and from those of the template.
func TestShippedNames(t *testing.T) {
	gateway := func(module string) model.Related {
		return model.Related{
			Name: "Gateway", Plural: "Gateways", Package: module + "/apis/v1", Alias: "apisv1",
			Shipped: &model.Shipped{Clientset: module + "/clientset", Name: "gatewayapi", Group: "GatewayV1"},
		}
	}
	cached := gateway("c.example.com")
	cached.Shipped.Name = "cache"
	kind := kindIn("fleet.io", "v1", "Robot")
	kind.Controller.Owned = []model.Related{gateway("a.example.com"), gateway("b.example.com"), cached}
	kind.Controller.References = []model.Reference{{To: gateway("a.example.com")}}
	disambiguate(kind)
	var got []string
	for _, r := range kind.Controller.Related() {
		got = append(got, strings.Join([]string{r.Alias, r.Clientset, r.ClientsetAlias, r.GoPlural()}, " "))
	}
	assert.Equal(t, []string{
		"apisv1 gatewayapi gatewayapiclientset GatewayapiGatewayV1Gateways",
		"kubeapisv1 gatewayapiClient gatewayapiClientclientset GatewayapiClientGatewayV1Gateways",
		"kubeapisv12 cacheClient cacheClientclientset CacheClientGatewayV1Gateways",
		"apisv1 gatewayapi gatewayapiclientset Gateways",
	}, got)
	var shipped []string
	for _, r := range kind.Controller.Shipped() {
		shipped = append(shipped, r.Shipped.Clientset)
	}
	assert.Equal(t, []string{"a.example.com/clientset", "b.example.com/clientset", "c.example.com/clientset"}, shipped)
}
