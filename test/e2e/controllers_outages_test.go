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
	lasting := lastingOf(t, 0, 5*time.Minute)
	if lasting == 0 {
		t.Skip("TestControllersUnderEverything has outages, too")
	}
	c := start(t, apiservertest.Options{})
	world := startWorld(t, c)
	p := newPair(t, c, world)
	seed := seedOf(t)
	load := newLoad(c.client, seed, max(100, int(lasting/time.Second)))
	stop := background(t, func(ctx context.Context) error { return p.suffer(ctx, seed) })
	require.NoError(t, load.run(withinTime(t, 2*lasting+2*patience), lasting))
	require.NoError(t, stop())
	world.settles(t, load.wanted())
	t.Logf("written: %v, outages: %v, writes of both: %d, losses of the lease: %d", load.counts(), p.outages, len(p.writes), p.count(deposed))
	require.Positive(t, p.count(deposed))
	p.end(t)
}

// pair is two processes of the operator, each with a link of its own.
type pair struct {
	teams []*team
	links []*link
	// lives are the processes with each link, one after the other. Only the last one runs.
	lives [2][]*candidate
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

// holder is who has had the lease since a time at which the lease of the one before had expired, or was released.
type holder struct {
	from     time.Time
	identity string
}

func newPair(t *testing.T, c *cluster, world *world, options ...string) *pair {
	t.Helper()
	p := &pair{outages: map[string]int{}}
	c.Faults.Add(faults.Rule{Verbs: writes, Match: p.note, Do: faults.Delay(0)})
	p.watchLease(t, world.kube)
	built := newTeam(t, "", options...)
	for i := range 2 {
		p.links = append(p.links, newLink(t, c.Config()))
		own := *built
		own.kubeconfig = p.links[i].kubeconfig(t, c.Config())
		p.teams = append(p.teams, &own)
		p.launch(t, i).wait(t, isReady)
	}
	return p
}

// launch starts the next process with a link.
func (p *pair) launch(t *testing.T, i int) *candidate {
	t.Helper()
	c := p.teams[i].launch(t, fmt.Sprintf("member %d, life %d", i, len(p.lives[i])))
	p.lives[i] = append(p.lives[i], c)
	return c
}

// members returns all processes.
func (p *pair) members() []*candidate { return slices.Concat(p.lives[0], p.lives[1]) }

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
			p.holders = append(p.holders, holder{lease.Spec.AcquireTime.Time, identity})
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

// count returns how often the processes have said something.
func (p *pair) count(message string) (n int) {
	for _, c := range p.members() {
		n += len(c.lines(message))
	}
	return n
}

// end ends the processes that have not been killed, and which must run, and checks what all of them wrote.
func (p *pair) end(t *testing.T) {
	t.Helper()
	last := []*candidate{p.lives[0][len(p.lives[0])-1], p.lives[1][len(p.lives[1])-1]}
	for _, c := range last {
		select {
		case <-c.ended:
			assert.Fail(t, "ended", "%s: %v", c.name, c.command.ProcessState)
		default:
		}
	}
	var worked []*candidate
	for _, c := range p.members() {
		if len(c.lines(reconciled)) > 0 {
			worked = append(worked, c)
		}
	}
	checkAlone(t, nil, time.Time{}, worked...)
	for _, c := range last {
		c.signal(t, syscall.SIGTERM)
		code, _ := c.end(t)
		assert.Zero(t, code, c.name)
	}
	var identities [2][]string
	for i, lives := range p.lives {
		for _, c := range lives {
			for _, l := range c.lines(competes) {
				identities[i] = append(identities[i], l.Identity)
			}
		}
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	require.NotEmpty(t, p.writes)
	for _, w := range p.writes {
		at, known := slices.BinarySearchFunc(p.holders, w.at, func(h holder, at time.Time) int { return h.from.Compare(at) })
		if !known {
			at--
		}
		if at < 0 || p.holders[at].identity == "" {
			continue
		}
		assert.Contains(t, identities[w.by], p.holders[at].identity, "member %d at %v: %s", w.by, w.at, w.what)
	}
}
