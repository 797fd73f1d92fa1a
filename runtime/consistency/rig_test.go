package consistency

import (
	"context"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var web = cache.NewObjectName("shop", "web")

// rig is a tracker that watches the ConfigMaps of a server, in a bubble of synctest.
type rig struct {
	*Tracker
	server     *informertest.Server
	factory    *informer.Factory
	configMaps *informer.Informer[*corev1.ConfigMap]
	// notified counts the calls of the function of Notify.
	notified atomic.Int64
}

// quiet drops errors of lists and watches. In a bubble of synctest, client-go's handler would sleep since the last error outside of
// it, for years.
func quiet() informer.Option {
	return informer.WithWatchErrorHandler(func(context.Context, *cache.Reflector, error) {})
}

// newRig returns a rig whose informer has synced.
func newRig(t *testing.T, server *informertest.Server, of []informer.Option, options ...Option) *rig {
	t.Helper()
	r := &rig{Tracker: NewTracker(options...), server: server, factory: informer.NewFactory(append(of, quiet())...)}
	r.configMaps = informer.For(r.factory, informer.Namespaced(server, informertest.Resource, server.ConfigMaps))
	stop, err := Watch(r.Tracker, r.configMaps)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	r.factory.StartWithContext(ctx)
	require.NoError(t, r.factory.WaitForSync(ctx))
	t.Cleanup(func() {
		r.Stop()
		stop()
		cancel()
		r.factory.Shutdown()
	})
	synctest.Wait()
	return r
}

// wrote records a write in a session of the item web.
func (r *rig) wrote(t *testing.T, objects ...*corev1.ConfigMap) {
	t.Helper()
	ctx, session := r.Begin(t.Context(), web)
	for _, object := range objects {
		Wrote(ctx, object)
	}
	session.End()
}

// notify asks for a notification.
func (r *rig) notify() { r.Notify(web, func() { r.notified.Add(1) }) }

// idle advances the time of the bubble and returns when all its goroutines are idle.
func idle(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// at returns a ConfigMap with a resource version.
func at(name string, version int) *corev1.ConfigMap {
	object := informertest.ConfigMap("shop", name)
	object.ResourceVersion = strconv.Itoa(version)
	return object
}
