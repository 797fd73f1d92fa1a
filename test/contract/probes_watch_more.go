package contract

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// manyEvents exceeds the buffers between server and client.
const manyEvents = 1000

// initial returns the options of a watch that begins with a list.
func initial(version string) metav1.ListOptions {
	return metav1.ListOptions{SendInitialEvents: new(true), AllowWatchBookmarks: true, ResourceVersion: version,
		ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}
}

func refusedWatch(short string, options metav1.ListOptions) Probe {
	return probe(short, func(p *P) { p.refused("watch", options) })
}

// streamList watches with initial events, and records them, the bookmark and one more event.
func streamList(short, version string) Probe {
	return probe(short, func(p *P) {
		p.add("b")
		p.fresh(p.add("a").ResourceVersion)
		w := p.watch(initial(version))
		w.nextN(3)
		p.add("c")
		w.next()
	})
}

var watchMoreProbes = group("watch",
	streamList("initial-events", ""),
	streamList("initial-events-from-zero", "0"),
	streamList("initial-events-from-old-version", "1"),
	probe("initial-events-from-version", func(p *P) {
		p.add("a")
		p.drop("a")
		created := p.add("b")
		w := p.watch(initial(created.ResourceVersion))
		w.nextN(2)
	}),
	probe("initial-events-when-empty", func(p *P) { p.watch(initial("")).next() }),
	probe("initial-events-bookmark-version", func(p *P) {
		created := p.add("a")
		w := p.watch(initial(""))
		w.next()
		bookmark := relayOf(w.next())
		p.printf("version: %s", atLeast(created.ResourceVersion, bookmark.ResourceVersion))
		again := p.watch(metav1.ListOptions{ResourceVersion: bookmark.ResourceVersion})
		p.add("b")
		again.next()
	}),
	probe("initial-events-with-selector", func(p *P) {
		p.add("a", labeled(map[string]string{"tier": "web"}))
		p.fresh(p.add("b").ResourceVersion)
		options := initial("")
		options.LabelSelector = "tier=web"
		w := p.watch(options)
		w.nextN(2)
	}),
	probe("initial-events-without-bookmarks", func(p *P) {
		p.fresh(p.add("a").ResourceVersion)
		options := initial("")
		options.AllowWatchBookmarks = false
		w := p.watch(options)
		w.next()
		p.add("b")
		w.next()
	}),
	probe("initial-events-false", func(p *P) {
		created := p.add("a")
		w := p.watch(metav1.ListOptions{SendInitialEvents: new(false), ResourceVersion: created.ResourceVersion,
			ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan})
		p.add("b")
		w.next()
	}),
	probe("initial-events-false-from-nothing", func(p *P) {
		p.fresh(p.add("a").ResourceVersion)
		w := p.watch(metav1.ListOptions{SendInitialEvents: new(false), ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
			AllowWatchBookmarks: true})
		p.add("b")
		w.next()
	}),
	refusedWatch("initial-events-without-match", metav1.ListOptions{SendInitialEvents: new(true), AllowWatchBookmarks: true}),
	refusedWatch("initial-events-with-exact", metav1.ListOptions{
		SendInitialEvents: new(true), AllowWatchBookmarks: true, ResourceVersionMatch: metav1.ResourceVersionMatchExact,
	}),
	refusedWatch("match-without-initial-events", metav1.ListOptions{ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}),
	refusedWatch("match-with-version", metav1.ListOptions{
		ResourceVersion: "1", ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
	}),
	refusedWatch("match-unknown", metav1.ListOptions{SendInitialEvents: new(true), ResourceVersionMatch: "Roughly"}),
	refusedWatch("continue", metav1.ListOptions{SendInitialEvents: new(true), Continue: "x",
		ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}),
	probe("limit-is-ignored", func(p *P) {
		w := p.since(metav1.ListOptions{Limit: 1})
		p.add("a")
		p.add("b")
		w.nextN(2)
	}),
	probe("timeout-seconds", func(p *P) {
		w := p.since(metav1.ListOptions{TimeoutSeconds: new(int64(1))})
		p.add("a")
		w.end()
	}),
	probe("timeout-seconds-bookmarks", func(p *P) {
		created := p.add("a")
		w := p.watch(metav1.ListOptions{ResourceVersion: created.ResourceVersion, TimeoutSeconds: new(int64(3)), AllowWatchBookmarks: true})
		w.bookmarks = true
		last := "none"
		for {
			event, missing := w.receive()
			if missing != "" {
				p.printf("watch: %s after a %s event", missing, last)
				return
			}
			last = string(event.Type)
		}
	}),
	probe("many-unread-events", func(p *P) {
		r := p.add("a")
		w := p.since(all)
		for i := range manyEvents {
			r.Spec.MTU = int32(2000 + i)
			updated, err := p.relays().Update(p.ctx, r, update)
			p.must("update", err)
			r = updated
		}
		seen, ordered := 0, true
		for seen < manyEvents {
			event, missing := w.receive()
			if missing != "" {
				p.printf("watch: %s", missing)
				break
			}
			ordered = ordered && event.Type == watch.Modified && relayOf(event).Spec.MTU == int32(2000+seen)
			seen++
		}
		p.printf("%d events, in order: %t", seen, ordered)
	}),
	probe("order-of-many-objects", func(p *P) {
		w := p.since(all)
		for i := range 5 {
			p.add(fmt.Sprintf("r%d", 4-i))
		}
		p.edit("r2", setMTU(9000))
		p.drop("r4")
		p.add("r4")
		w.nextN(8)
	}),
	probe("versions-increase", func(p *P) {
		w := p.since(all)
		p.add("a")
		p.edit("a", setMTU(9000))
		p.drop("a")
		last := "0"
		for range 3 {
			version := relayOf(w.next()).ResourceVersion
			p.printf("version: %s", compare(last, version))
			last = version
		}
	}),
	probe("list-then-watch", func(p *P) {
		p.add("a")
		list, err := p.relays().List(p.ctx, all)
		p.must("list", err)
		p.edit("a", setMTU(9000))
		p.add("b")
		w := p.watch(metav1.ListOptions{ResourceVersion: list.ResourceVersion})
		w.nextN(2)
	}),
	probe("from-version-of-object", func(p *P) {
		created := p.add("a")
		w := p.watch(metav1.ListOptions{ResourceVersion: created.ResourceVersion})
		p.edit("a", setMTU(9000))
		w.next()
	}),
	probe("delete-and-create", func(p *P) {
		p.add("a")
		w := p.since(all)
		p.drop("a")
		created := p.add("a")
		w.next()
		p.show("new uid", relayOf(w.next()).UID == created.UID)
	}),
	needsCRD("selectable-field", func(p *P) {
		list, err := p.workloads().List(p.ctx, all)
		p.must("list", err)
		started, err := p.workloads().Watch(p.ctx, metav1.ListOptions{FieldSelector: "spec.regionName=south", ResourceVersion: list.ResourceVersion})
		w := p.follow("watch", started, err)
		for i, name := range []string{"a", "b"} {
			sent := workload(name)
			sent.Spec.RegionName = []string{"north", "south"}[i]
			_, err := p.workloads().Create(p.ctx, sent, create)
			p.must("create", err)
		}
		w.next()
	}),
	probe("cluster-scoped", func(p *P) {
		selector := "run=" + p.id
		list, err := p.classes().List(p.ctx, metav1.ListOptions{LabelSelector: selector})
		p.must("list", err)
		started, err := p.classes().Watch(p.ctx, metav1.ListOptions{LabelSelector: selector, ResourceVersion: list.ResourceVersion})
		w := p.follow("watch", started, err)
		sent := class(p.id)
		sent.Labels = map[string]string{"run": p.id}
		_, err = p.classes().Create(p.ctx, sent, create)
		p.must("create", err)
		p.must("delete", p.classes().Delete(p.ctx, p.id, remove))
		w.nextN(2)
	}),
)
