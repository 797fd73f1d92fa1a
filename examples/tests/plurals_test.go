package tests

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
)

// plural is a kind whose resource is not the one that a tracker would guess.
type plural struct {
	resource schema.GroupVersionResource
	// object is an object of the kind, named x, in the namespace shop if it is namespaced; list is a list of it.
	object, list runtime.Object
	get, names   func(t *testing.T, client versioned.Interface) ([]string, error)
	watch        func(t *testing.T, client versioned.Interface) (watch.Interface, error)
}

func namesOf[T any](items []T, name func(*T) string) []string {
	var names []string
	for i := range items {
		names = append(names, name(&items[i]))
	}
	return names
}

func plurals() []plural {
	named := metav1.ObjectMeta{Name: "x", Namespace: "shop"}
	gateway := &fleetv1beta1.Gateway{ObjectMeta: named}
	relay := &edgev1alpha1.Relay{ObjectMeta: named}
	return []plural{
		{
			resource: fleetV1beta1.WithResource("gateways"),
			object:   gateway, list: &fleetv1beta1.GatewayList{Items: []fleetv1beta1.Gateway{*gateway}},
			get: func(t *testing.T, client versioned.Interface) ([]string, error) {
				got, err := client.FleetV1beta1().Gateways("shop").Get(t.Context(), "x", metav1.GetOptions{})
				return []string{got.GetName()}, err
			},
			names: func(t *testing.T, client versioned.Interface) ([]string, error) {
				list, err := client.FleetV1beta1().Gateways("").List(t.Context(), metav1.ListOptions{})
				return namesOf(list.Items, (*fleetv1beta1.Gateway).GetName), err
			},
			watch: func(t *testing.T, client versioned.Interface) (watch.Interface, error) {
				return client.FleetV1beta1().Gateways("shop").Watch(t.Context(), metav1.ListOptions{})
			},
		},
		{
			resource: edgeV1alpha1.WithResource("relays"),
			object:   relay, list: &edgev1alpha1.RelayList{Items: []edgev1alpha1.Relay{*relay}},
			get: func(t *testing.T, client versioned.Interface) ([]string, error) {
				got, err := client.EdgeNetworkV1alpha1().Relays("shop").Get(t.Context(), "x", metav1.GetOptions{})
				return []string{got.GetName()}, err
			},
			names: func(t *testing.T, client versioned.Interface) ([]string, error) {
				list, err := client.EdgeNetworkV1alpha1().Relays("shop").List(t.Context(), metav1.ListOptions{})
				return namesOf(list.Items, (*edgev1alpha1.Relay).GetName), err
			},
			watch: func(t *testing.T, client versioned.Interface) (watch.Interface, error) {
				return client.EdgeNetworkV1alpha1().Relays("").Watch(t.Context(), metav1.ListOptions{})
			},
		},
		{
			resource: fleetV1.WithResource("chassis"),
			object:   chassis("x"), list: &fleetv1.ChassisList{Items: []fleetv1.Chassis{*chassis("x")}},
			get: func(t *testing.T, client versioned.Interface) ([]string, error) {
				got, err := client.FleetV1().Chassises().Get(t.Context(), "x", metav1.GetOptions{})
				return []string{got.GetName()}, err
			},
			names: func(t *testing.T, client versioned.Interface) ([]string, error) {
				list, err := client.FleetV1().Chassises().List(t.Context(), metav1.ListOptions{})
				return namesOf(list.Items, (*fleetv1.Chassis).GetName), err
			},
			watch: func(t *testing.T, client versioned.Interface) (watch.Interface, error) {
				return client.FleetV1().Chassises().Watch(t.Context(), metav1.ListOptions{})
			},
		},
	}
}

// clientsets are the two constructors of fakes.
var clientsets = map[string]func(...runtime.Object) *fake.Clientset{
	"NewClientset": fake.NewClientset, "NewSimpleClientset": fake.NewSimpleClientset,
}

// TestFakeFindsKindsWithAnyPlural adds objects to a fake in every possible way, and reads them in every possible way.
func TestFakeFindsKindsWithAnyPlural(t *testing.T) {
	for constructor, newFake := range clientsets {
		for _, p := range plurals() {
			for seeding, seeded := range map[string]func() *fake.Clientset{
				"object": func() *fake.Clientset { return newFake(p.object) },
				"list":   func() *fake.Clientset { return newFake(p.list) },
				"Add": func() *fake.Clientset {
					client := newFake()
					require.NoError(t, client.Tracker().Add(p.object))
					return client
				},
			} {
				t.Run(constructor+"/"+p.resource.Resource+"/"+seeding, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { assertFinds(t, seeded(), p) })
				})
			}
		}
	}
}

func assertFinds(t *testing.T, client *fake.Clientset, p plural) {
	t.Helper()
	got, err := p.get(t, client)
	require.NoError(t, err)
	assert.Equal(t, []string{"x"}, got)
	listed, err := p.names(t, client)
	require.NoError(t, err)
	assert.Equal(t, []string{"x"}, listed)

	factory := informers.NewSharedInformerFactory(client, 0)
	generic, err := factory.ForResource(p.resource)
	require.NoError(t, err)
	generic.Informer()
	settle(t, factory)
	cached, err := generic.Lister().List(labels.Everything())
	require.NoError(t, err)
	assert.Equal(t, []runtime.Object{p.object}, cached)
}

// TestFakeWatchesKindsWithAnyPlural adds an object to a fake with an open watch.
func TestFakeWatchesKindsWithAnyPlural(t *testing.T) {
	for constructor, newFake := range clientsets {
		for _, p := range plurals() {
			t.Run(constructor+"/"+p.resource.Resource, func(t *testing.T) {
				client := newFake()
				watcher, err := p.watch(t, client)
				require.NoError(t, err)
				defer watcher.Stop()
				require.NoError(t, client.Tracker().Add(p.object))
				assert.Equal(t, watch.Event{Type: watch.Added, Object: p.object}, next(t, watcher.ResultChan()))
			})
		}
	}
}

func TestFakeRejectsDuplicateObjects(t *testing.T) {
	for constructor, newFake := range clientsets {
		for _, p := range plurals() {
			t.Run(constructor+"/"+p.resource.Resource, func(t *testing.T) {
				client := newFake(p.object)
				assert.ErrorContains(t, client.Tracker().Add(p.object), "already exists")
				assert.Panics(t, func() { newFake(p.object, p.list) })
			})
		}
	}
}

// TestApplyToInitialObjects applies to objects that were passed to the constructor of the fake, which must find their resources.
func TestApplyToInitialObjects(t *testing.T) {
	client := fake.NewClientset(chassis("c1"))
	got, err := client.FleetV1().Chassises().Apply(t.Context(), appliedChassis("c1", "r7"), by("fleet"))
	require.NoError(t, err)
	assert.Equal(t, "SN-c1", got.Spec.SerialNumber, "what it was made with stays")
	assert.Equal(t, "r7", got.Spec.Rack)
	assert.Contains(t, ownersOf(t, got), applier("fleet", "spec.rack"))
}
