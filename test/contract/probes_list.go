package contract

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

// addThree creates c, a and b, and returns the last one.
func (p *P) addThree() *edgev1alpha1.Relay {
	p.add("c")
	p.add("a", labeled(map[string]string{"tier": "web", "env": "prod", "size": "10"}))
	return p.add("b", labeled(map[string]string{"tier": "db", "env": "prod", "size": "9"}))
}

// showList lists relays, records the names or the error, and returns the list.
func (p *P) showList(label string, options metav1.ListOptions) *edgev1alpha1.RelayList {
	list, err := p.relays().List(p.ctx, options)
	if !p.err(label, err) {
		return &edgev1alpha1.RelayList{}
	}
	p.printf("  %v remaining=%s continue=%s version=%s", names(list), optional(list.RemainingItemCount), set(list.Continue),
		set(list.ResourceVersion))
	return list
}

// listWith returns a probe that lists three relays with options.
func listWith(short string, options metav1.ListOptions) Probe {
	return probe(short, func(p *P) {
		p.fresh(p.addThree().ResourceVersion)
		p.showList("list", options)
	})
}

func byLabel(short, selector string) Probe {
	return listWith("label-"+short, metav1.ListOptions{LabelSelector: selector})
}

func byField(short, selector string) Probe {
	return listWith("field-"+short, metav1.ListOptions{FieldSelector: selector})
}

// listWorkloads returns a probe that lists workloads of two regions.
func listWorkloads(short, fields, labels string) Probe {
	return needsCRD(short, func(p *P) {
		for i, name := range []string{"a", "b"} {
			w := workload(name)
			w.Spec.RegionName, w.Labels = []string{"north", "south"}[i], map[string]string{"name": name}
			_, err := p.workloads().Create(p.ctx, w, create)
			p.must("create", err)
		}
		list, err := p.workloads().List(p.ctx, metav1.ListOptions{FieldSelector: fields, LabelSelector: labels})
		p.err("list", err)
		for i := range list.Items {
			p.printf("  %s", list.Items[i].Name)
		}
	})
}

var listProbes = group("list",
	listWith("all", all),
	byLabel("exists", "tier"),
	byLabel("not-exists", "!tier"),
	byLabel("equal", "tier=web"),
	byLabel("double-equal", "tier==web"),
	byLabel("not-equal", "tier!=web"),
	byLabel("in", "tier in (web, db)"),
	byLabel("not-in", "tier notin (web)"),
	byLabel("and", "env=prod,tier=db"),
	byLabel("empty-value", "tier="),
	byLabel("greater", "size>9"),
	byLabel("less", "size<10"),
	byLabel("greater-than-text", "size>x"),
	byLabel("spaces", "  tier  =  web  "),
	byLabel("invalid-key", "a b=c"),
	byLabel("invalid-value", "tier=a b"),
	byLabel("invalid-operator", "tier in web"),
	byLabel("open-parenthesis", "tier in (web"),
	byLabel("comma-at-end", "tier=web,"),
	byLabel("no-key", "=web"),
	byField("name", "metadata.name=a"),
	byField("name-not", "metadata.name!=a"),
	byField("name-double-equal", "metadata.name==a"),
	byField("name-empty", "metadata.name="),
	byField("two-names", "metadata.name=a,metadata.name=b"),
	byField("two-names-not", "metadata.name!=a,metadata.name!=b"),
	byField("namespace-other", "metadata.namespace=elsewhere"),
	probe("field-namespace-of-cluster-scoped", func(p *P) {
		_, err := p.classes().List(p.ctx, metav1.ListOptions{FieldSelector: "metadata.namespace=x"})
		p.err("list", err)
	}),
	byField("uid", "metadata.uid=x"),
	byField("spec", "spec.mtu=1400"),
	byField("garbage", "metadata.name"),
	byField("in", "metadata.name in (a,b)"),
	listWith("both-selectors", metav1.ListOptions{LabelSelector: "tier", FieldSelector: "metadata.name=b"}),
	listWorkloads("selectable-field", "spec.regionName=south", ""),
	listWorkloads("selectable-field-not", "spec.regionName!=south", ""),
	listWorkloads("selectable-field-and-label", "spec.regionName=south", "name=a"),
	listWorkloads("unselectable-field", "spec.paused=false", ""),
	probe("field-namespace", func(p *P) {
		p.addThree()
		p.showList("list", metav1.ListOptions{FieldSelector: "metadata.namespace=" + p.namespace})
	}),
	probe("empty", func(p *P) {
		list := p.showList("list", all)
		p.show("items", list.Items)
	}),
	probe("no-match", func(p *P) {
		p.addThree()
		p.show("items", p.showList("list", metav1.ListOptions{LabelSelector: "tier=none"}).Items)
	}),
	probe("type-meta", func(p *P) {
		p.add("a")
		list := p.showList("list", all)
		p.show("list", list.TypeMeta)
		p.show("item", list.Items[0].TypeMeta)
	}),
	probe("items-are-complete", func(p *P) {
		created := p.add("a", labeled(map[string]string{"a": "b"}))
		list := p.showList("list", all)
		p.show("spec", list.Items[0].Spec)
		p.show("same uid", list.Items[0].UID == created.UID)
		p.printf("version of the item: %s", compare(created.ResourceVersion, list.Items[0].ResourceVersion))
		p.showFields("fields", &list.Items[0])
	}),
	probe("version-of-the-list", func(p *P) {
		created := p.add("a")
		p.printf("after a: %s", atLeast(created.ResourceVersion, p.showList("list", all).ResourceVersion))
		p.drop("a")
		list := p.showList("list", all)
		p.printf("after the delete: %s", compare(created.ResourceVersion, list.ResourceVersion))
	}),
	probe("not-shared", func(p *P) {
		p.add("a", labeled(map[string]string{"a": "b"}))
		p.showList("list", all).Items[0].Labels["a"] = "changed"
		p.show("labels", p.read("a").Labels)
	}),
	probe("terminating", func(p *P) {
		p.terminating("a", finalizer)
		p.showMeta("item", &p.showList("list", all).Items[0])
	}),
	probe("order-of-namespaces", func(p *P) {
		run := labeled(map[string]string{"run": p.id})
		for _, namespace := range []string{p.other, p.namespace, p.namespace + "-b"} {
			_, err := p.relaysIn(namespace).Create(p.ctx, relay("a", run), create)
			p.must("create", err)
		}
		list, err := p.relaysIn("").List(p.ctx, metav1.ListOptions{LabelSelector: "run=" + p.id})
		p.must("list", err)
		for i := range list.Items {
			p.printf("%s/%s", list.Items[i].Namespace, list.Items[i].Name)
		}
	}),
	listWith("limit-negative", metav1.ListOptions{Limit: -1}),
	listWith("limit-huge", metav1.ListOptions{Limit: 1 << 40}),
	listWith("timeout-seconds", metav1.ListOptions{TimeoutSeconds: new(int64(5))}),
	listWith("send-initial-events", metav1.ListOptions{SendInitialEvents: new(true)}),
	listWith("allow-bookmarks", metav1.ListOptions{AllowWatchBookmarks: true}),
	listWith("version-zero", metav1.ListOptions{ResourceVersion: "0"}),
	listWith("version-zero-and-limit", metav1.ListOptions{ResourceVersion: "0", Limit: 1}),
	listWith("version-garbage", metav1.ListOptions{ResourceVersion: "x"}),
	listWith("version-old", metav1.ListOptions{ResourceVersion: "1"}),
	listWith("version-future", metav1.ListOptions{ResourceVersion: "999999999"}),
	listWith("match-without-version", metav1.ListOptions{ResourceVersionMatch: metav1.ResourceVersionMatchExact}),
	listWith("match-unknown", metav1.ListOptions{ResourceVersion: "1", ResourceVersionMatch: "Roughly"}),
	listWith("exact-zero", metav1.ListOptions{ResourceVersion: "0", ResourceVersionMatch: metav1.ResourceVersionMatchExact}),
	listWith("exact-future", metav1.ListOptions{ResourceVersion: "999999999", ResourceVersionMatch: metav1.ResourceVersionMatchExact}),
	listWith("not-older-zero", metav1.ListOptions{ResourceVersion: "0", ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}),
	listWith("not-older-future", metav1.ListOptions{
		ResourceVersion: "999999999", ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
	}),
	probe("exact-old", func(p *P) {
		p.add("a")
		p.add("b")
		before := p.showList("before", all)
		p.drop("a")
		p.edit("b", setMTU(9000))
		p.add("c")
		list := p.showList("exact", metav1.ListOptions{ResourceVersion: before.ResourceVersion, ResourceVersionMatch: metav1.ResourceVersionMatchExact})
		p.printf("version of the list: %s", compare(before.ResourceVersion, list.ResourceVersion))
		for i := range list.Items {
			p.show(list.Items[i].Name, list.Items[i].Spec)
		}
	}),
	probe("not-older-than-write", func(p *P) {
		p.add("a")
		created := p.add("b")
		list := p.showList("list", metav1.ListOptions{
			ResourceVersion: created.ResourceVersion, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		})
		p.printf("version of the list: %s", atLeast(created.ResourceVersion, list.ResourceVersion))
	}),
	probe("version-without-match", func(p *P) {
		created := p.add("a")
		p.fresh(p.add("b").ResourceVersion)
		p.showList("list", metav1.ListOptions{ResourceVersion: created.ResourceVersion})
		p.showList("with a limit", metav1.ListOptions{ResourceVersion: created.ResourceVersion, Limit: 1})
	}),
)
