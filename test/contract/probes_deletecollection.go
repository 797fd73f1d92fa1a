package contract

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// deleteAll returns a probe that deletes a collection of three relays and records which ones remain. The first and the third have
// the label half=odd, and the third has a finalizer.
func deleteAll(short string, options metav1.DeleteOptions, list metav1.ListOptions) Probe {
	return probe(short, func(p *P) {
		p.add("a", labeled(map[string]string{"half": "odd"}))
		p.add("b", labeled(map[string]string{"half": "even"}))
		p.fresh(p.add("c", labeled(map[string]string{"half": "odd"}), finalized(finalizer)).ResourceVersion)
		p.err("delete collection", p.relays().DeleteCollection(p.ctx, options, list))
		p.survivors()
	})
}

// survivors records the relays of the namespace and whether they are terminating.
func (p *P) survivors() {
	list, err := p.relays().List(p.ctx, all)
	p.must("list", err)
	for i := range list.Items {
		p.printf("left: %s terminating=%t finalizers=%v", list.Items[i].Name, list.Items[i].DeletionTimestamp != nil, list.Items[i].Finalizers)
	}
	if len(list.Items) == 0 {
		p.printf("none left")
	}
}

var deleteCollectionProbes = group("deletecollection",
	deleteAll("all", remove, all),
	deleteAll("label-selector", remove, metav1.ListOptions{LabelSelector: "half=odd"}),
	deleteAll("label-selector-without-match", remove, metav1.ListOptions{LabelSelector: "half=none"}),
	deleteAll("label-selector-invalid", remove, metav1.ListOptions{LabelSelector: "half=("}),
	deleteAll("field-selector", remove, metav1.ListOptions{FieldSelector: "metadata.name=b"}),
	deleteAll("field-selector-not", remove, metav1.ListOptions{FieldSelector: "metadata.name!=b"}),
	deleteAll("field-selector-unsupported", remove, metav1.ListOptions{FieldSelector: "spec.mtu=1400"}),
	deleteAll("both-selectors", remove, metav1.ListOptions{LabelSelector: "half=odd", FieldSelector: "metadata.name!=c"}),
	deleteAll("limit", remove, metav1.ListOptions{Limit: 1}),
	deleteAll("version-zero", remove, metav1.ListOptions{ResourceVersion: "0"}),
	deleteAll("version-garbage", remove, metav1.ListOptions{ResourceVersion: "x"}),
	deleteAll("dry-run", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}, all),
	deleteAll("dry-run-unknown", metav1.DeleteOptions{DryRun: []string{"x"}}, all),
	deleteAll("propagation-unknown", propagate("Sideways"), all),
	deleteAll("orphan", propagate(metav1.DeletePropagationOrphan), metav1.ListOptions{LabelSelector: "half=even"}),
	deleteAll("grace-period", metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](30)}, all),
	deleteAll("uid-wrong", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("other")}, all),
	probe("empty", func(p *P) { p.err("delete collection", p.relays().DeleteCollection(p.ctx, remove, all)) }),
	probe("twice", func(p *P) {
		before := p.add("a", finalized(finalizer))
		p.must("first", p.relays().DeleteCollection(p.ctx, remove, all))
		middle := p.read("a")
		p.err("second", p.relays().DeleteCollection(p.ctx, remove, all))
		p.printf("version: %s, then %s", compare(before.ResourceVersion, middle.ResourceVersion),
			compare(middle.ResourceVersion, p.read("a").ResourceVersion))
	}),
	probe("one-namespace", func(p *P) {
		p.add("a")
		_, err := p.relaysIn(p.other).Create(p.ctx, relay("a"), create)
		p.must("create", err)
		p.err("delete collection", p.relays().DeleteCollection(p.ctx, remove, all))
		_, err = p.relaysIn(p.other).Get(p.ctx, "a", get)
		p.err("get of the other namespace", err)
		p.survivors()
	}),
	probe("all-namespaces", func(p *P) {
		p.add("a", labeled(map[string]string{"run": p.id}))
		p.err("delete collection", p.relaysIn("").DeleteCollection(p.ctx, remove, metav1.ListOptions{LabelSelector: "run=" + p.id}))
		p.survivors()
	}),
	probe("cluster-scoped", func(p *P) {
		for _, name := range []string{"a", "b"} {
			c := class(name + p.id)
			c.Labels = map[string]string{"run": p.id, "name": name}
			_, err := p.classes().Create(p.ctx, c, create)
			p.must("create", err)
		}
		p.err("delete collection", p.classes().DeleteCollection(p.ctx, remove, metav1.ListOptions{LabelSelector: "run=" + p.id + ",name=a"}))
		list, err := p.classes().List(p.ctx, metav1.ListOptions{LabelSelector: "run=" + p.id})
		p.must("list", err)
		for i := range list.Items {
			p.printf("left: %s", list.Items[i].Name)
		}
	}),
	probe("events", func(p *P) {
		p.add("a")
		p.add("b", finalized(finalizer))
		watch := p.watch(metav1.ListOptions{ResourceVersion: p.read("b").ResourceVersion})
		p.must("delete collection", p.relays().DeleteCollection(p.ctx, remove, all))
		// Workers delete the objects, in any order.
		watch.sorted(2)
	}),
)
