package contract

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// terminating creates a relay with finalizers, deletes it and returns it.
func (p *P) terminating(name string, finalizers ...string) *edgev1alpha1.Relay {
	p.add(name, finalized(finalizers...))
	p.drop(name)
	return p.read(name)
}

// updateWorkload returns a probe that updates a workload and records the error.
func updateWorkload(short string, mutate func(*fleetv1.Workload)) Probe {
	return needsCRD(short, func(p *P) {
		sent, err := p.workloads().Create(p.ctx, workload("a"), create)
		p.must("create", err)
		mutate(sent)
		updated, err := p.workloads().Update(p.ctx, sent, update)
		if p.err("update", err) {
			p.show("spec", updated.Spec)
			p.show("generation", updated.Generation)
		}
	})
}

var updateMoreProbes = group("update",
	probe("terminating-finalizer-added", func(p *P) {
		sent := p.terminating("a", finalizer)
		sent.Finalizers = append(sent.Finalizers, "example.com/late")
		p.tryUpdate("update", sent, update)
	}),
	probe("terminating-finalizer-exchanged", func(p *P) {
		sent := p.terminating("a", finalizer)
		sent.Finalizers = []string{"example.com/late"}
		p.tryUpdate("update", sent, update)
	}),
	probe("terminating-one-finalizer-removed", func(p *P) {
		sent := p.terminating("a", finalizer, "example.com/other")
		sent.Finalizers = []string{"example.com/other"}
		updated := p.tryUpdate("update", sent, update)
		p.showMeta("answer", updated)
		p.show("finalizers", updated.Finalizers)
		p.exists("a")
	}),
	probe("terminating-last-finalizer-removed", func(p *P) {
		sent := p.terminating("a", finalizer)
		sent.Finalizers = nil
		updated := p.tryUpdate("update", sent, update)
		p.showMeta("answer", updated)
		p.show("finalizers", updated.Finalizers)
		p.printf("version: %s", compare(sent.ResourceVersion, updated.ResourceVersion))
		p.exists("a")
	}),
	probe("terminating-last-finalizer-removed-stale", func(p *P) {
		stale := p.terminating("a", finalizer)
		p.edit("a", setMTU(9000))
		stale.Finalizers = nil
		p.tryUpdate("update", stale, update)
		p.exists("a")
	}),
	probe("terminating-last-finalizer-removed-dry-run", func(p *P) {
		sent := p.terminating("a", finalizer)
		sent.Finalizers = nil
		p.tryUpdate("update", sent, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
		p.show("finalizers", p.read("a").Finalizers)
	}),
	probe("terminating-spec", func(p *P) {
		sent := p.terminating("a", finalizer)
		sent.Spec.MTU = 9000
		updated := p.tryUpdate("update", sent, update)
		p.showMeta("answer", updated)
		p.show("spec", updated.Spec)
	}),
	probe("terminating-revived", func(p *P) {
		sent := p.terminating("a", finalizer)
		sent.DeletionTimestamp, sent.DeletionGracePeriodSeconds = nil, nil
		p.showMeta("answer", p.tryUpdate("update", sent, update))
	}),
	probe("last-finalizer-removed-while-alive", func(p *P) {
		p.add("a", finalized(finalizer))
		p.edit("a", finalized())
		p.exists("a")
	}),
	probe("managed-fields-of-two", func(p *P) {
		p.add("a")
		updated := p.edit("a", func(r *edgev1alpha1.Relay) { r.Spec.MTU, r.Spec.Contacts = 9000, []string{"x"} })
		p.showFields("fields", updated)
	}),
	probe("managed-fields-of-removed-fields", func(p *P) {
		p.add("a", labeled(map[string]string{"a": "b"}))
		p.showFields("fields", p.edit("a", func(r *edgev1alpha1.Relay) { r.Labels, r.Spec.MTU = nil, 0 }))
	}),
	probe("managed-fields-unset", func(p *P) {
		p.add("a")
		p.showFields("fields", p.edit("a", func(r *edgev1alpha1.Relay) { r.ManagedFields, r.Spec.MTU = nil, 9000 }))
	}),
	probe("managed-fields-reset", func(p *P) {
		p.add("a")
		p.showFields("fields", p.edit("a", func(r *edgev1alpha1.Relay) {
			r.ManagedFields = []metav1.ManagedFieldsEntry{{}}
		}))
	}),
	probe("managed-fields-garbage", func(p *P) {
		p.add("a")
		sent := p.read("a")
		sent.ManagedFields[0].Operation = "Eat"
		if updated := p.tryUpdate("update", sent, metav1.UpdateOptions{FieldManager: "updater"}); updated != nil {
			p.showFields("fields", updated)
		}
	}),
	probe("managed-fields-nothing-changed", func(p *P) {
		p.add("a")
		p.showFields("fields", p.edit("a", func(*edgev1alpha1.Relay) {}))
	}),
	probe("managed-fields-same-manager", func(p *P) {
		sent := p.add("a")
		sent.Spec.MTU = 9000
		p.showFields("fields", p.tryUpdate("update", sent, metav1.UpdateOptions{FieldManager: "creator"}))
	}),
	updateWorkload("immutable-by-rule", func(w *fleetv1.Workload) { w.Spec.RegionName = "south" }),
	updateWorkload("default-removed", func(w *fleetv1.Workload) { w.Spec.Replicas = nil }),
	updateWorkload("below-minimum", func(w *fleetv1.Workload) { *w.Spec.Replicas = -1 }),
)
