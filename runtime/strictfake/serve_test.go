package strictfake

import (
	stdtesting "testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/version"
	kubeapply "k8s.io/client-go/applyconfigurations"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/testing"

	fakediscovery "k8s.io/client-go/discovery/fake"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

// TestServeErrors passes what does not belong together. Nothing changes.
func TestServeErrors(t *stdtesting.T) {
	scheme := fleetScheme(t)
	deduced := managedfields.NewDeducedTypeConverter()
	workloadKind := fleetv1.SchemeGroupVersion.WithKind("Workload")
	for name, test := range map[string]struct {
		clientset Clientset
		scheme    *runtime.Scheme
		converter managedfields.TypeConverter
		option    ServeOption
		want      string
	}{
		"no scheme":    {fake.NewClientset(), nil, deduced, nil, "no scheme: pass the scheme of the clientset"},
		"no converter": {fake.NewClientset(), scheme, nil, nil, "no type converter: pass managedfields.NewDeducedTypeConverter()"},
		"other scheme": {
			fake.NewClientset(), kubescheme.Scheme, deduced, nil,
			"FleetV1().Chassises: type v1.Chassis is not in the scheme as a kind of fleet.example.com/v1: pass the scheme of the clientset",
		},
		"other converter": {
			kubefake.NewClientset(), kubescheme.Scheme, applyconfiguration.NewTypeConverter(kubescheme.Scheme), nil,
			"the type converter has no schema of a kind of the clientset: schema error: no type found matching: io.k8s.api.core.v1.ComponentStatus: " +
				"pass NewTypeConverter of the clientset's own package of apply configurations",
		},
		"other kind": {
			fake.NewClientset(), scheme, deduced, WithSelectableFields(corev1.SchemeGroupVersion.WithKind("Pod"), "spec.nodeName"),
			"an option names /v1, Kind=Pod, but the clientset has no client for it: remove the option",
		},
		"no clients": {&testing.Fake{}, scheme, deduced, nil, "a *testing.Fake has no clients: pass a fake clientset"},
		"no fake": {&delegating{Clientset: fake.NewClientset()}, scheme, deduced, nil,
			"a *strictfake.delegating does not embed client-go's testing.Fake"},
		"nil": {(*fake.Clientset)(nil), scheme, deduced, nil, "does not embed client-go's testing.Fake: pass a pointer"},
		"other clients": {&borrowing{of: &oddClientset{}}, oddScheme(t), deduced, nil,
			"OddV1().Applied: Apply is not recorded as an action of the clientset"},
		"panic": {&panicking{}, scheme, deduced, WithStatus(workloadKind, true),
			"a method of *strictfake.panicking panicked: not today"},
	} {
		t.Run(name, func(t *stdtesting.T) {
			server := NewServer()
			var options []ServeOption
			if test.option != nil {
				options = append(options, test.option)
			}
			assert.ErrorContains(t, server.Serve(test.clientset, test.scheme, test.converter, options...), test.want)
			assert.Empty(t, server.Kinds())
		})
	}
}

// TestServeTwice refuses a clientset that is served, and a clientset with another type for a kind that is served.
func TestServeTwice(t *stdtesting.T) {
	r := newRig(t)
	scheme, deduced := fleetScheme(t), managedfields.NewDeducedTypeConverter()
	chain := len(r.fake.ReactionChain)
	assert.EqualError(t, r.Serve(r.clients, scheme, deduced),
		"the server serves this clientset already: call Serve once for each clientset")
	assert.Len(t, r.fake.ReactionChain, chain)

	odd := runtime.NewScheme()
	odd.AddKnownTypeWithName(oddVersion.WithKind("Workload"), &fleetv1beta1.Workload{})
	odd.AddKnownTypeWithName(oddVersion.WithKind("WorkloadList"), &fleetv1beta1.WorkloadList{})
	err := r.Serve(&otherType{}, odd, deduced)
	assert.ErrorContains(t, err, "fleet.example.com/v1, Kind=Workload is served with type *v1.Workload already, this clientset has *v1beta1.Workload")
}

// TestServeWrapped serves structs that embed a clientset, by pointer and by interface.
func TestServeWrapped(t *stdtesting.T) {
	clients, scheme := fake.NewClientset(), fleetScheme(t)
	wrapped := struct{ *fake.Clientset }{clients}
	server := NewServer()
	require.NoError(t, server.Serve(&wrapped, scheme, applyconfiguration.NewTypeConverter(scheme)))
	created, err := clients.FleetV1().Workloads("shop").Create(t.Context(), workload("web", nil), metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "2", created.ResourceVersion)
	assert.ErrorIs(t, server.Serve(struct{ Clientset }{clients}, scheme, applyconfiguration.NewTypeConverter(scheme)), errServed)
}

// TestServeKeepsReactors serves a clientset with reactors and actions. Reactors for other resources stay in use.
func TestServeKeepsReactors(t *stdtesting.T) {
	clients, scheme := fake.NewClientset(workload("old", nil)), fleetScheme(t)
	_, err := clients.FleetV1().Workloads("shop").Get(t.Context(), "old", metav1.GetOptions{})
	require.NoError(t, err)
	actions, chain := clients.Actions(), len(clients.ReactionChain)
	require.NoError(t, NewServer().Serve(clients, scheme, applyconfiguration.NewTypeConverter(scheme)))
	assert.Equal(t, actions, clients.Actions())
	assert.Len(t, clients.ReactionChain, chain+1)
	_, err = clients.FleetV1().Workloads("shop").Get(t.Context(), "old", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "the server does not have objects from before")
}

// TestServeOddVerbs serves kinds whose clients lack verbs.
func TestServeOddVerbs(t *stdtesting.T) {
	server, clients := NewServer(), &oddClientset{}
	require.NoError(t, server.Serve(clients, oddScheme(t), managedfields.NewDeducedTypeConverter()))
	assert.ElementsMatch(t, []schema.GroupVersionKind{
		oddVersion.WithKind("Workload"), oddVersion.WithKind("Region"), oddVersion.WithKind("Chassis"), oddVersion.WithKind("WorkloadRevision"),
	}, server.Kinds())
	require.NoError(t, server.Add(&fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}},
		&fleetv1.Chassis{ObjectMeta: metav1.ObjectMeta{Name: "c1"}}))
	require.NoError(t, clients.OddV1().Deleted().Delete(t.Context(), "north", metav1.DeleteOptions{}))
	list, err := clients.OddV1().Listed().List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	assert.Len(t, list.Items, 1)
	object := workload("web", nil)
	object.Status.Replicas = 3
	created, err := clients.OddV1().Created("shop").Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Zero(t, created.Status.Replicas, "the status is a subresource")
	var names []string
	for _, resource := range clients.Resources[0].APIResources {
		names = append(names, resource.Name)
	}
	assert.Equal(t, []string{"chassis", "regions", "regions/status", "workloadrevisions", "workloads", "workloads/scale",
		"workloads/status"}, names)
}

// TestWithStatus overrides what the methods of a client show.
func TestWithStatus(t *stdtesting.T) {
	server, clients := NewServer(), &oddClientset{}
	require.NoError(t, server.Serve(clients, oddScheme(t), managedfields.NewDeducedTypeConverter(),
		WithStatus(oddVersion.WithKind("Workload"), false)))
	object := workload("web", nil)
	object.Status.Replicas = 3
	created, err := clients.OddV1().Created("shop").Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 3, created.Status.Replicas)
}

// TestSharedServer has client-go's clientset, a second one of the same kinds, and a generated one share a server.
func TestSharedServer(t *stdtesting.T) {
	r := newRig(t)
	kube, other := kubefake.NewClientset(), kubefake.NewClientset()
	for _, clients := range []*kubefake.Clientset{kube, other} {
		require.NoError(t, r.Serve(clients, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)))
	}
	owner := r.create(t, "web")
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-1", OwnerReferences: []metav1.OwnerReference{
		{APIVersion: fleetv1.SchemeGroupVersion.String(), Kind: "Workload", Name: "web", UID: owner.UID},
	}}}
	created, err := kube.CoreV1().Pods("shop").Create(t.Context(), pod, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "3", created.ResourceVersion, "one revision for all")
	seen, err := other.CoreV1().Pods("shop").Get(t.Context(), "web-1", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, created, seen)
	assert.Equal(t, kube.Resources, r.fake.Resources, "discovery lists all kinds")
	require.NoError(t, r.shop().Delete(t.Context(), "web", metav1.DeleteOptions{}))
	_, err = other.CoreV1().Pods("shop").Get(t.Context(), "web-1", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
}

// TestBuiltInApply applies a Pod with client-go's converter: lists are merged by key.
func TestBuiltInApply(t *stdtesting.T) {
	kube, _ := newKube(t)
	pods := kube.CoreV1().Pods("shop")
	for _, name := range []string{"app", "proxy"} {
		configuration := corev1apply.Pod("web",
			"shop").WithSpec(corev1apply.PodSpec().WithContainers(corev1apply.Container().WithName(name)))
		_, err := pods.Apply(t.Context(), configuration, metav1.ApplyOptions{FieldManager: name})
		require.NoError(t, err)
	}
	pod, err := pods.Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Len(t, pod.Spec.Containers, 2)
}

// TestServerVersion fills in the version of a discovery client that has none.
func TestServerVersion(t *stdtesting.T) {
	kube, server := newKube(t)
	info, err := kube.Discovery().ServerVersion()
	require.NoError(t, err)
	assert.Equal(t, "v1."+clientMinor()+".0", info.GitVersion)
	assert.GreaterOrEqual(t, clientMinor(), oldestMinor)

	// A clientset without a discovery client, and one whose discovery client has a version.
	require.NoError(t, server.Serve(&kubefake.Clientset{}, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)))
	own := kubefake.NewClientset()
	own.Discovery().(*fakediscovery.FakeDiscovery).FakedServerVersion = &version.Info{GitVersion: "v1.99.0"}
	require.NoError(t, server.Serve(own, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)))
	info, err = own.Discovery().ServerVersion()
	require.NoError(t, err)
	assert.Equal(t, "v1.99.0", info.GitVersion)
}

// TestTrackerForCRDs has the methods of a tracker that crdfake looks for. It knows no types of this package.
func TestTrackerForCRDs(t *stdtesting.T) {
	r := newRig(t)
	var client interface{ Tracker() testing.ObjectTracker } = r.Server
	of, ok := client.Tracker().(interface {
		SetSchema(kind schema.GroupVersionKind, to Schema) error
		Kinds() []schema.GroupVersionKind
	})
	require.True(t, ok)
	assert.Len(t, of.Kinds(), 5)
	assert.ErrorContains(t, of.SetSchema(corev1.SchemeGroupVersion.WithKind("Pod"), nil),
		"the clientset has no client for /v1, Kind=Pod")
	assert.True(t, IsAtLeastV0_1)
}

func TestServes(t *stdtesting.T) {
	r := newRig(t)
	assert.True(t, r.Serves(r.clients))
	assert.False(t, r.Serves(fake.NewClientset()))
	assert.False(t, r.Serves(nil))
	server, ok := r.Tracker().(interface{ Server() *Server })
	require.True(t, ok)
	assert.Same(t, r.Server, server.Server())
}
