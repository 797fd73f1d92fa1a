package member

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const robots = "robots"

// timing is what managers use by default.
var timing = shards.Timing{Lease: 15 * time.Second, Renew: 2 * time.Second, Write: 5 * time.Second, Settle: 10 * time.Second}

// cluster is an API server with processes, which record what they serve.
type cluster struct {
	t    *testing.T
	kube *kubefake.Clientset

	lock sync.Mutex
	// servers are the processes that serve each bucket.
	servers [shards.Buckets]map[string]bool
	// twice counts buckets that two processes served at once.
	twice int
	next  int
}

func newCluster(t *testing.T) *cluster {
	c := &cluster{t: t, kube: kubetest.NewClientset()}
	for b := range c.servers {
		c.servers[b] = map[string]bool{}
	}
	return c
}

// process is a member.
type process struct {
	cluster *cluster
	name    string
	record  *handover.Record
	// down cuts the process off from the API server.
	down atomic.Bool
	// slow is how long it takes to drain buckets.
	slow time.Duration
	// leave ends it, ended is closed then, err is what Run has returned.
	leave context.CancelFunc
	ended chan struct{}
	err   error

	lock     sync.Mutex
	until    time.Time
	leading  bool
	unserved []string
	mine     map[int]bool
}

// start starts a process.
func (c *cluster) start(change ...func(*Config)) *process {
	c.next++
	p := &process{cluster: c, name: "process-" + strconv.Itoa(c.next), ended: make(chan struct{}), record: handover.New(), mine: map[int]bool{}}
	cut := kubefake.NewClientset()
	cut.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if p.down.Load() {
			return true, nil, errors.New("connection refused")
		}
		answer, err := c.kube.Invokes(action, nil)
		return true, answer, err
	})
	config := Config{
		Config: shards.Config{
			Name: "operator", Identity: p.name, Slots: 4, Controllers: []string{robots}, Timing: timing,
		},
		Namespace: "system", Requests: cut.CoordinationV1(), Watches: c.kube.CoordinationV1(), Record: p.record,
	}
	for _, f := range change {
		f(&config)
	}
	ctx, cancel := context.WithCancel(c.t.Context())
	p.leave = cancel
	go func() {
		defer close(p.ended)
		p.err = Run(ctx, config, p)
		p.drop()
	}()
	return p
}

// end ends a process in order.
func (p *process) end() {
	p.leave()
	<-p.ended
}

// drop is the end of everything that the process serves, at the end of its fence at the latest.
func (p *process) drop() {
	p.lock.Lock()
	defer p.lock.Unlock()
	for b := range p.mine {
		p.cluster.serve(b, p.name, false)
	}
	clear(p.mine)
	p.leading = false
}

func (c *cluster) serve(bucket int, name string, serves bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if !serves {
		delete(c.servers[bucket], name)
		return
	}
	if len(c.servers[bucket]) > 0 {
		c.twice++
	}
	c.servers[bucket][name] = true
}

// unserved returns the number of buckets that nobody serves.
func (c *cluster) unserved() (n int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, servers := range c.servers {
		if len(servers) == 0 {
			n++
		}
	}
	return n
}

// serves returns the number of buckets that a process serves.
func (p *process) serves() int {
	p.lock.Lock()
	defer p.lock.Unlock()
	return len(p.mine)
}

func (p *process) isLeading() bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.leading
}

// holder returns the holder of a Lease.
func (c *cluster) holder(name string) string {
	lease, err := c.kube.CoordinationV1().Leases("system").Get(c.t.Context(), name, metav1.GetOptions{})
	if err != nil {
		return err.Error()
	}
	return *lease.Spec.HolderIdentity
}

// Fence implements Work.
func (p *process) Fence(until time.Time) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.until = until
}

// Open implements Work.
func (p *process) Open(_ string, buckets shards.Set, opened func(shards.Set)) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for b := range shards.Buckets {
		if buckets.Has(b) {
			p.mine[b] = true
			p.cluster.serve(b, p.name, true)
		}
	}
	opened(buckets)
}

// Close implements Work.
func (p *process) Close(_ string, buckets shards.Set, drained func()) {
	time.AfterFunc(p.slow, func() {
		p.lock.Lock()
		defer p.lock.Unlock()
		for b := range shards.Buckets {
			if buckets.Has(b) {
				delete(p.mine, b)
				p.cluster.serve(b, p.name, false)
			}
		}
		drained()
	})
}

// Lead implements Work.
func (p *process) Lead() {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.leading = true
}

// Follow implements Work.
func (p *process) Follow(followed func()) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.leading = false
	followed()
}

// Unserved implements Work.
func (p *process) Unserved(controllers []string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.unserved = controllers
}

// leaseOf returns a Lease with a holder, for an hour.
func leaseOf(namespace, name, holder string) *coordinationv1.Lease {
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &holder, LeaseDurationSeconds: new(int32(3600))},
	}
}
