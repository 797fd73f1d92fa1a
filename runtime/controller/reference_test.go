package controller

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

// referring is a controller of workloads that refer to the ConfigMaps in their arguments, in their namespace or in that before a slash.
type referring struct {
	client  *fake.Clientset
	server  *informertest.Server
	control *Controller[*fleetv1.Workload]
	configs *Referred[*fleetv1.Workload, *corev1.ConfigMap]
	tally   tally

	lock sync.Mutex
	// seen is what the last reconcile of each workload saw.
	seen map[string]string
	runs int
}

func configsOf(w *fleetv1.Workload) (names []cache.ObjectName) {
	for _, arg := range w.Spec.Template.Args {
		namespace, name, found := strings.Cut(arg, "/")
		if !found {
			namespace, name = w.Namespace, arg
		}
		names = append(names, cache.NewObjectName(namespace, name))
	}
	return names
}

func newReferring(t *testing.T, mode WatchMode, options ...Option) *referring {
	t.Helper()
	r := &referring{client: fake.NewSimpleClientset(), server: informertest.NewServer(), seen: map[string]string{}}
	var err error
	options = append(options, WithMetrics(&r.tally))
	r.control, err = New(workloadSource(r.client), r, options...)
	require.NoError(t, err)
	r.configs, err = Refer(r.control, informer.Namespaced(r.server, informertest.Resource, r.server.ConfigMaps), mode, configsOf)
	require.NoError(t, err)
	return r
}

// run runs the controller until the function that it returns is called.
func (r *referring) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), klog.Logger{}))
	done := make(chan error)
	go func() { done <- r.control.Run(ctx) }()
	synctest.Wait()
	return func() {
		cancel()
		require.NoError(t, <-done)
	}
}

func (r *referring) Reconcile(ctx context.Context, w *fleetv1.Workload) (Result, error) {
	all, err := r.configs.All(ctx, w)
	var seen []string
	for _, config := range all {
		seen = append(seen, config.Namespace+"/"+config.Name+"="+config.Labels["v"])
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.runs++
	r.seen[w.Name] = strings.Join(seen, " ")
	return Result{}, err
}

func (r *referring) ReconcileDeleted(_ context.Context, name cache.ObjectName) error {
	r.lock.Lock()
	defer r.lock.Unlock()
	delete(r.seen, name.Name)
	return nil
}

// saw returns what the last reconciles saw, once all goroutines of the bubble are idle.
func (r *referring) saw() map[string]string {
	synctest.Wait()
	r.lock.Lock()
	defer r.lock.Unlock()
	return maps.Clone(r.seen)
}

func (r *referring) reconciles() int {
	synctest.Wait()
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.runs
}

func (r *referring) refer(t *testing.T, name string, args ...string) {
	t.Helper()
	object := workload("shop", name, nil)
	object.Spec.Template.Args = args
	workloads := r.client.FleetV1().Workloads("shop")
	_, err := workloads.Update(t.Context(), object, metav1.UpdateOptions{})
	if IsNotFound(err) {
		_, err = workloads.Create(t.Context(), object, metav1.CreateOptions{})
	}
	require.NoError(t, err)
}

// config returns a ConfigMap with a value.
func config(namespace, name, value string) *corev1.ConfigMap {
	object := informertest.ConfigMap(namespace, name)
	object.Labels = map[string]string{"v": value}
	return object
}

var watchModes = map[string]WatchMode{"cached": Cached, "metadata": Metadata, "named": Named}

func TestRefer(t *testing.T) {
	for name, mode := range watchModes {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newReferring(t, mode)
				r.refer(t, "web", "a", "b", "a")
				stop := r.run(t)
				defer stop()
				assert.Equal(t, map[string]string{"web": ""}, r.saw())
				assert.Equal(t, []string{"workloads.fleet.example.com waiting 0s"}, r.tally.take(), "no failure")
				r.server.Create(config("shop", "b", "1"))
				assert.Equal(t, map[string]string{"web": "shop/b=1"}, r.saw())
				r.server.Create(config("shop", "a", "2"))
				assert.Equal(t, map[string]string{"web": "shop/a=2 shop/b=1"}, r.saw())
				runs := r.reconciles()
				r.server.Create(config("shop", "c", "3"))
				r.server.Create(config("blog", "a", "3"))
				assert.Equal(t, runs, r.reconciles(), "nothing refers to them")
				back, err := r.configs.By(config("shop", "a", ""))
				require.NoError(t, err)
				assert.Len(t, back, 1)
				r.refer(t, "web", "blog/a")
				assert.Equal(t, map[string]string{"web": "blog/a=3"}, r.saw())
				runs = r.reconciles()
				r.server.Delete("shop", "a")
				assert.Equal(t, runs, r.reconciles(), "nothing refers to it any more")
				r.server.Delete("blog", "a")
				assert.Equal(t, map[string]string{"web": ""}, r.saw())

				runs = r.reconciles()
				time.Sleep(waitingRecheck)
				assert.Equal(t, runs+1, r.reconciles(), "it looks again")
				one, err := r.configs.One(t.Context(), workload("shop", "none", nil))
				require.NoError(t, err)
				assert.Nil(t, one)
			})
		})
	}
}

// TestReferAgain runs a controller after another one of its name has ended, on the same informers.
func TestReferAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		factory := informer.NewFactory()
		defer factory.Shutdown()
		first := newReferring(t, Cached, WithFactory(factory))
		second := newReferring(t, Cached, WithFactory(factory))
		indexes := len(second.control.Informer().Indexer().GetIndexers())
		first.refer(t, "web", "a")
		first.server.Create(config("shop", "a", "1"))
		for _, r := range []*referring{first, second} {
			stop := r.run(t)
			assert.Equal(t, map[string]string{"web": "shop/a=1"}, r.saw())
			back, err := r.configs.By(config("shop", "a", ""))
			require.NoError(t, err)
			assert.Len(t, back, 1)
			stop()
			assert.Len(t, r.control.Informer().Indexer().GetIndexers(), indexes, "no index is left behind")
		}
	})
}

// TestReferInNamespaces refers to what is not watched.
func TestReferInNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReferring(t, Metadata, WithInformers(informer.WithNamespaces("shop")))
		r.refer(t, "web", "blog/a")
		defer r.run(t)()
		assert.Equal(t, []string{"workloads.fleet.example.com gave up, terminal: true", "workloads.fleet.example.com gave_up 0s"}, r.tally.take())
	})
}

// histories is how many random histories TestReferHistories tries, for each watch mode.
func histories(t *testing.T) int {
	t.Helper()
	count, err := strconv.Atoi(os.Getenv("HISTORIES"))
	if err != nil {
		return 100
	}
	return count
}

// TestReferHistories changes objects and references at random and at times that overlap with reconciles. Finally, the last reconcile of
// each object must have seen what exists.
func TestReferHistories(t *testing.T) {
	for name, mode := range watchModes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(histories(t)) {
				synctest.Test(t, func(t *testing.T) { history(t, mode, seed) })
				if t.Failed() {
					require.FailNow(t, "failed", "seed %d", seed)
				}
			}
		})
	}
}

func history(t *testing.T, mode WatchMode, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	r := newReferring(t, mode, WithWorkers(1+random.IntN(3)))
	refers, exists := map[string][]string{}, map[string]string{}
	names := []string{"shop/a", "shop/b", "blog/a"}
	change := func() {
		web := []string{"web", "db", "cache"}[random.IntN(3)]
		target := names[random.IntN(len(names))]
		namespace, name, _ := strings.Cut(target, "/")
		switch kind := random.IntN(6); {
		case kind < 2:
			random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			refers[web] = slices.Clone(names[:random.IntN(len(names)+1)])
			r.refer(t, web, refers[web]...)
		case kind == 2 && refers[web] != nil:
			require.NoError(t, r.client.FleetV1().Workloads("shop").Delete(t.Context(), web, metav1.DeleteOptions{}))
			delete(refers, web)
		case exists[target] == "":
			exists[target] = strconv.Itoa(random.IntN(1000))
			r.server.Create(config(namespace, name, exists[target]))
		case kind == 3:
			delete(exists, target)
			r.server.Delete(namespace, name)
		default:
			exists[target] = strconv.Itoa(random.IntN(1000))
			r.server.Create(config(namespace, name, exists[target]))
		}
		if random.IntN(3) == 0 {
			synctest.Wait()
		}
	}
	for range random.IntN(5) {
		change()
	}
	stop := r.run(t)
	for range 20 {
		change()
	}
	synctest.Wait()
	want, watched := map[string]string{}, map[string]bool{}
	for web, configs := range refers {
		var all []string
		for _, config := range configs {
			watched[config] = true
			if exists[config] != "" {
				all = append(all, config+"="+exists[config])
			}
		}
		want[web] = strings.Join(all, " ")
	}
	assert.Equal(t, want, r.saw())
	if mode == Named {
		assert.Equal(t, len(watched), r.server.Watches(), "%v", slices.Collect(maps.Keys(watched)))
	}
	stop()
	synctest.Wait() // a watch of metadata ends in the background
	assert.Zero(t, r.server.Watches())
}
