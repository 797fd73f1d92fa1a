package scaffold

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// route returns a kind whose client a module ships.
func route() model.Related {
	return model.Related{
		Name: "HTTPRoute", Plural: "HTTPRoutes", Resource: "httproutes", Group: "gateway.example.com", Namespaced: true,
		Package: "gateway.example.com/apis/v1", Alias: "apisv1", GroupGoName: "Gateway", GoVersion: "V1",
		Clientset: "gatewayapi", ClientsetAlias: "gatewayapiclientset",
		Shipped: &model.Shipped{
			Clientset: "gateway.example.com/clientset", Name: "gatewayapi", Group: "GatewayV1", Version: "v1", Verbs: model.AllVerbs,
			Apply: "gateway.example.com/apply/apis/v1", Converter: "gateway.example.com/apply", Fake: "NewClientset",
		},
	}
}

func TestClientsets(t *testing.T) {
	v := viewOf("Robot", "", deployment(), route())
	v.References = []model.Reference{{To: route()}}
	assert.Len(t, v.Clientsets(), 1, "of an owned kind and the same referred to")
	c := v.Clientsets()[0]
	for want, got := range map[string]string{
		"gatewayapi": c.Name(), "gatewayapiclientset": c.Package(), "gatewayapifake.NewClientset()": c.Fake(),
		"gatewayapischeme.Scheme": c.Scheme(), "gatewayapiapply.NewTypeConverter(gatewayapischeme.Scheme)": c.Converter(),
	} {
		assert.Equal(t, want, got)
	}
	assert.Equal(t, "gatewayapischeme.AddToScheme", c.AddToScheme())
	assert.Equal(t, []string{"httproutes.gateway.example.com"}, v.Undefined())
	assert.True(t, v.HasFakes())
	assert.Len(t, Controlled{Kind: v.Kind}.stored(), 1, "the definitions of other modules are not generated")
}

// TestImported has a controller that owns an imported kind.
func TestImported(t *testing.T) {
	imported := model.Related{Name: "Topic", Resource: "topics", Group: "brokers.example.org", Kind: &model.Kind{
		Name: "Topic", Undefined: true, Version: &model.Version{Name: "v1", Group: &model.Group{Name: "brokers.example.org"}},
	}}
	v := viewOf("Robot", "", imported)
	assert.Equal(t, []string{"topics.brokers.example.org"}, v.Undefined())
	assert.Len(t, Controlled{Kind: v.Kind}.stored(), 1)
}

func TestShippedOwned(t *testing.T) {
	owned := viewOf("Robot", "", route()).OwnedViews()[0]
	assert.Equal(t, "r.gatewayapi.GatewayV1().HTTPRoutes", owned.Accessor())
	assert.Equal(t, "Apply", owned.SyncFunc())
	assert.Equal(t, "apisv1apply.HTTPRouteApplyConfiguration", owned.Wanted())

	named := route()
	named.Clientset = "recorder"
	v := viewOf("Robot", "", named)
	assert.Equal(t, "recorderClient", v.Clientsets()[0].Name(), "the template has that name")
	assert.Equal(t, "r.recorderClient.GatewayV1().HTTPRoutes", v.OwnedViews()[0].Accessor())
}

// TestConverter: a kind without server-side apply does not name the package, others of the clientset do.
func TestConverter(t *testing.T) {
	plain := route()
	plain.Name, plain.Plural, plain.Shipped.Apply, plain.Shipped.Converter = "Gateway", "Gateways", "", ""
	want := "gatewayapiapply.NewTypeConverter(gatewayapischeme.Scheme)"
	assert.Equal(t, want, viewOf("Robot", "", plain, route()).Clientsets()[0].Converter())
}

// TestShippedWithout covers clientsets without apply configurations, type converter, delete verb or fake.
func TestShippedWithout(t *testing.T) {
	poor := route()
	poor.Shipped.Apply, poor.Shipped.Converter, poor.Shipped.Fake = "", "", ""
	poor.Shipped.Verbs = model.Verbs{model.Create, model.Get, model.List, model.Patch, model.Watch}
	v := viewOf("Robot", "", poor)
	assert.False(t, v.HasFakes())
	assert.Empty(t, v.Clientsets()[0].Fake())
	assert.Equal(t, "managedfields.NewDeducedTypeConverter()", v.Clientsets()[0].Converter())
	owned := v.OwnedViews()[0]
	assert.Equal(t, "CreateOnly", owned.SyncFunc())
	assert.Equal(t, "apisv1.HTTPRoute", owned.Wanted())
	for _, p := range v.Layout.Permissions(v.Kind) {
		if p.Resources[0] == "httproutes" {
			assert.Equal(t, model.Permission{
				Groups: []string{"gateway.example.com"}, Resources: []string{"httproutes"}, Namespaced: true,
				Verbs: []string{"list", "watch", "get", "create", "patch"},
			}, p)
			return
		}
	}
	t.Error("no permission")
}
