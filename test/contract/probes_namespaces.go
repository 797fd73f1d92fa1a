package contract

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

var namespaceProbes = group("namespaces",
	probe("create-fills-in", func(p *P) {
		created := p.tryCreate("create", relay("a"), create)
		p.printf("namespace: %s", created.Namespace)
	}),
	probe("create-same", func(p *P) {
		p.tryCreate("create", relay("a", func(r *edgev1alpha1.Relay) { r.Namespace = p.namespace }), create)
	}),
	probe("create-mismatch", func(p *P) {
		p.tryCreate("create", relay("a", func(r *edgev1alpha1.Relay) { r.Namespace = p.other }), create)
	}),
	probe("create-without", func(p *P) {
		_, err := p.relaysIn("").Create(p.ctx, relay("a"), create)
		p.err("create", err)
	}),
	probe("create-with-namespace-only-in-object", func(p *P) {
		_, err := p.relaysIn("").Create(p.ctx, relay("a", func(r *edgev1alpha1.Relay) { r.Namespace = p.namespace }), create)
		p.err("create", err)
	}),
	probe("update-without", func(p *P) {
		_, err := p.relaysIn("").Update(p.ctx, p.add("a"), update)
		p.err("update", err)
	}),
	probe("delete-without", func(p *P) {
		p.add("a")
		p.err("delete", p.relaysIn("").Delete(p.ctx, "a", remove))
		p.exists("a")
	}),
	probe("patch-without", func(p *P) {
		p.add("a")
		_, err := p.relaysIn("").Patch(p.ctx, "a", types.MergePatchType, []byte(`{"spec":{"mtu":9000}}`), metav1.PatchOptions{})
		p.err("patch", err)
	}),
	probe("apply-takes-the-namespace-of-the-client", func(p *P) {
		c := p.config("a", spec().WithMTU(1400))
		c.Namespace = nil
		applied := p.tryApply("apply", c, as("me"))
		if applied != nil {
			p.printf("namespace: %s", applied.Namespace)
		}
	}),
	probe("same-name-in-two", func(p *P) {
		first := p.add("a")
		second, err := p.relaysIn(p.other).Create(p.ctx, relay("a", setMTU(9000)), create)
		p.must("create", err)
		p.show("same uid", first.UID == second.UID)
		p.show("first", p.read("a").Spec)
		p.drop("a")
		_, err = p.relaysIn(p.other).Get(p.ctx, "a", get)
		p.err("get of the other", err)
	}),
	probe("list-one", func(p *P) {
		p.add("a")
		_, err := p.relaysIn(p.other).Create(p.ctx, relay("b"), create)
		p.must("create", err)
		p.showList("list", all)
	}),
	probe("list-all-by-name", func(p *P) {
		p.add(p.id)
		_, err := p.relaysIn(p.other).Create(p.ctx, relay(p.id), create)
		p.must("create", err)
		list, err := p.relaysIn("").List(p.ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + p.id})
		p.must("list", err)
		for i := range list.Items {
			p.printf("%s/%s", list.Items[i].Namespace, list.Items[i].Name)
		}
	}),
	probe("list-all-by-namespace", func(p *P) {
		p.add("a")
		_, err := p.relaysIn(p.other).Create(p.ctx, relay("b"), create)
		p.must("create", err)
		list, err := p.relaysIn("").List(p.ctx, metav1.ListOptions{FieldSelector: "metadata.namespace=" + p.other})
		p.must("list", err)
		p.printf("%v", names(list))
	}),
	probe("invalid-name", func(p *P) {
		_, err := p.relaysIn("Not_Valid").Get(p.ctx, "a", get)
		p.err("get", err)
	}),
	probe("name-with-slash", func(p *P) {
		_, err := p.relaysIn("a/b").Get(p.ctx, "a", get)
		p.err("get", err)
	}),
	probe("cluster-scoped-answer", func(p *P) {
		created, err := p.regions().Create(p.ctx, region(p.id), create)
		p.must("create", err)
		p.showMeta("answer", created)
		p.printf("namespace: %q", created.Namespace)
	}),
	probe("cluster-scoped-with-namespace", func(p *P) {
		sent := region(p.id)
		sent.Namespace = p.namespace
		created, err := p.regions().Create(p.ctx, sent, create)
		if p.err("create", err) {
			p.printf("namespace: %q", created.Namespace)
		}
	}),
	probe("cluster-scoped-update-with-namespace", func(p *P) {
		sent, err := p.regions().Create(p.ctx, region(p.id), create)
		p.must("create", err)
		sent.Namespace, sent.Spec.Country = p.namespace, "SE"
		_, err = p.regions().Update(p.ctx, sent, update)
		p.err("update", err)
	}),
	probe("cluster-scoped-missing", func(p *P) {
		_, err := p.regions().Get(p.ctx, p.id, get)
		p.err("get", err)
		p.err("delete", p.regions().Delete(p.ctx, p.id, remove))
		_, err = p.regions().Update(p.ctx, region(p.id), update)
		p.err("update", err)
	}),
	probe("cluster-scoped-duplicate", func(p *P) {
		_, err := p.regions().Create(p.ctx, region(p.id), create)
		p.must("create", err)
		_, err = p.regions().Create(p.ctx, region(p.id), create)
		p.err("create", err)
	}),
	probe("cluster-scoped-by-name", func(p *P) {
		_, err := p.regions().Create(p.ctx, region(p.id), create)
		p.must("create", err)
		list, err := p.regions().List(p.ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + p.id})
		p.must("list", err)
		p.printf("%d items", len(list.Items))
		list, err = p.regions().List(p.ctx, metav1.ListOptions{FieldSelector: "metadata.namespace=x"})
		p.err("by namespace", err)
		if list != nil {
			p.printf("%d items", len(list.Items))
		}
	}),
	probe("cluster-scoped-unusual-plural", func(p *P) {
		_, err := p.client.FleetV1().Chassises().Get(p.ctx, p.id, get)
		p.err("get", err)
	}),
)
