package e2e

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
)

// sharding lets candidates share the workloads, with the default durations of Leases.
func sharding(t *testing.T, kubeconfig string) *team {
	m := newTeam(t, kubeconfig)
	m.options = []string{"--kube-api-qps=-1", "--workers=4", "--shards=8"}
	return m
}

// takesOver is what a process says for each part that it gets.
const takesOver = "Taking over buckets"

// TestReplicasUnderKills runs three processes that share the workloads. They are killed, frozen and ended again and again, and replaced,
// under the faults of TestControllersUnderFaults. Nothing may be lost or doubled, and no two of them may reconcile an object at once.
func TestReplicasUnderKills(t *testing.T) {
	t.Parallel()
	objects, lasting := 5000, 5*time.Minute
	if testing.Short() {
		objects, lasting = 200, time.Minute
	}
	t.Run("client filters", func(t *testing.T) {
		t.Parallel()
		c := start(t, apiservertest.Options{})
		storm := &storm{cluster: c, random: rand.New(rand.NewPCG(seedOf(t), 0)), hits: map[string]int{}}
		lag := c.Faults.Add(faults.Rule{Verbs: []string{"watch"}, Match: fromController, Do: faults.Lag(watchLag)})
		stopStorm := background(t, storm.run)
		shareUnderKills(t, startWorld(t, c), c.Kubeconfig(), objects, lasting, func() {
			require.NoError(t, stopStorm())
			lag.Remove() // for new watches
		})
		t.Logf("faults: %v", storm.hits)
	})
	t.Run("server filters", func(t *testing.T) {
		t.Parallel()
		process, err := apiservertest.StartProcess(t.Context(), apiservertest.Options{
			Dir: t.TempDir(), CRDPaths: []string{crdDir}, AnyNamespace: true, ReadyDeployments: true,
			FeatureGates: map[string]bool{"ShardedListAndWatch": true},
		})
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, process.Terminate()) })
		client, _ := connect(t, process.Config())
		kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
		require.NoError(t, apiservertest.WriteKubeconfig(process.Config(), kubeconfig))
		shareUnderKills(t, worldOf(t, process.Config(), client), kubeconfig, objects, lasting, func() {})
	})
}

// shareUnderKills writes objects for a time, while replicas come and go. The function calm ends all faults.
func shareUnderKills(t *testing.T, world *world, kubeconfig string, objects int, lasting time.Duration, calm func()) {
	t.Helper()
	seed := seedOf(t)
	load := newLoad(world.client, seed, objects)
	load.strangers = newStrangers(world.kube)
	r := &replicas{team: sharding(t, kubeconfig), random: rand.New(rand.NewPCG(seed, 1))}
	writing, written := context.WithCancelCause(withinTime(t, lasting+2*patience))
	defer written(nil)
	go func() { written(load.run(writing, lasting)) }()
	r.comeAndGo(writing, t)
	require.ErrorIs(t, context.Cause(writing), context.Canceled)
	calm()
	world.settles(t, load.wanted())
	load.strangers.check(t)
	r.checkAlone(t)
	r.checkAll(t)
	t.Logf("written: %v, ends: %v", load.counts(), r.ends)
}

// replicas are three processes at a time.
type replicas struct {
	team    *team
	random  *rand.Rand
	all     []*candidate
	running []*candidate
	// frozen are processes that have stood still: their reconciles seem to last until they go on.
	frozen map[*candidate]bool
	ends   map[string]int
}

// comeAndGo ends a process and starts another one, until ctx is done.
func (r *replicas) comeAndGo(ctx context.Context, t *testing.T) {
	r.frozen, r.ends = map[*candidate]bool{}, map[string]int{}
	for ctx.Err() == nil {
		for len(r.running) < 3 {
			c := r.team.launch(t, "replica "+strconv.Itoa(len(r.all)))
			r.all, r.running = append(r.all, c), append(r.running, c)
		}
		if !r.pause(ctx, lifetime+time.Duration(r.random.IntN(10))*time.Second) {
			return
		}
		victim := r.running[r.random.IntN(len(r.running))]
		switch way := r.random.IntN(4); way {
		case 0:
			r.end(t, "frozen", victim, syscall.SIGSTOP)
			r.pause(ctx, time.Duration(10+r.random.IntN(20))*time.Second)
			victim.signal(t, syscall.SIGCONT)
		case 1:
			r.end(t, "ended", victim, syscall.SIGTERM)
		default:
			r.end(t, "killed", victim, syscall.SIGKILL)
		}
	}
}

// end sends a signal to a process. A process that is frozen goes on later, as one of three.
func (r *replicas) end(t *testing.T, how string, c *candidate, signal syscall.Signal) {
	r.ends[how]++
	c.signal(t, signal)
	if signal == syscall.SIGSTOP {
		r.frozen[c] = true
		return
	}
	r.running = slices.DeleteFunc(r.running, func(other *candidate) bool { return other == c })
}

// pause waits, and reports whether ctx lasts.
func (r *replicas) pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// checkAlone checks that no two processes have reconciled an object at once. The log of a process that is killed has no line for what it did
// last, and time stands still for processes that are frozen.
func (r *replicas) checkAlone(t *testing.T) {
	t.Helper()
	type passage struct {
		by           *candidate
		begin, until time.Time
	}
	of := map[types.UID][]passage{}
	for _, c := range r.all {
		if r.frozen[c] {
			continue
		}
		for _, l := range c.lines(reconciled) {
			if l.UID != "" { // otherwise it belongs to a controller without shards, or reports a deletion
				of[l.UID] = append(of[l.UID], passage{c, l.At.Add(-l.Took), l.At})
			}
		}
	}
	require.NotEmpty(t, of)
	together := 0
	for uid, all := range of {
		slices.SortFunc(all, func(a, b passage) int { return a.begin.Compare(b.begin) })
		for n := 1; n < len(all); n++ {
			if before := all[n-1]; before.by != all[n].by && all[n].begin.Add(time.Millisecond).Before(before.until) {
				together++
				t.Logf("%s was reconciled by %s until %v, and by %s from %v", uid, before.by.name, before.until, all[n].by.name, all[n].begin)
			}
		}
	}
	assert.Zero(t, together)
}

// checkAll checks that all processes that run serve something.
func (r *replicas) checkAll(t *testing.T) {
	t.Helper()
	for _, c := range r.running {
		assert.NotEmpty(t, c.lines(takesOver), c.name)
	}
}

// TestRollouts replaces processes that lead by processes that share, one after the other, and goes back, while objects are written. Nothing
// may be lost or doubled.
func TestRollouts(t *testing.T) {
	t.Parallel()
	objects, lasting := 2000, 3*time.Minute
	if testing.Short() {
		objects, lasting = 100, time.Minute
	}
	c := start(t, apiservertest.Options{})
	world := startWorld(t, c)
	load := newLoad(c.client, seedOf(t), objects)
	load.strangers = newStrangers(world.kube)
	r := &replicas{team: sharding(t, c.Kubeconfig())}
	alone := &team{binary: r.team.binary, kubeconfig: r.team.kubeconfig, options: []string{"--kube-api-qps=-1", "--workers=4"}}
	writing, written := context.WithCancelCause(withinTime(t, lasting+2*patience))
	defer written(nil)
	go func() { written(load.run(writing, lasting)) }()
	before := []*candidate{alone.join(t, "alone 0"), alone.join(t, "alone 1")}
	for _, kind := range []struct {
		name string
		team *team
	}{{"sharing", r.team}, {"alone again", alone}, {"sharing again", r.team}} {
		var after []*candidate
		for n := range 2 {
			r.pause(writing, lasting/20)
			after = append(after, kind.team.join(t, kind.name+" "+strconv.Itoa(n)))
			before[n].signal(t, syscall.SIGTERM)
			code, _ := before[n].end(t)
			assert.Zero(t, code, before[n].name)
		}
		eventually(t, func() bool {
			return slices.ContainsFunc(after, func(c *candidate) bool { return len(c.lines(leads)) > 0 })
		}, "nobody goes on after "+kind.name)
		r.all, before = append(r.all, after...), after
	}
	<-writing.Done()
	require.ErrorIs(t, context.Cause(writing), context.Canceled)
	world.settles(t, load.wanted())
	load.strangers.check(t)
	r.running = before
	r.checkAll(t)
	r.checkAlone(t)
}
