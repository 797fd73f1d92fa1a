package contract

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
)

// version returns the resource version of a list of the namespace.
func (p *P) version() string {
	list, err := p.relays().List(p.ctx, all)
	p.must("list", err)
	return list.ResourceVersion
}

// since watches from now on.
func (p *P) since(options metav1.ListOptions) *stream {
	options.ResourceVersion = p.version()
	return p.watch(options)
}

// showRelay adds the spec, the labels and the deletion to the line of an event.
func showRelay(event watch.Event) string {
	r := relayOf(event)
	return fmt.Sprintf("mtu=%d labels=%v generation=%d terminating=%t", r.Spec.MTU, r.Labels, r.Generation, r.DeletionTimestamp != nil)
}

// unmatched returns a probe that watches with options that exclude relay b, and records which changes of a and b are visible.
func unmatched(short string, options metav1.ListOptions) Probe {
	return probe(short, func(p *P) {
		w := p.since(options)
		p.add("a", labeled(map[string]string{"tier": "web"}))
		p.add("b")
		p.edit("b", setMTU(9000))
		p.edit("a", setMTU(9000))
		p.drop("b")
		p.drop("a")
		w.nextN(3)
	})
}

var watchProbes = group("watch",
	probe("from-version", func(p *P) {
		p.add("old")
		w := p.since(all)
		w.detail = showRelay
		p.add("a")
		p.edit("a", setMTU(9000))
		p.edit("a", labeled(map[string]string{"x": "y"}))
		p.drop("a")
		w.nextN(4)
	}),
	probe("from-nothing", func(p *P) {
		p.add("b")
		p.fresh(p.add("a").ResourceVersion)
		w := p.watch(all)
		w.nextN(2)
		p.add("c")
		w.next()
	}),
	probe("from-zero", func(p *P) {
		p.add("b")
		p.fresh(p.add("a").ResourceVersion)
		w := p.watch(metav1.ListOptions{ResourceVersion: "0"})
		w.nextN(2)
		p.add("c")
		w.next()
	}),
	probe("from-nothing-when-empty", func(p *P) {
		w := p.watch(all)
		p.add("a")
		w.next()
	}),
	probe("from-old-version", func(p *P) {
		created := p.add("a")
		p.edit("a", setMTU(9000))
		p.add("b")
		p.drop("a")
		w := p.watch(metav1.ListOptions{ResourceVersion: created.ResourceVersion})
		w.detail = showRelay
		w.nextN(3)
	}),
	probe("from-garbage", func(p *P) { p.refused("watch", metav1.ListOptions{ResourceVersion: "x"}) }),
	probe("from-version-too-old", func(p *P) { p.refused("watch", metav1.ListOptions{ResourceVersion: "1"}) }),
	probe("from-future", func(p *P) {
		w := p.watch(metav1.ListOptions{ResourceVersion: "999999999", TimeoutSeconds: ptr.To[int64](1)})
		p.add("a")
		w.end()
	}),
	probe("event-is-the-answer", func(p *P) {
		w := p.since(all)
		created := p.add("a")
		r := relayOf(w.next())
		p.printf("version: %s", compare(created.ResourceVersion, r.ResourceVersion))
		p.show("same uid", created.UID == r.UID)
		p.show("type", r.TypeMeta)
	}),
	probe("deleted-object", func(p *P) {
		p.add("a")
		last := p.edit("a", setMTU(9000))
		w := p.since(all)
		w.detail = showRelay
		p.drop("a")
		p.printf("version of the event: %s", compare(last.ResourceVersion, relayOf(w.next()).ResourceVersion))
	}),
	probe("deleted-by-finalizer", func(p *P) {
		created := p.add("a", finalized(finalizer))
		w := p.since(all)
		w.detail = showRelay
		p.drop("a")
		marked := relayOf(w.next())
		p.edit("a", finalized())
		gone := relayOf(w.next())
		p.printf("versions: %s, then %s", compare(created.ResourceVersion, marked.ResourceVersion),
			compare(marked.ResourceVersion, gone.ResourceVersion))
		p.show("finalizers", gone.Finalizers)
		p.add("b")
		w.next()
	}),
	probe("second-delete-is-silent", func(p *P) {
		p.terminating("a", finalizer)
		w := p.since(all)
		p.drop("a")
		p.add("b")
		w.next()
	}),
	probe("unchanged-update-is-silent", func(p *P) {
		p.add("a")
		w := p.since(all)
		p.edit("a", setMTU(1400))
		p.mergePatch("a", `{"spec":{"mtu":1400}}`)
		p.add("b")
		w.next()
	}),
	probe("dry-run-is-silent", func(p *P) {
		r := p.add("a")
		w := p.since(all)
		dry := []string{metav1.DryRunAll}
		p.tryCreate("create", relay("b"), metav1.CreateOptions{DryRun: dry})
		r.Spec.MTU = 9000
		p.tryUpdate("update", r, metav1.UpdateOptions{DryRun: dry})
		p.err("delete", p.relays().Delete(p.ctx, "a", metav1.DeleteOptions{DryRun: dry}))
		p.add("c")
		w.next()
	}),
	probe("failed-writes-are-silent", func(p *P) {
		stale := p.add("a")
		p.edit("a", setMTU(9000))
		w := p.since(all)
		p.tryUpdate("update", stale, update)
		p.tryCreate("create", relay("a"), create)
		p.add("b")
		w.next()
	}),
	probe("status-update", func(p *P) {
		r := p.add("a")
		w := p.since(all)
		setTunnels("t")(r)
		p.tryStatus("update status", r, update)
		p.show("status", relayOf(w.next()).Status)
	}),
	probe("selector-object-enters-and-leaves", func(p *P) {
		p.add("a")
		w := p.since(metav1.ListOptions{LabelSelector: "tier=web"})
		w.detail = showRelay
		p.edit("a", labeled(map[string]string{"tier": "web"}))
		p.edit("a", setMTU(9000))
		left := p.edit("a", labeled(map[string]string{"tier": "db"}))
		p.edit("a", setMTU(2000))
		p.edit("a", labeled(map[string]string{"tier": "web"}))
		w.nextN(2)
		p.printf("version of the event: %s", compare(left.ResourceVersion, relayOf(w.next()).ResourceVersion))
		w.next()
	}),
	unmatched("label-selector", metav1.ListOptions{LabelSelector: "tier=web"}),
	unmatched("label-selector-not", metav1.ListOptions{LabelSelector: "tier"}),
	unmatched("field-selector", metav1.ListOptions{FieldSelector: "metadata.name=a"}),
	unmatched("field-selector-not", metav1.ListOptions{FieldSelector: "metadata.name!=b"}),
	unmatched("both-selectors", metav1.ListOptions{FieldSelector: "metadata.name!=b", LabelSelector: "tier"}),
	probe("selector-initial-state", func(p *P) {
		p.add("a", labeled(map[string]string{"tier": "web"}))
		p.fresh(p.add("b").ResourceVersion)
		w := p.watch(metav1.ListOptions{ResourceVersion: "0", LabelSelector: "tier=web"})
		w.next()
		p.add("c", labeled(map[string]string{"tier": "web"}))
		w.next()
	}),
	probe("selector-invalid", func(p *P) { p.refused("watch", metav1.ListOptions{LabelSelector: "a b"}) }),
	probe("field-selector-unsupported", func(p *P) { p.refused("watch", metav1.ListOptions{FieldSelector: "spec.mtu=1400"}) }),
	probe("one-namespace", func(p *P) {
		w := p.since(all)
		_, err := p.relaysIn(p.other).Create(p.ctx, relay("a"), create)
		p.must("create", err)
		p.add("b")
		w.next()
	}),
	probe("all-namespaces", func(p *P) {
		run := labeled(map[string]string{"run": p.id})
		list, err := p.relaysIn("").List(p.ctx, metav1.ListOptions{LabelSelector: "run=" + p.id})
		p.must("list", err)
		started, err := p.relaysIn("").Watch(p.ctx, metav1.ListOptions{LabelSelector: "run=" + p.id, ResourceVersion: list.ResourceVersion})
		w := p.follow("watch", started, err)
		w.detail = func(event watch.Event) string { return relayOf(event).Namespace }
		p.add("a", run)
		_, err = p.relaysIn(p.other).Create(p.ctx, relay("a", run), create)
		p.must("create", err)
		w.nextN(2)
	}),
	probe("other-kind-is-silent", func(p *P) {
		w := p.since(all)
		_, err := p.tunnels().Create(p.ctx, tunnel("a"), create)
		p.must("create", err)
		p.add("b")
		w.next()
	}),
	probe("two-watches", func(p *P) {
		first, second := p.since(all), p.since(all)
		p.add("a")
		p.show("same object", relayOf(first.next()) == relayOf(second.next()))
	}),
	probe("object-not-shared", func(p *P) {
		first, second := p.since(all), p.since(all)
		p.add("a", labeled(map[string]string{"a": "b"}))
		if labels := relayOf(first.next()).Labels; labels != nil {
			labels["a"] = "changed"
		}
		p.show("second watch", relayOf(second.next()).Labels)
		p.show("stored", p.read("a").Labels)
	}),
	probe("context-canceled", func(p *P) {
		ctx, cancel := context.WithCancel(p.ctx)
		started, err := p.relays().Watch(ctx, metav1.ListOptions{ResourceVersion: p.version()})
		w := p.follow("watch", started, err)
		cancel()
		w.closes()
	}),
	probe("stopped", func(p *P) {
		w := p.since(all)
		w.watch.Stop()
		w.watch.Stop()
		w.closes()
		p.add("a")
	}),
)
