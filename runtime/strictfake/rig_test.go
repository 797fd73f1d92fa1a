package strictfake

import (
	"fmt"
	stdtesting "testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/testing"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	typedv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/typed/fleet/v1"
	typedv1beta1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/typed/fleet/v1beta1"
)

func TestMain(m *stdtesting.M) { goleak.VerifyTestMain(m) }

// rig is a server with the clients of two versions.
type rig struct {
	*Server
	fake    *testing.Fake
	clients *fake.Clientset
	v1      typedv1.FleetV1Interface
	v1beta1 typedv1beta1.FleetV1beta1Interface
}

// fleetScheme returns a scheme with both versions of the API.
func fleetScheme(t stdtesting.TB) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	require.NoError(t, fleetv1.AddToScheme(scheme))
	require.NoError(t, fleetv1beta1.AddToScheme(scheme))
	return scheme
}

func newRig(t stdtesting.TB, options ...Option) *rig {
	t.Helper()
	scheme, clients := fleetScheme(t), fake.NewClientset()
	server := NewServer(options...)
	require.NoError(t, server.Serve(clients, scheme, applyconfiguration.NewTypeConverter(scheme),
		WithSelectableFields(fleetv1.SchemeGroupVersion.WithKind("Workload"), "spec.regionName")))
	return &rig{Server: server, fake: &clients.Fake, clients: clients, v1: clients.FleetV1(), v1beta1: clients.FleetV1beta1()}
}

// shop returns the client for the workloads of a namespace.
func (r *rig) shop() typedv1.WorkloadInterface { return r.v1.Workloads("shop") }

func workload(name string, labels map[string]string, finalizers ...string) *fleetv1.Workload {
	return &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop", Labels: labels, Finalizers: finalizers}}
}

// create creates workloads of these names, and returns the last.
func (r *rig) create(t stdtesting.TB, names ...string) (last *fleetv1.Workload) {
	t.Helper()
	for _, name := range names {
		var err error
		last, err = r.shop().Create(t.Context(), workload(name, nil), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	return last
}

// names returns the names of all workloads.
func (r *rig) names(t stdtesting.TB) (names []string) {
	t.Helper()
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
