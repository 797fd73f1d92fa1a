package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// lastingOf returns how long a test goes on: short in e2e, usual in soak, or what the environment says.
func lastingOf(t *testing.T, short, usual time.Duration) time.Duration {
	t.Helper()
	if text := os.Getenv("E2E_LASTING"); text != "" {
		lasting, err := time.ParseDuration(text)
		require.NoError(t, err, "E2E_LASTING")
		return lasting
	}
	if testing.Short() {
		return short
	}
	return usual
}

// TestControllersUnderOutages runs two processes of the operator, whose ways to the API server are cut or hang at random, of one or of both.
// No process ends, none writes without the lease, and nothing is lost or doubled.
func TestControllersUnderOutages(t *testing.T) {
	if realCluster {
		t.Skip("the writes of processes are observed in the server")
	}
	lasting := lastingOf(t, 40*time.Second, 5*time.Minute)
	c := start(t, apiservertest.Options{})
	world := startWorld(t, c)
	p := newPair(t, c, world)
	seed := seedOf(t)
	load := newLoad(c.client, seed, max(100, int(lasting/time.Second)))
	stop := background(t, func(ctx context.Context) error { return p.suffer(ctx, seed) })
	require.NoError(t, load.run(withinTime(t, lasting+2*patience), lasting))
	require.NoError(t, stop())
	world.settles(t, load.wanted())
	t.Logf("written: %v, outages: %v, writes of both: %d, losses of the lease: %d", load.counts(), p.outages, len(p.writes), p.losses())
	require.Positive(t, p.losses())
	p.end(t)
}

// pair is two processes of the operator, each with a link of its own.
type pair struct {
	links   []*link
	members []*candidate
	// outages counts outages by their kind.
	outages map[string]int

	lock sync.Mutex
	// writes are those of both processes, and holders who had the lease, in order.
	writes  []written
	holders []holder
}

// written is a write, by the number of the process.
type written struct {
	at   time.Time
	by   int
	what string
}

// holder is who has had the lease from a time on, as the server said it then or soon after that.
type holder struct {
	from     time.Time
	identity string
}

func newPair(t *testing.T, c *cluster, world *world) *pair {
	t.Helper()
	p := &pair{outages: map[string]int{}}
	c.Faults.Add(faults.Rule{Verbs: writes, Match: p.note, Do: faults.Delay(0)})
	p.watchLease(t, world.kube)
	team := newTeam(t, "")
	for i := range 2 {
		l := newLink(t, c.Config())
		p.links = append(p.links, l)
		team.kubeconfig = l.kubeconfig(t, c.Config())
		p.members = append(p.members, team.join(t, fmt.Sprintf("member %d", i)))
	}
	return p
}

// note notes a write of one of the processes, but for leases.
func (p *pair) note(info *request.RequestInfo, r *http.Request) bool {
	if info.Resource == "leases" || info.Resource == "events" {
		return false
	}
	for i, l := range p.links {
		if l.has(r.RemoteAddr) {
			p.lock.Lock()
			defer p.lock.Unlock()
			p.writes = append(p.writes, written{time.Now(), i, info.Verb + " " + info.Path})
		}
	}
	return false
}

// watchLease notes who has the lease.
func (p *pair) watchLease(t *testing.T, kube kubernetes.Interface) {
	t.Helper()
	factory := informer.NewFactory()
	leases := informer.For(factory, informer.Namespaced(kube, coordinationv1.SchemeGroupVersion.WithResource("leases"), kube.CoordinationV1().Leases))
	saw := func(lease *coordinationv1.Lease) {
		identity := ptr.Deref(lease.Spec.HolderIdentity, "")
		p.lock.Lock()
		defer p.lock.Unlock()
		if lease.Name == program && (len(p.holders) == 0 || p.holders[len(p.holders)-1].identity != identity) {
			p.holders = append(p.holders, holder{time.Now(), identity})
		}
	}
	_, err := leases.AddHandler(informer.HandlerFuncs[*coordinationv1.Lease]{
		Added:   func(lease *coordinationv1.Lease, _ bool) { saw(lease) },
		Updated: func(_, lease *coordinationv1.Lease) { saw(lease) },
	})
	require.NoError(t, err)
	factory.StartWithContext(t.Context())
	t.Cleanup(factory.Shutdown)
}

// suffer has one outage after the other until ctx is done, and mends everything at the end.
func (p *pair) suffer(ctx context.Context, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, 2))
	defer p.set([]int{0, 1}, false, false)
	for {
		who, kind := []int{0, 1}, "of both"
		if n := random.IntN(3); n < 2 {
			who, kind = []int{n}, "of one"
		}
		hangs := random.IntN(2) == 0
		if p.set(who, !hangs, hangs); hangs {
			kind += ", hanging"
		}
		p.outages[kind]++
		if pause(ctx, time.Second+time.Duration(random.Int64N(int64(2*leaseDuration)))) {
			return nil
		}
		p.set(who, false, false)
		if pause(ctx, time.Second+time.Duration(random.Int64N(int64(leaseDuration)))) {
			return nil
		}
	}
}

func (p *pair) set(who []int, cut, hangs bool) {
	for _, i := range who {
		p.links[i].set(cut, hangs)
	}
}

// pause waits, and returns true when the context has ended.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return false
	case <-ctx.Done():
		return true
	}
}

// losses returns how often the processes have lost the lease.
func (p *pair) losses() (n int) {
	for _, c := range p.members {
		n += len(c.lines(deposed))
	}
	return n
}

// end ends the processes, which must still run, and checks what they wrote.
func (p *pair) end(t *testing.T) {
	t.Helper()
	for _, c := range p.members {
		select {
		case <-c.ended:
			assert.Fail(t, "ended", "%s: %v", c.name, c.command.ProcessState)
		default:
		}
	}
	checkAlone(t, nil, time.Time{}, p.members...)
	for _, c := range p.members {
		c.signal(t, syscall.SIGTERM)
		code, _ := c.end(t)
		assert.Zero(t, code, c.name)
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	require.NotEmpty(t, p.writes)
	for _, w := range p.writes {
		// A watch may say a little later who has the lease, but never earlier.
		last, known := slices.BinarySearchFunc(p.holders, w.at, func(h holder, at time.Time) int { return h.from.Compare(at) })
		if !known {
			last--
		}
		if last < 0 || p.holders[last].identity == "" {
			continue
		}
		assert.Contains(t, p.members[w.by].identities(), p.holders[last].identity, "%s at %v: %s", p.members[w.by].name, w.at, w.what)
	}
}

// identities are what the process was called in its lease.
func (c *candidate) identities() (all []string) {
	for _, l := range c.lines(competes) {
		all = append(all, l.Identity)
	}
	return all
}
