package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/sharding"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

// The keys of shards, and all values of a key.
const (
	byUID         = "object.metadata.uid"
	byNamespace   = "object.metadata.namespace"
	everyShard    = "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')"
	lowerHalf     = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')"
	almostNothing = "shardRange(object.metadata.uid, '0x0000000000000000', '0x0000000000000001')"
)

// shardOf returns a selector of the values of a key, and of nothing else.
func shardOf(key string, values ...string) string {
	var ranges []string
	for _, value := range values {
		start := sharding.HashField(value)
		number, _ := strconv.ParseUint(start, 16, 64)
		end := fmt.Sprintf("%016x", number+1)
		if number+1 == 0 {
			end = "10000000000000000"
		}
		ranges = append(ranges, fmt.Sprintf("shardRange(%s, '0x%s', '0x%s')", key, start, end))
	}
	return strings.Join(ranges, " || ")
}

// shardWith returns a selector of relays.
func shardWith(relays ...*edgev1alpha1.Relay) string {
	var uids []string
	for _, r := range relays {
		uids = append(uids, string(r.UID))
	}
	return shardOf(byUID, uids...)
}

// addShard creates five relays, and returns a selector of r1, r3 and r4. Those with odd numbers have the label odd.
func (p *P) addShard() string {
	p.addFive()
	selector := shardWith(p.read("r1"), p.read("r3"), p.read("r4"))
	p.fresh(p.version())
	return selector
}

// describeShard says what an answer tells about its shard. Selectors of UIDs differ in each run.
func describeShard(info *metav1.ShardInfo, selector string) string {
	switch {
	case info == nil:
		return "none"
	case info.Selector == selector:
		return "as requested"
	}
	return info.Selector
}

// showShard lists relays with a selector, records the answer, and returns it.
func (p *P) showShard(label, selector string, options metav1.ListOptions) *edgev1alpha1.RelayList {
	options.ShardSelector = selector
	list := p.showList(label, options)
	p.printf("  shard: %s", describeShard(list.ShardInfo, selector))
	return list
}

// shardWithOptions returns a probe that lists a shard with options.
func shardWithOptions(short string, options metav1.ListOptions) Probe {
	return probe(short, func(p *P) { p.showShard("list", p.addShard(), options) })
}

// badShard returns a probe that lists, watches and deletes with a selector that is wrong.
func badShard(short, selector string) Probe {
	return probe("bad-"+short, func(p *P) {
		p.add("a")
		p.showShard("list", selector, all)
		p.refused("watch", metav1.ListOptions{ShardSelector: selector})
		p.err("delete collection", p.relays().DeleteCollection(p.ctx, remove, metav1.ListOptions{ShardSelector: selector}))
		p.survivors()
	})
}

// spelled returns a probe that shows how a server spells a selector. Lists of custom resources do not have it in all releases.
func spelled(short, selector string) Probe {
	return probe("spelled-"+short, func(p *P) {
		list, err := p.builtIn().CoreV1().Secrets(p.namespace).List(p.ctx, metav1.ListOptions{ShardSelector: selector})
		if p.err("list", err) {
			p.printf("shard: %s", describeShard(list.ShardInfo, "")) // never as requested: the text is what matters
		}
	})
}

// mistakes returns a probe that lists and watches with two mistakes, one of which is the selector.
func mistakes(short string, options metav1.ListOptions) Probe {
	return probe("two-mistakes-"+short, func(p *P) {
		options.ShardSelector = "shardRange()"
		p.showList("list", options)
		p.refused("watch", options)
	})
}

// The probes of shards are asked twice: without and with the feature gate.
var (
	shardProbes   = group("shards", allShardProbes()...)
	shardedProbes = group("sharded", withGate(allShardProbes())...)
)

func allShardProbes() []Probe {
	return slices.Concat(listShardProbes, pageShardProbes, spellingProbes, badShardProbes(), watchShardProbes, otherShardProbes)
}

// withGate returns probes for a server that has the feature gate.
func withGate(probes []Probe) []Probe {
	for i := range probes {
		probes[i].Sharded = true
	}
	return probes
}

var listShardProbes = []Probe{
	shardWithOptions("list", all),
	shardWithOptions("list-version-zero", metav1.ListOptions{ResourceVersion: "0"}),
	shardWithOptions("list-label", metav1.ListOptions{LabelSelector: "odd"}),
	shardWithOptions("list-name", metav1.ListOptions{FieldSelector: "metadata.name=r1"}),
	shardWithOptions("list-name-of-other-shard", metav1.ListOptions{FieldSelector: "metadata.name=r2"}),
	shardWithOptions("list-name-not", metav1.ListOptions{FieldSelector: "metadata.name!=r1"}),
	shardWithOptions("list-limit", metav1.ListOptions{Limit: 2}),
	shardWithOptions("list-limit-of-all", metav1.ListOptions{Limit: 5}),
	probe("list-not-older", func(p *P) {
		selector := p.addShard()
		p.showShard("list", selector, metav1.ListOptions{
			ResourceVersion: p.version(), ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		})
	}),
	probe("list-exact-old", func(p *P) {
		selector, version := p.addShard(), p.version()
		p.drop("r1")
		p.drop("r2")
		p.showShard("list", selector, metav1.ListOptions{
			ResourceVersion: version, ResourceVersionMatch: metav1.ResourceVersionMatchExact,
		})
	}),
	probe("list-every-shard", func(p *P) {
		p.addFive()
		p.showShard("list", everyShard, metav1.ListOptions{})
		p.showShard("two", everyShard, metav1.ListOptions{Limit: 2})
	}),
	probe("list-nothing", func(p *P) {
		p.addFive()
		list := p.showShard("list", almostNothing, all)
		p.printf("  items are nil: %t", list.Items == nil)
	}),
	probe("list-halves", func(p *P) {
		p.addFive()
		lower, err := p.relays().List(p.ctx, metav1.ListOptions{ShardSelector: lowerHalf})
		p.must("list", err)
		upper, err := p.relays().List(p.ctx, metav1.ListOptions{ShardSelector: strings.NewReplacer(
			"0x0000000000000000", "0x8000000000000000", "0x8000000000000000", "0x10000000000000000").Replace(lowerHalf)})
		p.must("list", err)
		both := append(names(lower), names(upper)...)
		slices.Sort(both)
		p.printf("%v", both)
	}),
	probe("list-boundaries", func(p *P) {
		hash := "0x" + sharding.HashField(string(p.add("a").UID))
		p.showShard("until", strings.Replace(lowerHalf, "0x8000000000000000", hash, 1), all)
		p.showShard("from", strings.Replace(everyShard, "0x0000000000000000", hash, 1), all)
	}),
	probe("list-overlapping", func(p *P) {
		p.addFive()
		p.showShard("list", everyShard+" || "+lowerHalf, all)
	}),
	probe("list-by-namespace", func(p *P) {
		run := labeled(map[string]string{"run": p.id})
		p.add("a", run)
		_, err := p.relaysIn(p.other).Create(p.ctx, relay("b", run), create)
		p.must("create", err)
		list, err := p.relaysIn("").List(p.ctx, metav1.ListOptions{LabelSelector: "run=" + p.id, ShardSelector: shardOf(byNamespace, p.other)})
		if p.err("list", err) {
			p.printf("  %v", names(list))
		}
	}),
	probe("list-cluster-scoped", func(p *P) {
		c := class("a" + p.id)
		c.Labels = map[string]string{"run": p.id}
		created, err := p.classes().Create(p.ctx, c, create)
		p.must("create", err)
		for _, selector := range []string{
			shardOf(byNamespace, ""), shardOf(byNamespace, "a"), shardOf(byUID, string(created.UID)), shardOf(byUID, "another"),
		} {
			list, err := p.classes().List(p.ctx, metav1.ListOptions{LabelSelector: "run=" + p.id, ShardSelector: selector})
			p.must("list", err)
			p.printf("%d", len(list.Items))
		}
	}),
	needsCRD("list-other-version", func(p *P) {
		for _, name := range []string{"a", "b"} {
			_, err := p.workloads().Create(p.ctx, workload(name), create)
			p.must("create", err)
		}
		b, err := p.workloads().Get(p.ctx, "b", get)
		p.must("get", err)
		list, err := p.oldWorkloads().List(p.ctx, metav1.ListOptions{ShardSelector: shardOf(byUID, string(b.UID))})
		p.must("list", err)
		for i := range list.Items {
			p.printf("%s %s", list.Items[i].Name, list.Items[i].Spec.Image)
		}
		p.printf("shard: %s", describeShard(list.ShardInfo, shardOf(byUID, string(b.UID))))
	}),
}

var pageShardProbes = []Probe{
	probe("pages", func(p *P) {
		p.pages(metav1.ListOptions{Limit: 1, ShardSelector: p.addShard()})
	}),
	probe("pages-every-shard", func(p *P) {
		p.addFive()
		p.pages(metav1.ListOptions{Limit: 2, ShardSelector: everyShard})
	}),
	probe("pages-without-match", func(p *P) {
		p.addFive()
		p.pages(metav1.ListOptions{Limit: 2, ShardSelector: almostNothing})
	}),
	probe("pages-that-end-before-others", func(p *P) {
		p.addFive()
		p.pages(metav1.ListOptions{Limit: 1, ShardSelector: shardWith(p.read("r0"), p.read("r2"))})
	}),
	probe("continue-with-other-shard", func(p *P) {
		first := p.showShard("first", p.addShard(), metav1.ListOptions{Limit: 1})
		other := shardWith(p.read("r0"), p.read("r2"), p.read("r4"))
		p.showShard("other", other, metav1.ListOptions{Limit: 2, Continue: first.Continue})
	}),
	probe("continue-without-shard", func(p *P) {
		first := p.showShard("first", p.addShard(), metav1.ListOptions{Limit: 1})
		p.showShard("rest", "", metav1.ListOptions{Continue: first.Continue})
	}),
	probe("continue-with-shard", func(p *P) {
		selector := p.addShard()
		first := p.showShard("first", "", metav1.ListOptions{Limit: 1})
		p.showShard("rest", selector, metav1.ListOptions{Limit: 1, Continue: first.Continue})
	}),
}

var spellingProbes = []Probe{
	spelled("canonical", lowerHalf),
	spelled("spaces", "\tshardRange (object . metadata\n.uid,'0x0000000000000000' , '0x8000000000000000')  "),
	spelled("double-quotes", `shardRange(object.metadata.uid, "0x0000000000000000", "0x8000000000000000")`),
	spelled("triple-quotes", `shardRange(object.metadata.uid, '''0x0000000000000000''', """0x8000000000000000""")`),
	spelled("raw-text", `shardRange(object.metadata.uid, r'0x0000000000000000', R"0x8000000000000000")`),
	spelled("escapes", `shardRange(object.metadata.uid, '\x30x0000000000000000', '\060x8\u0030\U000000300000000000000')`),
	spelled("brackets", "((shardRange((object.metadata).uid, ('0x0000000000000000'), '0x8000000000000000')))"),
	spelled("comments", "// lower half\n"+lowerHalf+" // done"),
	spelled("order", everyShard+"||"+lowerHalf+"||"+lowerHalf),
	spelled("brackets-around-ranges", "("+everyShard+" || "+lowerHalf+") || ("+almostNothing+")"),
	spelled("by-namespace", strings.ReplaceAll(lowerHalf, "uid", "namespace")),
	spelled("member", strings.Replace(lowerHalf, "shardRange", "object.shardRange", 1)),
	spelled("comma-at-end", strings.Replace(lowerHalf, "')", "',)", 1)),
}
