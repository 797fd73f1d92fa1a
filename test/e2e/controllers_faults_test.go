package e2e

import (
	"context"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/workloads"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// watchLag is the delay of the controller's watches during faults.
const watchLag = 2 * time.Second

// TestControllersUnderFaults writes random workloads while the server injects random faults and all watches lag, and checks that
// the controller converges. The controller uses default options. Some names of deployments are taken: these deployments stay
// untouched, and workloads get theirs once the names are free. $E2E_SEED reproduces the writes and the order of faults.
func TestControllersUnderFaults(t *testing.T) {
	t.Parallel()
	objects, lasting := 2000, time.Minute
	switch {
	case realCluster: // its controllers limit themselves to 20 requests a second
		objects, lasting = 100, 25*time.Second
	case testing.Short():
		objects, lasting = 400, 30*time.Second
	}
	seed := seedOf(t)
	c := start(t, apiservertest.Options{})
	world := startWorld(t, c)
	lag := c.Faults.Add(faults.Rule{Verbs: []string{"watch"}, Match: fromController, Do: faults.Lag(watchLag)})
	stopController := background(t, newController(t, c.Config()).Run)

	load := newLoad(c.client, seed, objects)
	load.strangers = newStrangers(world.kube)
	storm := &storm{cluster: c, random: rand.New(rand.NewPCG(seed, 0)), hits: map[string]int{}}
	stopStorm := background(t, storm.run)
	began := time.Now()
	t.Cleanup(func() {
		_ = stopStorm() // reports its own error
		t.Logf("written: %v", load.counts())
		t.Logf("faults: %v", storm.hits)
	})
	require.NoError(t, load.run(withinTime(t, lasting+2*patience), lasting))
	wrote := time.Since(began)
	require.NoError(t, stopStorm())
	lag.Remove() // for new watches
	began = time.Now()
	world.settles(t, load.wanted())
	load.strangers.check(t)
	require.NotZero(t, load.strangers.leave(t))
	world.settles(t, load.wanted())
	t.Logf("wrote for %v, and all was right after %v more", wrote.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
	for _, kind := range slices.Concat(slices.Collect(maps.Keys(rules)), slices.Collect(maps.Keys(strikes))) {
		assert.NotZero(t, storm.hits[kind], "no %s", kind)
	}
	assert.Equal(t, objects, load.counts()["created"])
	assert.NoError(t, stopController(), "the end is clean")
}

// seedOf returns the seed of a test, and logs it.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv("E2E_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err, "E2E_SEED")
	}
	t.Logf("E2E_SEED=%d", seed)
	return seed
}

// background runs a function until the test ends or until stop is called, which waits for it.
func background(t *testing.T, run func(context.Context) error) (stop func() error) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() { assert.NoError(t, stop()) })
	return stop
}

// withinTime is like within, with a longer timeout.
func withinTime(t *testing.T, limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	return ctx
}

// controllerAgent is the user agent that identifies requests of the controller; that of a process begins with it.
const controllerAgent = "fleet-operator"

// newController returns a controller of workloads with its own clients.
func newController(t *testing.T, config *rest.Config, options ...controller.Option) *fleetv1controllers.WorkloadController {
	t.Helper()
	client, kube := clientsOf(t, config)
	c, err := workloads.NewController(client, kube, &events.FakeRecorder{}, options...)
	require.NoError(t, err)
	return c
}

func fromController(_ *request.RequestInfo, r *http.Request) bool {
	return strings.HasPrefix(r.UserAgent(), controllerAgent)
}

// storm injects random faults.
type storm struct {
	cluster *cluster
	random  *rand.Rand
	hits    map[string]int // by kind
}

// gust is the duration of each fault, and of the pause after it.
const gust = 150 * time.Millisecond

var (
	writes   = []string{"create", "update", "patch", "delete"}
	requests = append([]string{"get"}, writes...)
)

// rules are the faults that hit some requests of the controller in every round.
var rules = map[string]faults.Rule{
	"409 conflict":          {Verbs: writes, Share: 0.3, Do: faults.Fail(http.StatusConflict)},
	"500 internal error":    {Verbs: requests, Share: 0.2, Do: faults.Fail(http.StatusInternalServerError)},
	"429 too many requests": {Verbs: requests, Share: 0.2, Times: 4, Do: faults.Fail(http.StatusTooManyRequests)},
	"reply lost":            {Verbs: writes, Share: 0.3, Do: faults.LoseReply()},
	"request lost":          {Verbs: requests, Share: 0.2, Do: faults.LoseRequest()},
}

// rounds is the number of rounds in which each strike happens once. Strikes are rare, because informers back off when they watch
// again, up to a minute, and reset the backoff only after two minutes.
var rounds = map[string]int{"watch dropped": 5, "connections broken": 15, "restart": 15}

// strikes are instant faults that affect all clients. They return how many connections they hit.
var strikes = map[string]func(context.Context, *storm) (int, error){
	"watch dropped": func(_ context.Context, s *storm) (int, error) {
		resources := []string{"workloads", "workloadrevisions", "deployments", "configmaps"}
		s.random.Shuffle(len(resources), func(i, j int) { resources[i], resources[j] = resources[j], resources[i] })
		for _, resource := range resources {
			if dropped := s.cluster.Faults.DropWatches(resource); dropped > 0 {
				return dropped, nil
			}
		}
		return 0, nil // after a restart, there may be no watches yet
	},
	"connections broken": func(_ context.Context, s *storm) (int, error) {
		s.cluster.Sever()
		return 1, nil
	},
	"restart": func(ctx context.Context, s *storm) (int, error) {
		return 1, s.cluster.Restart(context.WithoutCancel(ctx))
	},
}

// run injects faults until the context ends, in rounds with random order.
func (s *storm) run(ctx context.Context) error {
	ticker := time.NewTicker(gust)
	defer ticker.Stop()
	for round := 1; ; round++ {
		kinds := slices.Sorted(maps.Keys(rules))
		for i, kind := range slices.Sorted(maps.Keys(strikes)) {
			if round%rounds[kind] == i+1 {
				kinds = append(kinds, kind)
			}
		}
		s.random.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		for _, kind := range kinds {
			if ended, err := s.blow(ctx, kind, ticker.C); ended || err != nil {
				return err
			}
		}
	}
}

// blow injects one kind of fault until the next tick, and none until the one after that. It returns true when the context has
// ended.
func (s *storm) blow(ctx context.Context, kind string, next <-chan time.Time) (bool, error) {
	if strike, ok := strikes[kind]; ok {
		hits, err := strike(ctx, s)
		s.hits[kind] += hits
		if err != nil {
			return false, err
		}
		return tick(ctx, next), nil
	}
	rule := rules[kind]
	rule.Match = fromController
	fault := s.cluster.Faults.Add(rule)
	ended := tick(ctx, next)
	fault.Remove()
	s.hits[kind] += fault.Hits()
	return ended || tick(ctx, next), nil
}

// tick waits for the next tick. It returns true when the context has ended.
func tick(ctx context.Context, next <-chan time.Time) bool {
	select {
	case <-ctx.Done():
		return true
	case <-next:
		return false
	}
}
