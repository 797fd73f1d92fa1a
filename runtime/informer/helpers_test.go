// Tests of client-go's contracts stand here, too: TestHandlers (order, initial flag, HasSynced of a registration), TestIndexes,
// TestForeignInformers, TestErrorsOfTransforms. In internal/shared: TestEvents, TestRestart, TestResync,
// TestRelistDeliversDeletionsFirst, TestReadersSeeNoMixOfLists, TestRemoveHandlerOfAnotherInformer, TestPanicsOfHandlersAreLogged.
// client-go's own tests can be run with FromListerWatcher.
package informer_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// deadline ends tests that hang. Passing tests need far less.
const deadline = 2 * time.Minute

func workload(namespace, name string, labels map[string]string) *fleetv1.Workload {
	return &fleetv1.Workload{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels},
		Spec:       fleetv1.WorkloadSpec{RegionName: "north"},
	}
}

func region(name string) *fleetv1.Region {
	return &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

// workloadSource and regionSource are what generated code has for each kind.
func workloadSource(client versioned.Interface) informer.Source[*fleetv1.Workload] {
	return informer.Namespaced(client, fleetv1.SchemeGroupVersion.WithResource("workloads"), client.FleetV1().Workloads)
}

func regionSource(client versioned.Interface) informer.Source[*fleetv1.Region] {
	return informer.Cluster(client, fleetv1.SchemeGroupVersion.WithResource("regions"), client.FleetV1().Regions())
}

// newFactory returns a factory that is shut down at the end of the test, and a context.
func newFactory(t *testing.T, options ...informer.Option) (context.Context, *informer.Factory) {
	t.Helper()
	factory := informer.NewFactory(options...)
	require.NoError(t, factory.Err())
	t.Cleanup(factory.Shutdown)
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	t.Cleanup(cancel)
	return ctx, factory
}

// start starts a factory and waits until its informers have synced.
func start(ctx context.Context, t *testing.T, factory *informer.Factory) {
	t.Helper()
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForSync(ctx))
}

// quiet drops errors of lists and watches. In a bubble of synctest, client-go's handler
// would sleep since the last error outside of it, for years.
func quiet() informer.Option {
	return informer.WithWatchErrorHandler(func(context.Context, *cache.Reflector, error) {})
}

// refuse makes the API server answer lists and watches of a resource with an error, in one namespace or, with "*", in all.
func refuse(client *clienttesting.Fake, resource, namespace string, err error) {
	refused := func(action clienttesting.Action) bool { return namespace == "*" || action.GetNamespace() == namespace }
	client.PrependReactor("list", resource, func(action clienttesting.Action) (bool, runtime.Object, error) {
		return refused(action), nil, err
	})
	client.PrependWatchReactor(resource, func(action clienttesting.Action) (bool, watch.Interface, error) {
		return refused(action), nil, err
	})
}

func forbidden(resource string) error {
	return apierrors.NewForbidden(fleetv1.Resource(resource), "", fmt.Errorf("User %q cannot list resource %q", "x", resource))
}

// names returns the names in the cache of an informer, sorted.
func names[T informer.Object](i *informer.Informer[T]) (all []string) {
	for _, object := range lister.Sorted(i.Lister()) {
		all = append(all, cache.MetaObjectToName(object).String())
	}
	return all
}

// eventually waits until the names in the cache are those.
func eventually[T informer.Object](t *testing.T, i *informer.Informer[T], want ...string) {
	t.Helper()
	require.Eventually(t, func() bool { return slices.Equal(want, names(i)) }, deadline, time.Millisecond, "%v", want)
}

func create(t *testing.T, client *fake.Clientset, object *fleetv1.Workload) {
	t.Helper()
	_, err := client.FleetV1().Workloads(object.Namespace).Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
}

// recorder is a handler that sends what it receives.
type recorder[T informer.Object] struct{ events chan string }

func record[T informer.Object](t *testing.T, i *informer.Informer[T]) <-chan string {
	t.Helper()
	r := recorder[T]{make(chan string, 100)}
	_, err := i.AddHandler(r)
	require.NoError(t, err)
	return r.events
}

func (r recorder[T]) OnAdd(object T, initial bool) {
	if initial {
		r.events <- "initial " + object.GetName()
		return
	}
	r.events <- "add " + object.GetName()
}
func (r recorder[T]) OnUpdate(_, after T)                 { r.events <- "update " + after.GetName() }
func (r recorder[T]) OnDelete(name cache.ObjectName, _ T) { r.events <- "delete " + name.Name }
