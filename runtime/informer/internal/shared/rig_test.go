package shared

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is an informer for the ConfigMaps of a server.
type rig struct {
	*testing.T

	ctx      context.Context
	server   *informertest.Server
	informer *Informer
}

// newRig returns a rig with objects, each written as "namespace/name".
func newRig(t *testing.T, config Config, objects ...string) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	server := informertest.NewServer()
	r := &rig{T: t, ctx: ctx, server: server}
	for _, object := range objects {
		r.create(object)
	}
	config.Object, config.Resource, config.Namespaced = &corev1.ConfigMap{}, informertest.Resource, true
	if config.ListerWatcher == nil {
		config.ListerWatcher = server.ListerWatcher
	}
	r.informer = New(config)
	return r
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
	r.await("sync", func() bool { return r.informer.IsRunning() && r.informer.HasSynced() })
	return stop
}

// await waits until something is true, which is looked at again whenever the informer has changed.
func (r *rig) await(what string, is func() bool) {
	r.Helper()
	for {
		changed := r.informer.changed.Wait()
		if is() {
			return
		}
		select {
		case <-changed:
		case <-time.After(5 * time.Millisecond): // what the informer does not tell about
		case <-r.ctx.Done():
			require.Fail(r, "timeout", what)
		}
	}
}

func object(name string) *corev1.ConfigMap {
	namespace, name, _ := strings.Cut(name, "/")
	return informertest.ConfigMap(namespace, name)
}

func (r *rig) create(name string) { r.server.Create(object(name)) }

// label sets the label of an object to 1.
func (r *rig) label(name string) {
	o := object(name)
	r.server.Label(o.Namespace, o.Name, "1")
}

func (r *rig) delete(name string) {
	o := object(name)
	r.server.Delete(o.Namespace, o.Name)
}

func (r *rig) keys() []string {
	return slices.Sorted(slices.Values(r.informer.GetStore().ListKeys()))
}

// recorder is a handler that remembers what it received.
type recorder struct {
	lock   sync.Mutex
	events []string
	// block, if set, is received from before each event is noted.
	block chan struct{}
}

func (r *recorder) note(format string, args ...any) {
	if r.block != nil {
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
	object := obj.(*corev1.ConfigMap)
	return strings.TrimSuffix(object.Namespace+"/"+object.Name+"="+object.Labels["label"], "=")
}

// seen returns all events in order.
func (r *recorder) seen() []string {
	r.lock.Lock()
	defer r.lock.Unlock()
	return slices.Clone(r.events)
}

// take waits until as many events as wanted were received, and compares and forgets them, whatever their order.
func (r *recorder) take(rig *rig, want ...string) {
	rig.Helper()
	require.ElementsMatch(rig, want, r.next(rig, len(want)))
}

// takeInOrder is take with an order.
func (r *recorder) takeInOrder(rig *rig, want ...string) {
	rig.Helper()
	require.Equal(rig, want, r.next(rig, len(want)))
}

func (r *recorder) next(rig *rig, count int) []string {
	rig.Helper()
	rig.await(fmt.Sprintf("%d events", count), func() bool { return len(r.seen()) >= count })
	events := r.seen()
	r.lock.Lock()
	defer r.lock.Unlock()
	r.events = nil
	return events
}

func (r *rig) handler() *recorder {
	r.Helper()
	h := &recorder{}
	_, err := r.informer.AddEventHandler(h)
	require.NoError(r, err)
	return h
}

// all are the namespaces of an informer that watches everything.
var all = []string{metav1.NamespaceAll}
