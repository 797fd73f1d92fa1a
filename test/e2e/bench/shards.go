package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// shardGates makes an API server filter by shard selectors. Without it, the server of the other measurements ignores them.
var shardGates = map[string]bool{"ShardedListAndWatch": true}

var (
	allBuckets = informer.Arc{First: 0, Last: 255}
	// aThird is the arc of a replica that shares the objects with two others.
	aThird = informer.Arc{First: 0, Last: 84}
)

const (
	// manyArcs is the number of arcs of which one is exchanged. There are as many between them.
	manyArcs = 16
	arcSize  = 256 / manyArcs / 2
)

// arcOf returns the numbered arc of all that have arcSize buckets.
func arcOf(number int) informer.Arc {
	first := uint8(number * arcSize)
	return informer.Arc{First: first, Last: first + arcSize - 1}
}

// census has the number of workloads in each bucket.
type census [256]int

func newCensus(objects int) (c census) {
	for number := range objects {
		c[informer.BucketOf(types.UID(uidOf(1, number)))]++
	}
	return c
}

// in returns the number of workloads in arcs that do not overlap.
func (c *census) in(arcs ...informer.Arc) (objects int) {
	for _, arc := range arcs {
		for _, n := range c[arc.First : int(arc.Last)+1] {
			objects += n
		}
	}
	return objects
}

// exchange returns many arcs that do not touch, and the same arcs with another one instead of the first: of those between them, the arc
// with the fewest workloads.
func (c *census) exchange() (before, after []informer.Arc) {
	var others []informer.Arc
	for n := range manyArcs {
		before, others = append(before, arcOf(2*n)), append(others, arcOf(2*n+1))
	}
	smallest := slices.MinFunc(others, func(a, b informer.Arc) int { return cmp.Compare(c.in(a), c.in(b)) })
	return before, append([]informer.Arc{smallest}, before[1:]...)
}

// holding is an informer with the workloads in an arc. The first one is the reference.
type holding struct {
	name    string
	arc     informer.Arc
	filters bool
	// most are the maxima of received bytes and of memory, relative to the first; 0 for no target.
	most [2]float64
}

var holdings = []holding{
	{name: "all objects", arc: allBuckets, filters: true},
	{name: "a third of the buckets, on a server that filters", arc: aThird, filters: true, most: [2]float64{0.36, 0.36}},
	{name: "a third of the buckets, on a server that ignores shards", arc: aThird, most: [2]float64{1.02, 0.36}},
}

// exchanging is a way to exchange an arc.
type exchanging struct {
	name       string
	compressed bool
	// most is the maximum of bytes that are received for one arc, relative to the start; 0 for no target.
	most float64
}

// exchangings are the compared ways. The server flushes whenever it has no event to send for a moment, and begins a new compression after
// each flush. So the size of a compressed list varies, and only plain answers have a target.
var exchangings = []exchanging{
	{name: "one is exchanged", most: 1. / manyArcs},
	{name: "one is exchanged, with compression", compressed: true},
}

// shards measures informers with a part of the buckets, on a server of its own that filters and on the usual one.
func (b *bench) shards(ctx context.Context) (err error) {
	fmt.Fprintf(b.Progress, "storing %d objects on a server that filters by shards\n", b.options.objects)
	filtering, err := newWorld(ctx, filepath.Join(b.dir, "shards"), b.options.objects, shardGates)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, filtering.close()) }()
	objects := newCensus(b.options.objects)
	var contestants []contestant
	for _, h := range holdings {
		w := b.world
		if h.filters {
			w = filtering
		}
		contestants = append(contestants, contestant{Name: h.name, Run: func() (sample, error) { return holdOnce(ctx, w, &objects, h) }})
	}
	for _, e := range exchangings {
		contestants = append(contestants, contestant{
			Name: fmt.Sprintf("%d arcs, of which %s", manyArcs, e.name),
			Run:  func() (sample, error) { return exchangeOnce(ctx, filtering, &objects, e.compressed) },
		})
	}
	medians, err := b.inTurn("shards", contestants...)
	if err != nil {
		return err
	}
	for n, h := range holdings {
		b.results.shards = append(b.results.shards, shard{what: h.name, received: medians[n][0], memory: medians[n][1], most: h.most})
	}
	for n, e := range exchangings {
		m := medians[len(holdings)+n]
		b.results.exchanges = append(b.results.exchanges, exchange{what: e.name, start: m[0], change: m[1], most: e.most})
	}
	return nil
}

// holdOnce returns the bytes that an informer receives until it has synced, and the bytes of its memory.
func holdOnce(ctx context.Context, w *world, objects *census, h holding) (sample, error) {
	before := heap()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	i, err := startSharded(ctx, w, false, h.arc)
	if err != nil {
		return nil, err
	}
	defer i.stop()
	received := float64(i.received.Load())
	if err := i.quiet(ctx); err != nil {
		return nil, err
	}
	memory := heap() - before
	if ignored := i.factory.Describe()[0].ShardsIgnored; ignored == h.filters {
		return nil, fmt.Errorf("the server ignores shards: %t", ignored)
	}
	return sample{received, memory}, i.check(objects.in(h.arc))
}

// exchangeOnce returns the bytes that an informer with many arcs receives until it has synced, and the bytes that it receives because one
// arc is exchanged.
func exchangeOnce(ctx context.Context, w *world, objects *census, compressed bool) (sample, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	before, after := objects.exchange()
	i, err := startSharded(ctx, w, compressed, before...)
	if err != nil {
		return nil, err
	}
	defer i.stop()
	start := i.received.Load()
	if err := errors.Join(i.quiet(ctx), i.check(objects.in(before...))); err != nil {
		return nil, err
	}
	settled := i.received.Load()
	if err := i.factory.SetShards(ctx, after...); err != nil {
		return nil, err
	}
	if err := i.quiet(ctx); err != nil {
		return nil, err
	}
	return sample{float64(start), float64(i.received.Load() - settled)}, i.check(objects.in(after...))
}

// sharded is an informer with the workloads in some arcs, with its own connection. stop ends it.
type sharded struct {
	factory  *informers.Factory
	informer cache.SharedIndexInformer
	received *atomic.Int64
	stop     func()
}

// startSharded returns an informer that has synced. Answers are compressed, as client-go requests it by default, only if compressed is set:
// the workloads are copies of one, which shrink to a twenty-fifth, and real objects do not.
func startSharded(ctx context.Context, w *world, compressed bool, arcs ...informer.Arc) (*sharded, error) {
	config := w.server.Config()
	config.DisableCompression = !compressed
	i := &sharded{received: countReceived(config)}
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	client, err := versioned.NewForConfigAndClient(config, http)
	if err != nil {
		return nil, err
	}
	if i.factory, err = informers.New(client, informer.WithShards(arcs...)); err != nil {
		return nil, err
	}
	i.informer = i.factory.Fleet().V1().Workloads().Informer()
	ctx, cancel := context.WithCancel(ctx)
	i.factory.StartWithContext(ctx)
	i.stop = func() {
		cancel()
		i.factory.Shutdown()
		http.CloseIdleConnections()
	}
	if err := i.factory.WaitForSync(ctx); err != nil {
		i.stop()
		return nil, err
	}
	return i, nil
}

// quiet waits until nothing is received any more: watches of arcs are opened again after the informer has synced.
func (i *sharded) quiet(ctx context.Context) error {
	for before := int64(-1); before != i.received.Load(); {
		before = i.received.Load()
		select {
		case <-time.After(settle):
		case <-ctx.Done():
			return fmt.Errorf("still receiving: %w", context.Cause(ctx))
		}
	}
	return nil
}

// check returns an error unless the informer has as many objects.
func (i *sharded) check(objects int) error {
	if got := len(i.informer.GetIndexer().ListKeys()); got != objects {
		return fmt.Errorf("%d objects in the cache, not %d", got, objects)
	}
	return nil
}

// countReceived makes clients of a configuration count the bytes that they receive, as they are on the wire.
func countReceived(config *rest.Config) *atomic.Int64 {
	received := new(atomic.Int64)
	config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		connection, err := new(net.Dialer).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return counted{connection, received}, nil
	}
	return received
}

// counted is a connection that counts what is read from it.
type counted struct {
	net.Conn

	received *atomic.Int64
}

func (c counted) Read(data []byte) (int, error) {
	n, err := c.Conn.Read(data)
	c.received.Add(int64(n))
	return n, err
}
