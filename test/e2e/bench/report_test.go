package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// compared compares with a side that takes 100 ns.
func compared(ours float64) comparison {
	return comparison{what: "Get", beside: "theirs", unit: nanoseconds, theirs: 100, ours: ours, target: true}
}

func TestMisses(t *testing.T) {
	rate := comparison{what: "1 worker", unit: perSecond, theirs: 1000, ours: 500, moreIsBetter: true, target: true}
	wasteful, free := compared(100), compared(500)
	wasteful.allocations = &[2]float64{1, 2}
	free.target = false
	for name, c := range map[string]struct {
		comparison comparison
		slack      float64
		want       []string
	}{
		"faster":             {comparison: compared(50), slack: 1},
		"noise":              {comparison: compared(109), slack: 1},
		"slower":             {compared(125), 1, []string{"Get, compared with theirs: 125 ns, not 100 ns: 0.80 times as fast, not 0.91 times"}},
		"slower, with slack": {comparison: compared(125), slack: 1.5},
		"no target":          {comparison: free, slack: 1},
		"a lower rate":       {rate, 1, []string{"1 worker: 500 /s, not 1000 /s: 0.50 times as fast, not 0.91 times"}},
		"more allocations":   {wasteful, 2, []string{"Get, compared with theirs: 2 allocations, not 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := &results{comparisons: []comparison{c.comparison}}
			assert.Equal(t, c.want, r.Misses(c.slack))
		})
	}
}

func TestMissesOfSyncs(t *testing.T) {
	r := &results{syncs: []syncing{{what: "theirs", seconds: 1, bytes: 1024}, {what: "ours", seconds: 2, bytes: 1024, most: 0.5}}}
	assert.Equal(t, []string{"ours: 1.0 KiB for each object, not 0.5 KiB", "ours: 2.00 s to sync, not 1.00 s"}, r.Misses(1))
	r.syncs[1].seconds, r.syncs[1].bytes = 1.1, 512
	assert.Empty(t, r.Misses(1))
	r.next = append(slices.Clone(r.syncs), syncing{what: "next", seconds: 1.3, bytes: 614, most: 0.5, beside: 1})
	assert.Equal(t, []string{"next: 0.6 KiB for each object, not 0.5 KiB", "next: 1.30 s to sync, not 1.10 s"}, r.Misses(1))
	r.next[2].seconds, r.next[2].bytes = 1.2, 512
	assert.Empty(t, r.Misses(1))
}

func TestMissesOfReferences(t *testing.T) {
	r := &results{references: []reference{{what: "whole", bytes: 100e6}, {what: "few", bytes: 11e6, most: 0.1}}}
	assert.Equal(t, []string{"few: 11.0 MB, not 10.0 MB"}, r.Misses(1))
	r.references[1].bytes = 9e6
	assert.Empty(t, r.Misses(1))
}

func TestMissesOfShards(t *testing.T) {
	r := &results{
		shards: []shard{
			{what: "all", received: 10e6, memory: 100e6},
			{what: "a third", received: 4.5e6, memory: 39e6, most: [2]float64{0.4, 0.36}},
		},
		exchanges: []exchange{{what: "one goes", start: 10e6, change: 2e6, most: 0.1}, {what: "another", start: 10e6, change: 2e6}},
	}
	assert.Equal(t, []string{
		"a third: 4.5 MB received, not 4.0 MB",
		"a third: 39.0 MB of memory, not 38.0 MB",
		"16 arcs, of which one goes: 2.0 MB received, not 1.0 MB",
	}, r.Misses(2))
	r.shards[1].received, r.shards[1].memory, r.exchanges[0].change = 4e6, 37.9e6, 1e6
	assert.Empty(t, r.Misses(1))
}

const wantMarkdown = `| 1000 objects in one informer | time to sync | memory for each object | memory saved | target |
| --- | ---: | ---: | ---: | --- |
| theirs | 3.00 s | 4.0 KiB | 0 % | |
| ours | 2.00 s | 2.0 KiB | 50 % | at least 35 %, not slower |

| 1000 objects in one informer | time to sync | memory for each object | memory saved | target |
| --- | ---: | ---: | ---: | --- |
| theirs, next | 3.00 s | 4.0 KiB | 0 % | |
| ours | 2.00 s | 2.0 KiB | 50 % | |
| ours, next | 1.00 s | 1.0 KiB | 75 % | at least 35 %, not slower than ours |

| a reconcile that does nothing | handwritten | generated | ratio | target |
| --- | ---: | ---: | ---: | --- |
| 1 worker | 1000 /s | 1500 /s | 1.50× | not slower |
| 1 worker, CPU time | 10.00 µs | 8.00 µs | 1.25× | not slower |
| latency | 3.00 ms | 2.00 ms | 1.50× | |

| 2000 Secrets, of which 100 are referred to | write to reconcile, p50 | p99 | write to its object, p50 | memory | target |
| --- | ---: | ---: | ---: | ---: | --- |
| whole | 1.00 ms | 2.00 ms | 1.50 ms | 100.0 MB | |
| few | 1.00 ms | 3.00 ms | 2.50 ms | 9.0 MB | memory at least 90 % lower |

| 1000 objects in buckets | received until synced | of all | memory | of all | target |
| --- | ---: | ---: | ---: | ---: | --- |
| all | 10.0 MB | 1.00 | 100.0 MB | 1.00 | |
| a third | 3.5 MB | 0.35 | 36.0 MB | 0.36 | received at most 0.36, memory at most 0.36 + 2.0 MB |

| 16 arcs of 8 buckets | received until synced | received for the change | of the start | target |
| --- | ---: | ---: | ---: | --- |
| one goes | 10.0 MB | 0.5 MB | 5.00 % | at most 6.25 % |
| another | 10.0 MB | 1.0 MB | 10.00 % | |

| reads from the cache | compared with | theirs | generated | ratio | target |
| --- | --- | ---: | ---: | ---: | --- |
| Get | theirs | 100 ns, 2 allocs/op | 50 ns, 1 allocs/op | 2.00× | not slower |

`

func TestMarkdown(t *testing.T) {
	f := facts{objects: 1000, secrets: 2000, pairs: 3, machine: "2 cores, plan9/mips, go1.0"}
	get := compared(50)
	get.allocations = &[2]float64{2, 1}
	all := results{
		facts: f,
		syncs: []syncing{{what: "theirs", seconds: 3, bytes: 4096}, {what: "ours", seconds: 2, bytes: 2048, most: 0.65}},
		next: []syncing{
			{what: "theirs, next", seconds: 3, bytes: 4096}, {what: "ours", seconds: 2, bytes: 2048},
			{what: "ours, next", seconds: 1, bytes: 1024, most: 0.65, beside: 1},
		},
		shards: []shard{
			{what: "all", received: 10e6, memory: 100e6},
			{what: "a third", received: 3.5e6, memory: 36e6, most: [2]float64{0.36, 0.36}},
		},
		exchanges: []exchange{{what: "one goes", start: 10e6, change: 0.5e6, most: 1. / 16}, {what: "another", start: 10e6, change: 1e6}},
		references: []reference{
			{what: "whole", began: [2]float64{0.001, 0.002}, read: 0.0015, bytes: 100e6},
			{what: "few", began: [2]float64{0.001, 0.003}, read: 0.0025, bytes: 9e6, most: 0.1},
		},
		comparisons: []comparison{
			{what: "1 worker", unit: perSecond, theirs: 1000, ours: 1500, moreIsBetter: true, target: true},
			{what: "1 worker, CPU time", unit: microseconds, theirs: 10e-6, ours: 8e-6, target: true},
			{what: "latency", unit: milliseconds, theirs: 0.003, ours: 0.002},
			get,
		},
	}
	assert.Equal(t, wantMarkdown+f.String(), all.Markdown())
	assert.Equal(t, f.String(), (&results{facts: f}).Markdown())
	assert.Contains(t, f.String(), "medians of 3 runs of each side in turn, with 1000 workloads")
	assert.Contains(t, f.String(), "2 cores, plan9/mips, go1.0.")
}
