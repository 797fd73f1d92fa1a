package strict

import (
	"fmt"
	stdtesting "testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/testing"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration"
	typedv1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1"
	fakev1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1/fake"
	typedv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1beta1"
	fakev1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1beta1/fake"
)

// rig is a server with the clients of two versions.
type rig struct {
	*Server
	fake    *testing.Fake
	v1      typedv1.FleetV1Interface
	v1beta1 typedv1beta1.FleetV1beta1Interface
}

func newRig(t stdtesting.TB, options ...Option) *rig {
	scheme := runtime.NewScheme()
	require.NoError(t, fleetv1.AddToScheme(scheme))
	require.NoError(t, fleetv1beta1.AddToScheme(scheme))
	workload := Kind{Resource: "workloads", Namespaced: true, HasStatus: true}
	older := workload
	workload.GroupVersionKind, workload.HasScale = fleetv1.SchemeGroupVersion.WithKind("Workload"), true
	workload.Fields = []string{"spec.regionName"}
	older.GroupVersionKind = fleetv1beta1.SchemeGroupVersion.WithKind("Workload")
	region := Kind{GroupVersionKind: fleetv1.SchemeGroupVersion.WithKind("Region"), Resource: "regions", HasStatus: true}
	server := NewServer(Config{
		Scheme: scheme, Kinds: []Kind{older, workload, region}, Converter: applyconfiguration.NewTypeConverter(scheme),
	}, options...)
	r := &rig{Server: server, fake: &testing.Fake{}}
	server.AddTo(r.fake)
	r.v1, r.v1beta1 = &fakev1.FakeFleetV1{Fake: r.fake}, &fakev1beta1.FakeFleetV1beta1{Fake: r.fake}
	return r
}

// shop returns the client for the workloads of a namespace.
func (r *rig) shop() typedv1.WorkloadInterface { return r.v1.Workloads("shop") }

func workload(name string, labels map[string]string, finalizers ...string) *fleetv1.Workload {
	return &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop", Labels: labels, Finalizers: finalizers}}
}

// create creates workloads of these names, and returns the last.
func (r *rig) create(t stdtesting.TB, names ...string) (last *fleetv1.Workload) {
	for _, name := range names {
		var err error
		last, err = r.shop().Create(t.Context(), workload(name, nil), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	return last
}

// names returns the names of all workloads.
func (r *rig) names(t stdtesting.TB) (names []string) {
	list, err := r.v1.Workloads("").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	for _, item := range list.Items {
		names = append(names, item.Name)
	}
	return names
}

// events returns the next events of a watch, as "ADDED web".
func events(w watch.Interface, count int) (texts []string) {
	for range count {
		event, ok := <-w.ResultChan()
		if !ok {
			return append(texts, "closed")
		}
		switch object := event.Object.(type) {
		case *fleetv1.Workload:
			texts = append(texts, fmt.Sprintf("%s %s", event.Type, object.Name))
		case *metav1.Status:
			texts = append(texts, fmt.Sprintf("%s %d %s", event.Type, object.Code, object.Message))
		}
	}
	return texts
}
