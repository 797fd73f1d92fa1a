package shipped

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module/moduletest"
)

// shop is an API with a clientset: routes have all verbs and a schema, zones are cluster-scoped, with a client of an older generator,
// plans lack a verb, and bills have a client that names no resource.
const shop = `
-- apis/shop/v1/types.go --
package v1

import "k8s.io/apimachinery/pkg/runtime/schema"

var SchemeGroupVersion = schema.GroupVersion{Group: "shop.example.com", Version: "v1"}

type (
	Route     struct{}
	RouteList struct{}
	Zone      struct{}
	ZoneList  struct{}
	Plan      struct{}
	Bill      struct{}
	Orphan    struct{}
)
-- pkg/apply/shop/v1/route.go --
package v1

type RouteApplyConfiguration struct{}

func Route(name, namespace string) *RouteApplyConfiguration { return nil }

func ExtractRoute(route any, fieldManager string) (*RouteApplyConfiguration, error) { return nil, nil }
-- pkg/apply/shop/v1/bill.go --
package v1

type BillApplyConfiguration struct{}

func Bill(name, namespace string) *BillApplyConfiguration { return nil }
-- pkg/apply/utils.go --
package apply

func NewTypeConverter(scheme any) any { return nil }
-- pkg/clientset/clientset.go --
package clientset

import (
	"k8s.io/client-go/discovery"
	shopv1 "example.com/m/pkg/clientset/typed/shop/v1"
)

type Interface interface {
	Discovery() discovery.DiscoveryInterface
	ShopV1() shopv1.ShopV1Interface
}

func NewForConfig(config any) (Interface, error) { return nil, nil }
-- pkg/clientset/fake/fake.go --
package fake

func NewSimpleClientset(objects ...any) any { return nil }

func NewClientset(objects ...any) any { return nil }
-- pkg/clientset/typed/shop/v1/shop_client.go --
package v1

type ShopV1Interface interface {
	RESTClient() any
	RoutesGetter
	ZonesGetter
	PlansGetter
	BillsGetter
}
-- pkg/clientset/typed/shop/v1/route.go --
package v1

import (
	"context"

	"k8s.io/client-go/gentype"
	shopv1 "example.com/m/apis/shop/v1"
	apply "example.com/m/pkg/apply/shop/v1"
)

type RoutesGetter interface {
	Routes(namespace string) RouteInterface
}

type RouteInterface interface {
	Create(ctx context.Context, route *shopv1.Route) (*shopv1.Route, error)
	Delete(ctx context.Context, name string) error
	Get(ctx context.Context, name string) (*shopv1.Route, error)
	List(ctx context.Context) (*shopv1.RouteList, error)
	Watch(ctx context.Context) (any, error)
	Apply(ctx context.Context, route *apply.RouteApplyConfiguration) (*shopv1.Route, error)
	GetZone(ctx context.Context, name string) (*shopv1.Zone, error)
	RouteExpansion
}

func newRoutes(c any, namespace string) any {
	return gentype.NewClientWithListAndApply[*shopv1.Route, *shopv1.RouteList, *apply.RouteApplyConfiguration]("roads", c, namespace)
}
-- pkg/clientset/typed/shop/v1/zone.go --
package v1

import (
	"context"

	"example.com/m/apis/shop/v1"
)

type ZonesGetter interface {
	Zones() ZoneInterface
}

type ZoneInterface interface {
	Get(ctx context.Context, name string) (result *v1.Zone, err error)
	List(ctx context.Context) (*v1.ZoneList, error)
	Watch(ctx context.Context) (any, error)
}

func (c *zones) Get(ctx context.Context, name string) (result *v1.Zone, err error) {
	result = &v1.Zone{}
	err = c.client.Get().
		Resource("zones").
		Name(name).
		Do(ctx).
		Into(result)
	return
}
-- pkg/clientset/typed/shop/v1/plan.go --
package v1

import shopv1 "example.com/m/apis/shop/v1"

type PlansGetter interface {
	Plans(namespace string) PlanInterface
}

type PlanInterface interface {
	Get() (*shopv1.Plan, error)
}
-- pkg/clientset/typed/shop/v1/bill.go --
package v1

import (
	shopv1 "example.com/m/apis/shop/v1"
	apply "example.com/m/pkg/apply/shop/v1"
)

type BillsGetter interface {
	Bills(namespace string) BillInterface
}

type BillInterface interface {
	Get() (*shopv1.Bill, error)
	List() (any, error)
	Watch() (any, error)
	Apply(ctx any, bill *apply.BillApplyConfiguration) (*shopv1.Bill, error)
}

var bills = "bills"
`

const api = "example.com/m/apis/shop/v1"

func TestFind(t *testing.T) {
	finder := NewFinder(gotypetest.Universe(t, shop))
	kind := model.Related{
		Name: "Route", Plural: "Routes", Resource: "roads", Group: "shop.example.com", Namespaced: true,
		Package: api, Alias: "shopv1", GroupGoName: "Shop", GoVersion: "V1",
		Shipped: &model.Shipped{
			Clientset: "example.com/m/pkg/clientset", Name: "m", Group: "ShopV1", Version: "v1", Fake: "NewClientset",
			Verbs: model.Verbs{model.Create, model.Delete, model.Get, model.List, model.Watch, model.Apply},
			Apply: "example.com/m/pkg/apply/shop/v1", Converter: "example.com/m/pkg/apply",
		},
	}
	got, err := finder.Find(api, "Route")
	require.NoError(t, err)
	assert.Equal(t, kind, got)
	again, err := finder.Find(api, "Route")
	require.NoError(t, err)
	assert.Equal(t, got, again)
	assert.Same(t, got.Shipped, again.Shipped, "kinds that are named twice are equal")

	kind.Name, kind.Plural, kind.Resource, kind.Namespaced = "Zone", "Zones", "zones", false
	kind.Shipped = &model.Shipped{
		Clientset: "example.com/m/pkg/clientset", Name: "m", Group: "ShopV1", Version: "v1", Fake: "NewClientset", Verbs: model.ReadOnlyVerbs,
	}
	got, err = finder.Find(api, "Zone")
	require.NoError(t, err)
	assert.Equal(t, kind, got)
}

// TestFindElsewhere finds the client in another required module of the same owner.
func TestFindElsewhere(t *testing.T) {
	types, clients, _ := strings.Cut(shop, "-- pkg/apply/shop/v1/route.go --")
	clients = "-- pkg/apply/shop/v1/route.go --" + clients
	moved := strings.ReplaceAll(strings.ReplaceAll(clients, "example.com/m/pkg", "github.com/shop/client-go/pkg"), "-- pkg/", "-- client-go/pkg/")
	moved = strings.ReplaceAll(moved, "example.com/m/", "github.com/shop/api/")
	dir := moduletest.LayOut(t, strings.ReplaceAll(types, "-- apis/", "-- api/apis/")+moved+`
-- api/go.mod --
module github.com/shop/api

go 1.26
-- client-go/go.mod --
module github.com/shop/client-go

go 1.26
-- m/go.mod --
module example.com/m

go 1.26

require (
	github.com/shop/api v0.0.0
	github.com/shop/client-go v0.0.0
)

replace (
	github.com/shop/api => ../api
	github.com/shop/client-go => ../client-go
)
-- m/m.go --
package m
`)
	loaded, diags, err := load.Packages(t.Context(), load.Config{Dir: dir + "/m", Patterns: []string{"./..."}})
	require.NoError(t, err)
	require.Empty(t, diags)
	got, err := NewFinder(gotype.NewUniverse(t.Context(), loaded)).Find("github.com/shop/api/apis/shop/v1", "Route")
	require.NoError(t, err)
	assert.Equal(t, "github.com/shop/client-go/pkg/clientset", got.Shipped.Clientset)
	assert.Equal(t, "shop", got.Shipped.Name)
	assert.Equal(t, "github.com/shop/client-go/pkg/apply/shop/v1", got.Shipped.Apply)
}

// TestFindNothing covers what may be missing.
func TestFindNothing(t *testing.T) {
	const second = `
-- other/clientset.go --
package other

import shopv1 "example.com/m/pkg/clientset/typed/shop/v1"

type Interface interface {
	ShopV1() shopv1.ShopV1Interface
}

func NewForConfig(config any) (Interface, error) { return nil, nil }
`
	unnamed := strings.Replace(shop, `Group: "shop.example.com"`, "Group: group()", 1)
	for name, test := range map[string]struct {
		archive, path, kind string
		want                Problem
	}{
		"no package": {shop, "example.org/other/apis/v1", "Route", Problem{
			"package example.org/other/apis/v1 is not available: no required module provides package example.org/other/apis/v1",
			"run go get example.org/other/apis/v1"}},
		"no type": {shop, api, "Rout", Problem{"package " + api + " has no type Rout", "did you mean Route?"}},
		"no similar type": {shop, api, "Anything", Problem{
			"package " + api + " has no type Anything", "write the import path of a package, a dot, and the name of a type in it"}},
		"no client": {shop, api, "Orphan", Problem{
			"module example.com/m has no clientset with a client for Orphan, and neither has a required module of the same owner",
			"run go get for the module that has the clientset, or call controller.Own, Refer or Watch with another client"}},
		"several clientsets": {shop + second, api, "Route", Problem{
			"several clientsets have a client for " + api + ".Route: example.com/m/other, example.com/m/pkg/clientset",
			"call controller.Own, Refer or Watch with the clientset of your choice"}},
		"lacks verbs": {shop, api, "Plan", Problem{
			"the client for Plan in example.com/m/pkg/clientset lacks the verbs list, watch", "informers need the verbs get, list and watch"}},
		"no resource": {shop, api, "Bill", Problem{
			"cannot determine the resource of Bill in example.com/m/pkg/clientset", "call controller.Own, Refer or Watch with this client"}},
		"no group": {unnamed, api, "Route", Problem{
			"cannot determine the API group of package " + api, "call controller.Own, Refer or Watch with this client"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := NewFinder(gotypetest.Universe(t, test.archive)).Find(test.path, test.kind)
			assert.Equal(t, &test.want, err)
		})
	}
}

// TestFindInVendor: a vendor directory has only packages that are imported.
func TestFindInVendor(t *testing.T) {
	types, _, _ := strings.Cut(strings.ReplaceAll(shop, "-- apis/", "-- vendor/example.com/shop/apis/"), "-- pkg/apply/shop/v1/route.go --")
	dir := moduletest.LayOut(t, types+`
-- go.mod --
module example.com/m

go 1.26

require example.com/shop v1.0.0
-- m.go --
package m
-- vendor/modules.txt --
# example.com/shop v1.0.0
## explicit; go 1.26
example.com/shop/apis/shop/v1
`)
	loaded, diags, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"./..."}})
	require.NoError(t, err)
	require.Empty(t, diags)
	_, err = NewFinder(gotype.NewUniverse(t.Context(), loaded)).Find("example.com/shop/apis/shop/v1", "Route")
	assert.Equal(t, &Problem{
		"module example.com/shop has no clientset with a client for Route, and neither has a required module of the same owner",
		"the vendor directory has only what is imported: import the clientset in a Go file, and run go mod vendor",
	}, err)
}

func TestNameOf(t *testing.T) {
	for modulePath, want := range map[string]string{
		"sigs.k8s.io/gateway-api": "gatewayapi", "github.com/openshift/api": "openshift", "istio.io/client-go": "istio",
		"github.com/cert-manager/cert-manager": "certmanager", "k8s.io/kube-aggregator": "kubeaggregator",
		"github.com/prometheus-operator/prometheus-operator/pkg/client": "prometheusoperator", "example.com/shop/v2": "shop",
	} {
		pkg := &gotype.Package{Package: &load.Package{Path: modulePath + "/apis/v1", Module: &load.Module{Path: modulePath}}}
		assert.Equal(t, want, nameOf(pkg), modulePath)
	}
}
