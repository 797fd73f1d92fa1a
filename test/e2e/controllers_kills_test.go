package e2e

import (
	"context"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
)

// TestControllersUnderKills runs the command of the workload controller as processes that are killed again and again, under the faults of
// TestControllersUnderFaults, and next to it reconcilers that desire right and wrong sets of objects, whose writes must end. Then the server
// goes back to a backup, while the controller has seen what came later. Nothing may be lost or doubled, and names that others hold stay theirs.
func TestControllersUnderKills(t *testing.T) {
	t.Parallel()
	if realCluster {
		t.Skip("the data of a separate process cannot be replaced")
	}
	objects, lasting := 5000, 2*time.Minute
	if testing.Short() {
		objects, lasting = 200, 20*time.Second
	}
	seed := seedOf(t)
	c := start(t, apiservertest.Options{})
	world := startWorld(t, c)
	lag := c.Faults.Add(faults.Rule{Verbs: []string{"watch"}, Match: fromController, Do: faults.Lag(watchLag)})
	team := newTeam(t, c.Kubeconfig())

	owners := newOwners(t, world.kube, c.Config())
	load := newLoad(c.client, seed, objects)
	load.strangers = newStrangers(world.kube)
	storm := &storm{cluster: c, random: rand.New(rand.NewPCG(seed, 0)), hits: map[string]int{}}
	stopStorm := background(t, storm.run)
	writing, written := context.WithCancelCause(withinTime(t, lasting+2*patience))
	defer written(nil)
	go func() { written(load.run(writing, lasting)) }()
	stopOwners := background(t, owners.live(lifetime))
	endured := make(chan error, 1)
	go func() { endured <- owners.endure(writing, seed) }()
	killed, survivor := team.dieAgainAndAgain(writing, t)
	require.ErrorIs(t, context.Cause(writing), context.Canceled)
	require.NoError(t, <-endured)
	require.NoError(t, stopOwners())
	require.NoError(t, stopStorm())
	require.Positive(t, killed)
	lag.Remove() // for new watches
	stopOwners = background(t, owners.live(patience))
	owners.rest(t)
	require.NoError(t, stopOwners())
	owners.leave(t)
	world.settles(t, load.wanted())
	load.strangers.check(t)
	t.Logf("written: %v, faults: %v", load.counts(), storm.hits)

	backup := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, c.Backup(t.Context(), backup))
	later := newLoad(c.client, seed, objects/4)
	for _, w := range later.writers {
		w.id += len(load.writers)
	}
	require.NoError(t, later.run(withinTime(t, patience), time.Second))
	both := load.wanted()
	maps.Copy(both, later.wanted())
	world.settles(t, both)
	require.NoError(t, c.Restore(t.Context(), backup))
	world.settles(t, load.wanted())

	// Watches that began before a restore do not get events until the server has caught up with their version. So controllers are
	// restarted, as Kubernetes recommends.
	survivor.signal(t, syscall.SIGKILL)
	<-survivor.ended
	team.join(t, "after the restore")
	load.strangers.check(t)
	require.NotZero(t, load.strangers.leave(t))
	world.settles(t, load.wanted())
}

// lifetime is about how long a process lives, from the time when it leads.
const lifetime = 4 * time.Second

// dieAgainAndAgain runs the controller until ctx is done, kills it at times, and starts another one. It returns the number of those that
// were killed, and the last one, which goes on.
func (m *team) dieAgainAndAgain(ctx context.Context, t *testing.T) (killed int, last *candidate) {
	for {
		c := m.launch(t, "life "+strconv.Itoa(killed))
		if _, err := c.first(ctx, leads); err != nil {
			return killed, c
		}
		select {
		case <-ctx.Done():
			return killed, c
		case <-time.After(lifetime):
		}
		c.signal(t, syscall.SIGKILL)
		<-c.ended
		killed++
	}
}
