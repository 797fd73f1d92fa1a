package contract

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

// deleteWith returns a probe that deletes a relay with finalizers and records the result.
func deleteWith(short string, finalizers []string, options metav1.DeleteOptions) Probe {
	return probe(short, func(p *P) {
		before := p.add("a", finalized(finalizers...))
		p.err("delete", p.relays().Delete(p.ctx, "a", options))
		p.remains("a", before)
	})
}

// remains records the remaining state of a relay.
func (p *P) remains(name string, before *edgev1alpha1.Relay) {
	after, err := p.relays().Get(p.ctx, name, get)
	if !p.err("get "+name, err) {
		return
	}
	p.showMeta("left", after)
	p.show("finalizers", after.Finalizers)
	p.printf("version: %s", compare(before.ResourceVersion, after.ResourceVersion))
}

func propagate(policy metav1.DeletionPropagation) metav1.DeleteOptions {
	return metav1.DeleteOptions{PropagationPolicy: &policy}
}

var deleteProbes = group("delete",
	deleteWith("plain", nil, remove),
	deleteWith("finalizer", []string{finalizer}, remove),
	deleteWith("background", nil, propagate(metav1.DeletePropagationBackground)),
	deleteWith("foreground-with-finalizer", []string{finalizer}, propagate(metav1.DeletePropagationForeground)),
	deleteWith("orphan-with-finalizer", []string{finalizer}, propagate(metav1.DeletePropagationOrphan)),
	deleteWith("foreground", nil, propagate(metav1.DeletePropagationForeground)),
	deleteWith("orphan", nil, propagate(metav1.DeletePropagationOrphan)),
	deleteWith("background-with-foreground-finalizer", []string{metav1.FinalizerDeleteDependents, finalizer},
		propagate(metav1.DeletePropagationBackground)),
	deleteWith("default-with-foreground-finalizer", []string{metav1.FinalizerDeleteDependents, finalizer}, remove),
	deleteWith("foreground-with-orphan-finalizer", []string{metav1.FinalizerOrphanDependents, finalizer},
		propagate(metav1.DeletePropagationForeground)),
	deleteWith("propagation-unknown", nil, propagate("Sideways")),
	deleteWith("orphan-dependents", []string{finalizer}, metav1.DeleteOptions{OrphanDependents: new(true)}), //nolint:staticcheck // servers still support it
	deleteWith("orphan-dependents-false", nil, metav1.DeleteOptions{OrphanDependents: new(false)}),          //nolint:staticcheck // servers still support it
	deleteWith("orphan-dependents-and-propagation", nil, metav1.DeleteOptions{
		OrphanDependents: new(true), PropagationPolicy: new(metav1.DeletePropagationOrphan), //nolint:staticcheck // servers still support it
	}),
	deleteWith("grace-period-zero", []string{finalizer}, metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))}),
	deleteWith("grace-period-30", []string{finalizer}, metav1.DeleteOptions{GracePeriodSeconds: new(int64(30))}),
	deleteWith("grace-period-30-without-finalizer", nil, metav1.DeleteOptions{GracePeriodSeconds: new(int64(30))}),
	deleteWith("grace-period-negative", []string{finalizer}, metav1.DeleteOptions{GracePeriodSeconds: new(int64(-5))}),
	deleteWith("dry-run", nil, metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}),
	deleteWith("dry-run-with-finalizer", []string{finalizer}, metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}),
	deleteWith("dry-run-unknown", nil, metav1.DeleteOptions{DryRun: []string{"x"}}),
	deleteWith("uid-wrong", nil, metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("other")}),
	deleteWith("version-wrong", nil, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: new("1")}}),
	deleteWith("uid-empty", nil, metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("")}),
	deleteWith("version-empty", nil, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: new("")}}),
	deleteWith("dry-run-uid-wrong", nil, metav1.DeleteOptions{
		DryRun: []string{metav1.DryRunAll}, Preconditions: metav1.NewUIDPreconditions("other"),
	}),
	probe("preconditions-met", func(p *P) {
		r := p.add("a")
		p.err("delete", p.relays().Delete(p.ctx, "a", metav1.DeleteOptions{
			Preconditions: &metav1.Preconditions{UID: &r.UID, ResourceVersion: &r.ResourceVersion},
		}))
		p.exists("a")
	}),
	probe("version-stale", func(p *P) {
		r := p.add("a")
		p.edit("a", setMTU(9000))
		err := p.relays().Delete(p.ctx, "a", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &r.ResourceVersion}})
		p.printf("delete: %s", maskVersion(describe(err), r.ResourceVersion))
		p.exists("a")
	}),
	probe("missing", func(p *P) { p.err("delete", p.relays().Delete(p.ctx, "a", remove)) }),
	probe("missing-with-precondition", func(p *P) {
		p.err("delete", p.relays().Delete(p.ctx, "a", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("u")}))
	}),
	probe("missing-dry-run", func(p *P) {
		p.err("delete", p.relays().Delete(p.ctx, "a", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}))
	}),
	probe("name-empty", func(p *P) { p.err("delete", p.relays().Delete(p.ctx, "", remove)) }),
	probe("twice", func(p *P) {
		p.add("a")
		p.drop("a")
		p.err("delete", p.relays().Delete(p.ctx, "a", remove))
	}),
	probe("twice-with-finalizer", func(p *P) {
		before := p.terminating("a", finalizer)
		p.err("delete", p.relays().Delete(p.ctx, "a", remove))
		p.remains("a", before)
		p.show("same time", before.DeletionTimestamp.Equal(p.read("a").DeletionTimestamp))
	}),
	probe("twice-with-other-propagation", func(p *P) {
		before := p.terminating("a", finalizer)
		p.err("delete", p.relays().Delete(p.ctx, "a", propagate(metav1.DeletePropagationForeground)))
		p.remains("a", before)
	}),
	probe("twice-with-wrong-uid", func(p *P) {
		p.terminating("a", finalizer)
		p.err("delete", p.relays().Delete(p.ctx, "a", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("other")}))
	}),
	probe("finalizer-removed-by-patch", func(p *P) {
		p.terminating("a", finalizer)
		r, err := p.relays().Patch(p.ctx, "a", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
		p.err("patch", err)
		p.show("finalizers", r.Finalizers)
		p.exists("a")
	}),
	probe("managed-fields", func(p *P) { p.showFields("fields", p.terminating("a", finalizer)) }),
	probe("owner-goes-first", func(p *P) {
		parent := p.add("a")
		p.add("b", owned(metav1.OwnerReference{APIVersion: edgev1alpha1.GroupVersion.String(), Kind: "Relay", Name: "a", UID: parent.UID}),
			finalized(finalizer))
		p.drop("a")
		p.exists("a")
	}),
	probe("cluster-scoped", func(p *P) {
		_, err := p.classes().Create(p.ctx, class(p.id), create)
		p.must("create", err)
		p.err("delete", p.classes().Delete(p.ctx, p.id, remove))
		_, err = p.classes().Get(p.ctx, p.id, get)
		p.err("get", err)
	}),
	probe("kind-without-update", func(p *P) {
		p.err("delete", p.client.FleetV1beta1().Alarms(p.namespace).Delete(p.ctx, "a", remove))
	}),
)
