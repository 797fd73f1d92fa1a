package contract

import (
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

// tryUpdate updates a relay, and records the error.
func (p *P) tryUpdate(label string, r *edgev1alpha1.Relay, options metav1.UpdateOptions) *edgev1alpha1.Relay {
	updated, err := p.relays().Update(p.ctx, r, options)
	if !p.err(label, err) {
		return nil
	}
	return updated
}

// updateWith returns a probe that creates a relay, changes it, updates it, and records how the version and the generation
// changed, together with the part of the answer that show returns.
func updateWith(short string, mutate func(*edgev1alpha1.Relay), show func(*edgev1alpha1.Relay) any) Probe {
	return probe(short, func(p *P) {
		created := p.add("a", labeled(map[string]string{"a": "b"}))
		sent := created.DeepCopy()
		mutate(sent)
		updated := p.tryUpdate("update", sent, update)
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

func setMTU(mtu int32) func(*edgev1alpha1.Relay) {
	return func(r *edgev1alpha1.Relay) { r.Spec.MTU = mtu }
}

var updateProbes = group("update",
	updateWith("spec", setMTU(9000), func(r *edgev1alpha1.Relay) any { return r.Spec }),
	updateWith("labels", func(r *edgev1alpha1.Relay) { r.Labels["a"] = "c" }, func(r *edgev1alpha1.Relay) any { return r.Labels }),
	updateWith("labels-removed", func(r *edgev1alpha1.Relay) { r.Labels = nil }, func(r *edgev1alpha1.Relay) any { return r.Labels }),
	updateWith("annotations", func(r *edgev1alpha1.Relay) { r.Annotations = map[string]string{"x": "y"} }, nil),
	updateWith("finalizers", finalized(finalizer), nil),
	updateWith("owners", owned(owner("Thing", "t", "u1")), nil),
	updateWith("owners-twice", owned(owner("Thing", "t", "u1"), owner("Thing", "t", "u1")), ownersOf),
	updateWith("status", func(r *edgev1alpha1.Relay) { r.Status.Tunnels = []string{"t"} }, func(r *edgev1alpha1.Relay) any { return r.Status }),
	updateWith("nothing", func(*edgev1alpha1.Relay) {}, nil),
	updateWith("nil-to-empty", func(r *edgev1alpha1.Relay) { r.Spec.Contacts, r.Annotations = []string{}, map[string]string{} }, nil),
	updateWith("version-missing", func(r *edgev1alpha1.Relay) { r.ResourceVersion = "" }, nil),
	updateWith("version-zero", func(r *edgev1alpha1.Relay) { r.ResourceVersion = "0" }, nil),
	updateWith("version-garbage", func(r *edgev1alpha1.Relay) { r.ResourceVersion = "x" }, nil),
	updateWith("version-future", func(r *edgev1alpha1.Relay) { r.ResourceVersion = "999999999" }, nil),
	updateWith("uid-wrong", func(r *edgev1alpha1.Relay) { r.UID = "other" }, nil),
	updateWith("uid-missing", func(r *edgev1alpha1.Relay) { r.UID, r.Spec.MTU = "", 9000 },
		func(r *edgev1alpha1.Relay) any { return set(string(r.UID)) }),
	updateWith("creation-time-changed", func(r *edgev1alpha1.Relay) { r.CreationTimestamp = metav1.NewTime(noon) },
		func(r *edgev1alpha1.Relay) any { return r.CreationTimestamp.Year() == noon.Year() }),
	updateWith("creation-time-missing", func(r *edgev1alpha1.Relay) { r.CreationTimestamp = metav1.Time{} },
		func(r *edgev1alpha1.Relay) any { return r.CreationTimestamp.IsZero() }),
	updateWith("deletion-time-set", func(r *edgev1alpha1.Relay) { r.DeletionTimestamp = new(metav1.NewTime(noon)) },
		func(r *edgev1alpha1.Relay) any { return r.DeletionTimestamp != nil }),
	updateWith("deletion-grace-period-set", func(r *edgev1alpha1.Relay) { r.DeletionGracePeriodSeconds = new(int64(5)) },
		func(r *edgev1alpha1.Relay) any { return r.DeletionGracePeriodSeconds }),
	updateWith("generation-set", func(r *edgev1alpha1.Relay) { r.Generation = 7 }, nil),
	updateWith("generate-name-set", func(r *edgev1alpha1.Relay) { r.GenerateName = "x-" },
		func(r *edgev1alpha1.Relay) any { return r.GenerateName }),
	updateWith("self-link-set", func(r *edgev1alpha1.Relay) { r.SetSelfLink("/here") }, func(r *edgev1alpha1.Relay) any { return r.GetSelfLink() }),
	updateWith("labels-invalid", func(r *edgev1alpha1.Relay) { r.Labels = map[string]string{"a b": "c"} }, nil),
	updateWith("owner-invalid", owned(owner("Thing", "t", "")), nil),
	updateWith("name-missing", func(r *edgev1alpha1.Relay) { r.Name = "" }, nil),
	updateWith("name-of-another", func(r *edgev1alpha1.Relay) { r.Name = "b" }, nil),
	updateWith("namespace-missing", func(r *edgev1alpha1.Relay) { r.Namespace, r.Spec.MTU = "", 9000 }, nil),
	updateWith("namespace-wrong", func(r *edgev1alpha1.Relay) { r.Namespace = "elsewhere" }, nil),
	updateWith("type-meta-wrong", func(r *edgev1alpha1.Relay) { r.Kind, r.APIVersion = "Tunnel", "example.com/v9" }, nil),
	probe("version-stale", func(p *P) {
		stale := p.add("a")
		p.edit("a", setMTU(9000))
		p.tryUpdate("update", stale, update)
		p.show("spec", p.read("a").Spec)
	}),
	probe("version-stale-and-invalid", func(p *P) {
		stale := p.add("a")
		p.edit("a", setMTU(9000))
		stale.Labels = map[string]string{"a b": "c"}
		p.tryUpdate("update", stale, update)
	}),
	probe("version-stale-but-same", func(p *P) {
		stale := p.add("a")
		p.edit("a", setMTU(9000))
		stale.Spec.MTU = 9000
		p.tryUpdate("update", stale, update)
	}),
	probe("missing-object", func(p *P) {
		sent := relay("a")
		sent.ResourceVersion = "1"
		p.tryUpdate("with a version", sent, update)
		p.tryUpdate("without a version", relay("a"), update)
		sent.UID = "u"
		p.tryUpdate("with a uid", sent, update)
	}),
	probe("deleted-and-created", func(p *P) {
		before := p.add("a")
		p.drop("a")
		p.add("a")
		p.tryUpdate("update", before, update)
	}),
	probe("of-deleted", func(p *P) {
		before := p.add("a")
		p.drop("a")
		p.tryUpdate("update", before, update)
	}),
	probe("argument-unchanged", func(p *P) {
		sent := p.add("a")
		sent.Spec.MTU, sent.Status.Tunnels = 9000, []string{"t"}
		before := sent.DeepCopy()
		p.tryUpdate("update", sent, update)
		p.show("unchanged", equality.Semantic.DeepEqual(before, sent))
	}),
	probe("not-shared", func(p *P) {
		sent := p.add("a", labeled(map[string]string{"a": "b"}))
		sent.Spec.MTU = 9000
		answer := p.tryUpdate("update", sent, update)
		sent.Labels["a"], answer.Labels["a"] = "changed", "changed"
		p.show("labels", p.read("a").Labels)
	}),
	probe("type-meta", func(p *P) {
		sent := p.add("a")
		sent.Spec.MTU = 9000
		p.show("answer", p.tryUpdate("update", sent, update).TypeMeta)
	}),
	probe("generations", func(p *P) {
		p.add("a")
		for i := range int32(3) {
			p.show("generation", p.edit("a", setMTU(2000+i)).Generation)
		}
	}),
	probe("status-that-is-no-subresource", func(p *P) {
		created, err := p.heartbeats().Create(p.ctx, heartbeat("a"), create)
		p.must("create", err)
		created.Status.Version = "2"
		updated, err := p.heartbeats().Update(p.ctx, created, update)
		p.must("update", err)
		p.show("status", updated.Status)
		p.show("generation", updated.Generation)
	}),
	probe("dry-run", func(p *P) {
		sent := p.add("a")
		before := sent.ResourceVersion
		sent.Spec.MTU = 9000
		answer := p.tryUpdate("update", sent, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
		p.printf("version of the answer: %s, generation: %d", compare(before, answer.ResourceVersion), answer.Generation)
		p.show("spec of the answer", answer.Spec)
		p.show("stored", p.read("a").Spec)
		p.printf("version: %s", compare(before, p.read("a").ResourceVersion))
	}),
	probe("dry-run-stale", func(p *P) {
		stale := p.add("a")
		p.edit("a", setMTU(9000))
		p.tryUpdate("update", stale, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
	}),
	probe("options-invalid", func(p *P) {
		sent := p.add("a")
		sent.Spec.MTU = 9000
		p.tryUpdate("update", sent, metav1.UpdateOptions{DryRun: []string{"x"}})
		p.tryUpdate("update", sent, metav1.UpdateOptions{FieldValidation: "x"})
		p.show("spec", p.read("a").Spec)
	}),
)
