package shared

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// workloads is the kind of the tests.
func workloads(client versioned.Interface) Kind {
	return Kind{
		Object:     &fleetv1.Workload{},
		Resource:   fleetv1.SchemeGroupVersion.WithResource("workloads"),
		Namespaced: true,
		ListerWatcher: func(namespace string, tweak func(*metav1.ListOptions)) cache.ListerWatcher {
			tweaked := func(options metav1.ListOptions) metav1.ListOptions {
				if tweak != nil {
					tweak(&options)
				}
				return options
			}
			return &cache.ListWatch{
				ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
					return client.FleetV1().Workloads(namespace).List(ctx, tweaked(options))
				},
				WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
					return client.FleetV1().Workloads(namespace).Watch(ctx, tweaked(options))
				},
			}
		},
	}
}

func workload(namespace, name string) *fleetv1.Workload {
	return &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
}

// rig is an informer for workloads of a strict fake.
type rig struct {
	*testing.T
	ctx      context.Context
	client   *fake.Clientset
	informer *Informer
}

func newRig(t *testing.T, options Options, objects ...runtime.Object) *rig {
	t.Helper()
	if options.Namespaces == nil {
		options.Namespaces = []string{metav1.NamespaceAll}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	client := fake.NewStrictClientset(objects...)
	return &rig{T: t, ctx: ctx, client: client, informer: New(workloads(client), options)}
}

// start runs the informer until stop is called.
func (r *rig) start() (stop func()) {
	r.Helper()
	ctx, cancel := context.WithCancel(r.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.informer.RunWithContext(ctx)
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	r.Cleanup(stop)
	return stop
}

// startSynced is start that waits until the informer has synced.
func (r *rig) startSynced() (stop func()) {
	r.Helper()
	stop = r.start()
	r.await("sync", func() bool { return r.informer.isRunning() && r.informer.HasSynced() })
	return stop
}

// await waits until something is true, which is looked at again whenever the informer has changed.
func (r *rig) await(what string, is func() bool) {
	r.Helper()
	for {
		changed := r.informer.changed.wait()
		if is() {
			return
		}
		select {
		case <-changed:
		case <-time.After(10 * time.Millisecond): // what the informer does not tell about
		case <-r.ctx.Done():
			require.Fail(r, "timeout", what)
		}
	}
}

func (r *rig) create(namespace, name string) *fleetv1.Workload {
	r.Helper()
	created, err := r.client.FleetV1().Workloads(namespace).Create(r.ctx, workload(namespace, name), metav1.CreateOptions{})
	require.NoError(r, err)
	return created
}

func (r *rig) label(namespace, name, value string) {
	r.Helper()
	object, err := r.client.FleetV1().Workloads(namespace).Get(r.ctx, name, metav1.GetOptions{})
	require.NoError(r, err)
	object.Labels = map[string]string{"label": value}
	_, err = r.client.FleetV1().Workloads(namespace).Update(r.ctx, object, metav1.UpdateOptions{})
	require.NoError(r, err)
}

func (r *rig) delete(namespace, name string) {
	r.Helper()
	require.NoError(r, r.client.FleetV1().Workloads(namespace).Delete(r.ctx, name, metav1.DeleteOptions{}))
}

// recorder is a handler that remembers what it received.
type recorder struct {
	lock   sync.Mutex
	events []string
	// block, if set, is received from before each event is noted.
	block chan struct{}
	// blocked counts the events that have come as far as that.
	blocked atomic.Int32
}

func (r *recorder) note(format string, args ...any) {
	if r.block != nil {
		r.blocked.Add(1)
		<-r.block
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.events = append(r.events, fmt.Sprintf(format, args...))
}

func (r *recorder) OnAdd(obj any, initial bool) {
	if initial {
		r.note("initial %s", label(obj))
		return
	}
	r.note("add %s", label(obj))
}
func (r *recorder) OnUpdate(before, after any) {
	r.note("update %s to %s", label(before), label(after))
}
func (r *recorder) OnDelete(obj any) {
	if unknown, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		r.note("gone %s", label(unknown.Obj))
		return
	}
	r.note("delete %s", label(obj))
}

// label names an object, with its label if it has one.
func label(obj any) string {
	object := obj.(*fleetv1.Workload)
	return strings.TrimSuffix(object.Namespace+"/"+object.Name+"="+object.Labels["label"], "=")
}

// seen returns all events, sorted.
func (r *recorder) seen() []string {
	r.lock.Lock()
	defer r.lock.Unlock()
	return slices.Sorted(slices.Values(r.events))
}

// take waits until as many events as wanted were received, and compares and forgets them, whatever their order.
func (r *recorder) take(rig *rig, want ...string) {
	rig.Helper()
	rig.await(fmt.Sprintf("%d events", len(want)), func() bool { return len(r.seen()) >= len(want) })
	require.ElementsMatch(rig, want, r.seen())
	r.lock.Lock()
	defer r.lock.Unlock()
	r.events = nil
}

func (r *rig) handler() *recorder {
	r.Helper()
	h := &recorder{}
	_, err := r.informer.AddEventHandler(h)
	require.NoError(r, err)
	return h
}
