package manager

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// world is an API server with replicas of an operator, which gives each ServiceAccount a ConfigMap.
type world struct {
	t    *testing.T
	kube *kubefake.Clientset

	lock sync.Mutex
	next int
	// running has who reconciles an object now, by UID, and seen who has reconciled it last.
	running, seen map[types.UID]string
	// times counts the reconciles of objects, and twice the reconciles that ran while another one of the object did.
	times map[string]int
	twice int
	gone  []string
}

func newWorld(t *testing.T, filters bool) *world {
	return &world{
		t: t, kube: kubetest.NewClientset(strictfake.WithShardedListAndWatch(filters)), running: map[types.UID]string{},
		seen: map[types.UID]string{}, times: map[string]int{},
	}
}

// replica is a process of the operator.
type replica struct {
	*Manager

	world *world
	name  string
	// slow is how long a reconcile takes.
	slow    atomic.Int64
	to      *connection
	objects *informer.Informer[*corev1.ServiceAccount]
	owned   *controller.Owned[*corev1.ConfigMap]
	ended   chan error
	stop    context.CancelFunc
}

var sharded = WithShards(Shards{Slots: 4})

// start starts a replica.
func (w *world) start(options ...Option) *replica { return w.prepare(func(*replica) {}, options...) }

// prepare starts a replica after a function has added to it.
func (w *world) prepare(add func(*replica), options ...Option) *replica {
	w.t.Helper()
	w.next++
	r := &replica{world: w, name: fmt.Sprintf("replica-%d", w.next), ended: make(chan error, 1), to: connect(w.kube)}
	r.Manager = newManager(w.t, r.to.Clientset, append([]Option{
		election, WithInformers(informer.WithWatchErrorHandler(func(context.Context, *cache.Reflector, error) {})),
	}, options...)...)
	r.informerName.Release() // the name of another replica in this process
	c, err := controller.New(informer.Namespaced(w.kube, corev1.SchemeGroupVersion.WithResource("serviceaccounts"),
		w.kube.CoreV1().ServiceAccounts), r, append(r.ControllerOptions("accounts"), controller.Sharded())...)
	require.NoError(w.t, err)
	r.objects = c.Informer()
	r.owned, err = controller.Own(c, informer.Namespaced(w.kube, corev1.SchemeGroupVersion.WithResource("configmaps"),
		w.kube.CoreV1().ConfigMaps))
	require.NoError(w.t, err)
	require.NoError(w.t, r.Add(c))
	add(r)
	ctx, stop := context.WithCancel(w.t.Context())
	r.stop = stop
	go func() { r.ended <- r.Start(ctx) }()
	return r
}

// end ends a replica in order.
func (r *replica) end() error {
	r.stop()
	return <-r.ended
}

// Reconcile gives an object its ConfigMap.
func (r *replica) Reconcile(ctx context.Context, account *corev1.ServiceAccount) (controller.Result, error) {
	w := r.world
	w.lock.Lock()
	if w.running[account.UID] != "" {
		w.twice++
	}
	w.running[account.UID], w.seen[account.UID] = r.name, r.name
	w.times[account.Name]++
	w.lock.Unlock()
	defer func() {
		w.lock.Lock()
		defer w.lock.Unlock()
		delete(w.running, account.UID)
	}()
	if slow := time.Duration(r.slow.Load()); slow > 0 {
		select {
		case <-time.After(slow):
		case <-ctx.Done():
			return controller.Result{}, ctx.Err()
		}
	}
	writer := controller.Writer{Owner: corev1.SchemeGroupVersion.WithKind("ServiceAccount"), FieldManager: "accounts"}
	desired := corev1apply.ConfigMap(account.Name, account.Namespace).WithData(map[string]string{"of": account.Name})
	return controller.Result{}, controller.Sync(ctx, writer, account, r.owned.By, controller.Apply(w.kube.CoreV1().ConfigMaps,
		corev1apply.ExtractConfigMap, []*corev1apply.ConfigMapApplyConfiguration{desired}))
}

// ReconcileDeleted notes deletions.
func (r *replica) ReconcileDeleted(_ context.Context, name cache.ObjectName) error {
	r.world.lock.Lock()
	defer r.world.lock.Unlock()
	r.world.gone = append(r.world.gone, name.Name)
	return nil
}

// create creates objects.
func (w *world) create(names ...string) {
	for _, name := range names {
		_, err := w.kube.CoreV1().ServiceAccounts("shop").Create(w.t.Context(), &corev1.ServiceAccount{
			ObjectMeta: metav1.ObjectMeta{Name: name},
		}, metav1.CreateOptions{})
		require.NoError(w.t, err)
	}
}

// numbered returns n names.
func numbered(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("account-%03d", i))
	}
	return names
}

// complete checks that each object has its ConfigMap, and that no two replicas have one object.
func (w *world) complete(n int, replicas ...*replica) {
	w.t.Helper()
	maps, err := w.kube.CoreV1().ConfigMaps("shop").List(w.t.Context(), metav1.ListOptions{})
	require.NoError(w.t, err)
	assert.Len(w.t, maps.Items, n)
	held, owned := 0, 0
	for _, r := range replicas {
		held += len(r.objects.Indexer().List())
		owned += len(r.owned.Informer().Indexer().List())
		for _, object := range r.objects.Indexer().List() {
			all, err := r.owned.By(object.(*corev1.ServiceAccount))
			require.NoError(w.t, err)
			assert.Len(w.t, all, 1)
		}
	}
	assert.Equal(w.t, n, held)
	assert.Equal(w.t, n, owned)
	w.lock.Lock()
	defer w.lock.Unlock()
	assert.Zero(w.t, w.twice)
}

// forget forgets the reconciles so far.
func (w *world) forget() {
	w.lock.Lock()
	defer w.lock.Unlock()
	clear(w.times)
}

// counts returns the lowest and the highest number of reconciles.
func (w *world) counts(names []string) (least, most int) {
	w.lock.Lock()
	defer w.lock.Unlock()
	var all []int
	for _, name := range names {
		all = append(all, w.times[name])
	}
	return slices.Min(all), slices.Max(all)
}

// onServers runs a test with an API server that filters by shards, and with one that does not.
func onServers(t *testing.T, test func(t *testing.T, w *world)) {
	for name, filters := range map[string]bool{"server filters": true, "client filters": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, newWorld(t, filters)) })
		})
	}
}

// TestReplicas lets one replica do all the work, then three, and then one again.
func TestReplicas(t *testing.T) {
	onServers(t, func(t *testing.T, w *world) {
		names := numbered(200)
		w.create(names...)
		first := w.start(sharded)
		time.Sleep(20 * time.Second)
		w.complete(200, first)
		least, most := w.counts(names)
		assert.Equal(t, []int{2, 2}, []int{least, most}, "for the object, and for its ConfigMap")

		second, third := w.start(sharded), w.start(sharded)
		time.Sleep(time.Minute)
		w.complete(200, first, second, third)
		served := 0
		for _, r := range []*replica{first, second, third} {
			status := r.controllers[0].DescribeObject(cache.NewObjectName("shop", names[0]))
			if strings.HasPrefix(status.Replica, "This replica has served its bucket") {
				served++
			}
			assert.InDelta(t, 67, len(r.objects.Indexer().List()), 30, r.name)
		}
		assert.Equal(t, 1, served)
		w.forget()
		w.create("late")
		w.touch(names...)
		time.Sleep(10 * time.Second)
		w.complete(201, first, second, third)
		least, most = w.counts(names)
		assert.Equal(t, []int{1, 1}, []int{least, most}, "each object is reconciled by its replica")

		require.NoError(t, first.end())
		time.Sleep(20 * time.Second)
		w.complete(201, second, third)
		w.delete(names[:10]...)
		time.Sleep(10 * time.Second)
		w.lock.Lock()
		assert.ElementsMatch(t, names[:10], w.gone)
		w.lock.Unlock()
		require.NoError(t, third.end())
		time.Sleep(20 * time.Second)
		assert.Len(t, second.objects.Indexer().List(), 191)
		require.NoError(t, second.end())
	})
}

// touch changes objects.
func (w *world) touch(names ...string) {
	for _, name := range names {
		account, err := w.kube.CoreV1().ServiceAccounts("shop").Get(w.t.Context(), name, getOptions)
		require.NoError(w.t, err)
		metav1.SetMetaDataAnnotation(&account.ObjectMeta, "touched", time.Now().String())
		_, err = w.kube.CoreV1().ServiceAccounts("shop").Update(w.t.Context(), account, updateOptions)
		require.NoError(w.t, err)
	}
}

func (w *world) delete(names ...string) {
	for _, name := range names {
		require.NoError(w.t, w.kube.CoreV1().ServiceAccounts("shop").Delete(w.t.Context(), name, metav1.DeleteOptions{}))
	}
}

// TestReplicaIsCutOff has a replica that cannot renew its Leases. Others serve its objects, and it comes back.
func TestReplicaIsCutOff(t *testing.T) {
	onServers(t, func(t *testing.T, w *world) {
		names := numbered(50)
		w.create(names...)
		first, second := w.start(sharded), w.start(sharded)
		time.Sleep(time.Minute)
		w.complete(50, first, second)
		first.slow.Store(int64(time.Hour))
		w.touch(names...)
		time.Sleep(time.Second)
		first.to.down.Store(true)
		time.Sleep(14 * time.Second)
		first.slow.Store(0)
		time.Sleep(30 * time.Second)
		assert.Len(t, second.objects.Indexer().List(), 50)
		first.to.down.Store(false)
		time.Sleep(time.Minute)
		w.complete(50, first, second)
		require.NoError(t, first.end())
		require.NoError(t, second.end())
	})
}

// TestRollout replaces a process that leads by replicas that share, and goes back, while objects change. A process of one kind waits until
// those of the other kind have ended.
func TestRollout(t *testing.T) {
	onServers(t, func(t *testing.T, w *world) {
		names := numbered(100)
		w.create(names...)
		old := w.start()
		time.Sleep(20 * time.Second)
		w.complete(100, old)
		first, second := w.start(sharded), w.start(sharded)
		time.Sleep(time.Minute)
		assert.Empty(t, first.objects.Indexer().List(), "the leader leads")
		w.touch(names...)
		require.NoError(t, old.end())
		time.Sleep(time.Minute)
		w.complete(100, first, second)
		for _, object := range first.owned.Informer().Indexer().List() {
			assert.Contains(t, object.(*corev1.ConfigMap).Labels, "owner-bucket")
		}
		old = w.start()
		time.Sleep(time.Minute)
		w.touch(names...)
		require.NoError(t, first.end())
		time.Sleep(20 * time.Second)
		w.forget()
		w.touch(names...)
		time.Sleep(20 * time.Second)
		least, most := w.counts(names)
		assert.Equal(t, []int{1, 1}, []int{least, most}, "one replica is left")
		require.NoError(t, second.end())
		time.Sleep(20 * time.Second)
		w.complete(100, old)
		require.NoError(t, old.end())
	})
}

// TestCoordinator runs functions for the leader, and controllers without shards, in one of the replicas.
func TestCoordinator(t *testing.T) {
	onServers(t, func(t *testing.T, w *world) {
		var replicas []*replica
		var journals []*journal
		for range 3 {
			j := &journal{}
			replicas = append(replicas, w.prepare(func(r *replica) {
				require.NoError(t, r.Add(newStub(r.Manager, j, "robots")))
				r.Run("sweeper", j.runs("sweeper"), OnlyLeader())
			}, sharded))
			journals = append(journals, j)
		}
		leading := func() (n int) {
			for _, j := range journals {
				if j.has("sweeper starts") && !j.has("sweeper ends") {
					n++
				}
			}
			return n
		}
		for n, r := range replicas {
			time.Sleep(time.Minute)
			assert.Equal(t, 1, leading(), "after the end of %d replicas", n)
			require.NoError(t, r.end())
			assert.Equal(t, journals[n].has("sweeper starts"), journals[n].has("robots reconciles"))
		}
		assert.Zero(t, leading())
	})
}
