package e2e

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// pausedBy is the annotation that pauses objects of the operator.
const pausedBy = "fleet.example.com/paused"

// TestControllersUnderEverything has two processes of the operator live through outages and kills, while objects are paused for a while, a
// namespace has ten times as many changes as all others, and a definition lacks a field until half of the time is over. Nothing is lost,
// doubled or stuck, and nothing is written without the lease.
func TestControllersUnderEverything(t *testing.T) {
	if realCluster {
		t.Skip("the writes of processes are observed in the server")
	}
	lasting := lastingOf(t, time.Minute, 10*time.Minute)
	c := start(t, apiservertest.Options{})
	world := startWorld(t, c)
	upgrade := downgrade(t, c, map[string]string{"workloads.fleet.example.com": "secretName"})
	p := newPair(t, c, world, fmt.Sprintf("manager.WithPause(%q)", pausedBy))
	seed := seedOf(t)
	load := newLoad(c.client, seed, max(100, int(lasting/time.Second)))
	noise := newWriter(c.client, seed, len(load.writers)+1, 0)
	noise.namespaces = []string{"noisy"}
	pauser := &pauser{world: world, random: rand.New(rand.NewPCG(seed, 3))}

	stopOutages := background(t, func(ctx context.Context) error { return p.suffer(ctx, seed) })
	stopNoise := background(t, noise.scream)
	stopPausing := background(t, pauser.run)
	writing, written := context.WithCancelCause(withinTime(t, 2*lasting+2*patience))
	defer written(nil)
	go func() { written(load.run(writing, lasting)) }()
	half, cancel := context.WithTimeout(writing, lasting/2)
	defer cancel()
	killed := p.dieInTurns(half, t, seed)
	upgrade()
	killed += p.dieInTurns(writing, t, seed+1)
	require.ErrorIs(t, context.Cause(writing), context.Canceled)
	require.NoError(t, stopPausing())
	require.NoError(t, stopNoise())
	require.NoError(t, stopOutages())

	wanted := load.wanted()
	maps.Copy(wanted, noise.wishes)
	world.settles(t, wanted)
	for i := range p.lives {
		_, text := p.lives[i][len(p.lives[i])-1].get(t, "/readyz?verbose")
		require.NotContains(t, text, "lacks")
	}
	t.Logf("written: %v, noise: %v, paused: %d, outages: %v, killed: %d, losses of the lease: %d, "+
		"warnings of the definition: %d",
		load.counts(), noise.counts, pauser.paused, p.outages, killed, p.count(deposed), p.count(lacksFields))
	require.Positive(t, killed)
	require.Positive(t, pauser.paused)
	p.end(t)
}

// lacksFields is what processes say of the definition once they have seen it twice, a minute apart. Some are killed before that.
const lacksFields = "Warning: the definition in the cluster is older than this program and lacks fields: " +
	"the API server removes them from what is written. Upgrade the definition"

// scream writes again and again, until ctx is done.
func (w *writer) scream(ctx context.Context) error {
	for !pause(ctx, 10*time.Millisecond) {
		step := w.update
		if len(w.alive) < 50 {
			step = w.create
		}
		if err := step(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// dieInTurns kills one of the processes at times, and starts another one, until ctx is done. It returns the number of those that were killed.
func (p *pair) dieInTurns(ctx context.Context, t *testing.T, seed uint64) (killed int) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 4))
	for !pause(ctx, lifetime+time.Duration(random.Int64N(int64(3*leaseDuration)))) {
		i := random.IntN(2)
		last := p.lives[i][len(p.lives[i])-1]
		last.signal(t, syscall.SIGKILL)
		<-last.ended
		p.launch(t, i)
		killed++
	}
	return killed
}

// pauser pauses one workload after the other.
type pauser struct {
	world  *world
	random *rand.Rand
	paused int
}

// run pauses workloads until ctx is done, and lets all go on.
func (p *pauser) run(ctx context.Context) error {
	after := context.WithoutCancel(ctx)
	for ended := false; !ended; {
		all, err := p.world.client.FleetV1().Workloads("").List(after, metav1.ListOptions{})
		if err != nil {
			return err
		}
		if len(all.Items) == 0 {
			ended = pause(ctx, time.Second)
			continue
		}
		one := &all.Items[p.random.IntN(len(all.Items))]
		if err := p.annotate(after, one, `"true"`); err != nil {
			return err
		}
		p.paused++
		ended = pause(ctx, time.Duration(p.random.Int64N(int64(3*time.Second))))
		if err := p.annotate(after, one, `null`); err != nil {
			return err
		}
	}
	return nil
}

// annotate sets or removes the annotation, unless the workload is gone. A workload that has its name since then may get the annotation for a
// moment.
func (p *pauser) annotate(ctx context.Context, one *fleetv1.Workload, value string) error {
	patch := fmt.Sprintf(`{"metadata": {"annotations": {%q: %s}}}`, pausedBy, value)
	_, err := p.world.client.FleetV1().Workloads(one.Namespace).Patch(ctx, one.Name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
