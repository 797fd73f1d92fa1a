package contract

import (
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

// tryStatus updates the status of a relay, and records the error.
func (p *P) tryStatus(label string, r *edgev1alpha1.Relay, options metav1.UpdateOptions) *edgev1alpha1.Relay {
	updated, err := p.relays().UpdateStatus(p.ctx, r, options)
	if !p.err(label, err) {
		return nil
	}
	return updated
}

// statusWith returns a probe that changes a relay and updates its status.
func statusWith(short string, mutate func(*edgev1alpha1.Relay), show func(*edgev1alpha1.Relay) any) Probe {
	return probe(short, func(p *P) {
		created := p.add("a", labeled(map[string]string{"a": "b"}))
		sent := created.DeepCopy()
		mutate(sent)
		updated := p.tryStatus("update status", sent, update)
		if updated == nil {
			return
		}
		p.printf("version: %s, generation: %d", compare(created.ResourceVersion, updated.ResourceVersion), updated.Generation)
		if show != nil {
			p.show("answer", show(updated))
		}
		p.show("get returns the answer", equality.Semantic.DeepEqual(updated, p.read("a")))
	})
}

func setTunnels(names ...string) func(*edgev1alpha1.Relay) {
	return func(r *edgev1alpha1.Relay) { r.Status.Tunnels = names }
}

var statusProbes = group("status",
	statusWith("status", setTunnels("t"), func(r *edgev1alpha1.Relay) any { return r.Status }),
	statusWith("spec-ignored", func(r *edgev1alpha1.Relay) { r.Spec.MTU, r.Status.Tunnels = 9000, []string{"t"} },
		func(r *edgev1alpha1.Relay) any { return []any{r.Spec, r.Status} }),
	statusWith("only-spec-changed", setMTU(9000), func(r *edgev1alpha1.Relay) any { return r.Spec }),
	statusWith("labels-ignored", func(r *edgev1alpha1.Relay) {
		r.Labels, r.Status.Tunnels = map[string]string{"a": "c"}, []string{"t"}
	}, func(r *edgev1alpha1.Relay) any { return r.Labels }),
	statusWith("annotations-ignored", func(r *edgev1alpha1.Relay) { r.Annotations = map[string]string{"x": "y"} },
		func(r *edgev1alpha1.Relay) any { return r.Annotations }),
	statusWith("labels-invalid", func(r *edgev1alpha1.Relay) {
		r.Labels, r.Status.Tunnels = map[string]string{"a b": "c"}, []string{"t"}
	}, func(r *edgev1alpha1.Relay) any { return r.Labels }),
	statusWith("finalizers-ignored", finalized(finalizer), func(r *edgev1alpha1.Relay) any { return r.Finalizers }),
	statusWith("owners-ignored", owned(owner("Thing", "t", "u1")), ownersOf),
	statusWith("nothing", func(*edgev1alpha1.Relay) {}, nil),
	probe("nothing-twice", func(p *P) {
		first := p.tryStatus("first", p.add("a"), update)
		second := p.tryStatus("second", first, update)
		p.printf("version: %s", compare(first.ResourceVersion, second.ResourceVersion))
	}),
	statusWith("version-missing", func(r *edgev1alpha1.Relay) { r.ResourceVersion, r.Status.Tunnels = "", []string{"t"} }, nil),
	statusWith("version-garbage", func(r *edgev1alpha1.Relay) { r.ResourceVersion, r.Status.Tunnels = "x", []string{"t"} }, nil),
	statusWith("uid-wrong", func(r *edgev1alpha1.Relay) { r.UID, r.Status.Tunnels = "other", []string{"t"} }, nil),
	statusWith("name-missing", func(r *edgev1alpha1.Relay) { r.Name = "" }, nil),
	statusWith("namespace-wrong", func(r *edgev1alpha1.Relay) { r.Namespace = "elsewhere" }, nil),
	probe("version-stale", func(p *P) {
		stale := p.add("a")
		p.edit("a", setMTU(9000))
		setTunnels("t")(stale)
		p.tryStatus("update status", stale, update)
		p.show("status", p.read("a").Status)
	}),
	probe("missing-object", func(p *P) {
		sent := relay("a", setTunnels("t"))
		p.tryStatus("without a version", sent, update)
		sent.ResourceVersion = "1"
		p.tryStatus("with a version", sent, update)
	}),
	probe("kept-by-update", func(p *P) {
		sent := p.add("a")
		setTunnels("t")(sent)
		sent = p.tryStatus("update status", sent, update)
		sent.Status, sent.Spec.MTU = edgev1alpha1.RelayStatus{}, 9000
		updated := p.tryUpdate("update", sent, update)
		p.show("status", updated.Status)
		p.show("spec", updated.Spec)
		p.show("generation", updated.Generation)
	}),
	probe("update-with-only-status", func(p *P) {
		created := p.add("a")
		sent := created.DeepCopy()
		setTunnels("t")(sent)
		updated := p.tryUpdate("update", sent, metav1.UpdateOptions{FieldManager: "other"})
		p.printf("version: %s", compare(created.ResourceVersion, updated.ResourceVersion))
		p.showFields("fields", updated)
	}),
	probe("cleared", func(p *P) {
		sent := p.add("a")
		setTunnels("t")(sent)
		sent = p.tryStatus("set", sent, update)
		sent.Status = edgev1alpha1.RelayStatus{}
		p.show("status", p.tryStatus("clear", sent, update).Status)
	}),
	probe("managed-fields", func(p *P) {
		sent := p.add("a")
		setTunnels("t")(sent)
		sent.Spec.MTU = 9000
		p.showFields("fields", p.tryStatus("update status", sent, metav1.UpdateOptions{FieldManager: "reporter"}))
	}),
	probe("managed-fields-given", func(p *P) {
		sent := p.add("a")
		setTunnels("t")(sent)
		sent.ManagedFields = nil
		p.showFields("fields", p.tryStatus("update status", sent, metav1.UpdateOptions{FieldManager: "reporter"}))
	}),
	probe("terminating", func(p *P) {
		sent := p.terminating("a", finalizer)
		setTunnels("t")(sent)
		updated := p.tryStatus("update status", sent, update)
		p.showMeta("answer", updated)
		p.show("status", updated.Status)
	}),
	probe("terminating-last-finalizer-removed", func(p *P) {
		sent := p.terminating("a", finalizer)
		setTunnels("t")(sent)
		sent.Finalizers = nil
		p.show("finalizers", p.tryStatus("update status", sent, update).Finalizers)
		p.exists("a")
	}),
	probe("dry-run", func(p *P) {
		sent := p.add("a")
		setTunnels("t")(sent)
		p.show("answer", p.tryStatus("update status", sent, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}}).Status)
		p.show("stored", p.read("a").Status)
	}),
	probe("argument-unchanged", func(p *P) {
		sent := p.add("a")
		sent.Spec.MTU, sent.Status.Tunnels = 9000, []string{"t"}
		before := sent.DeepCopy()
		p.tryStatus("update status", sent, update)
		p.show("unchanged", equality.Semantic.DeepEqual(before, sent))
	}),
	probe("kind-without-subresource", func(p *P) {
		_, err := p.heartbeats().Create(p.ctx, heartbeat("a"), create)
		p.must("create", err)
		_, err = p.heartbeats().Patch(p.ctx, "a", types.MergePatchType, []byte(`{"status":{"version":"2"}}`), metav1.PatchOptions{}, "status")
		p.err("patch status", err)
	}),
	probe("kind-without-status", func(p *P) {
		_, err := p.classes().Create(p.ctx, class(p.id), create)
		p.must("create", err)
		_, err = p.classes().Patch(p.ctx, p.id, types.MergePatchType, []byte(`{"status":{}}`), metav1.PatchOptions{}, "status")
		p.err("patch status", err)
	}),
	probe("cluster-scoped", func(p *P) {
		sent, err := p.regions().Create(p.ctx, region(p.id), create)
		p.must("create", err)
		sent.Spec.Country, sent.Status.Phase = "SE", "Open"
		updated, err := p.regions().UpdateStatus(p.ctx, sent, update)
		p.must("update status", err)
		p.printf("country=%s phase=%s generation=%d", updated.Spec.Country, updated.Status.Phase, updated.Generation)
	}),
	needsCRD("invalid", func(p *P) {
		sent := p.add("a")
		sent.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: "Maybe", Reason: "x"}}
		p.tryStatus("update status", sent, update)
	}),
	needsCRD("duplicate-condition", func(p *P) {
		sent := p.add("a")
		ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Good", LastTransitionTime: metav1.NewTime(noon)}
		sent.Status.Conditions = []metav1.Condition{ready, ready}
		p.tryStatus("update status", sent, update)
	}),
	probe("invalid-spec-ignored", func(p *P) {
		sent := p.add("a")
		sent.Spec.MTU, sent.Status.Tunnels = 1, []string{"t"}
		p.show("spec", p.tryStatus("update status", sent, update).Spec)
	}),
)
