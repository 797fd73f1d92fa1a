package contract

import (
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	edgev1alpha1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/edge/v1alpha1"
	fleetv1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
)

var applyMoreProbes = group("apply",
	probe("version-current", func(p *P) {
		created := p.add("a")
		p.tryPatch("apply", types.ApplyPatchType, quoted(created.ResourceVersion), me)
	}),
	probe("name-missing", func(p *P) {
		p.tryApply("apply", edgev1alpha1ac.Relay("", p.namespace), as("me"))
		p.tryApply("nil", nil, as("me"))
	}),
	probe("configuration-unchanged", func(p *P) {
		c := p.config("a", spec().WithMTU(1400))
		before := *c.Spec
		p.tryApply("apply", c, as("me"))
		p.show("unchanged", equality.Semantic.DeepEqual(before, *c.Spec) && c.ResourceVersion == nil && c.UID == nil)
	}),
	probe("status", func(p *P) {
		before := p.apply(p.config("a", spec().WithMTU(1400)), "me")
		c := p.tunnelsConfig("t").WithSpec(spec().WithMTU(9000)).WithLabels(map[string]string{"a": "b"})
		applied, err := p.relays().ApplyStatus(p.ctx, c, as("reporter"))
		p.must("apply status", err)
		p.printf("version: %s, generation: %d", compare(before.ResourceVersion, applied.ResourceVersion), applied.Generation)
		p.show("spec", applied.Spec)
		p.show("status", applied.Status)
		p.show("labels", applied.Labels)
		p.showFields("fields", applied)
	}),
	probe("status-of-missing", func(p *P) {
		_, err := p.relays().ApplyStatus(p.ctx, p.tunnelsConfig("t"), as("me"))
		p.err("apply status", err)
	}),
	probe("status-twice", func(p *P) {
		p.add("a")
		first, err := p.relays().ApplyStatus(p.ctx, p.tunnelsConfig("t"), as("me"))
		p.must("first", err)
		second, err := p.relays().ApplyStatus(p.ctx, p.tunnelsConfig("t"), as("me"))
		p.must("second", err)
		p.printf("version: %s", compare(first.ResourceVersion, second.ResourceVersion))
	}),
	probe("status-shared", func(p *P) {
		p.add("a")
		for i, manager := range []string{"one", "two"} {
			_, err := p.relays().ApplyStatus(p.ctx, p.tunnelsConfig([]string{"s", "t"}[i]), as(manager))
			p.must("apply", err)
		}
		p.show("tunnels", len(p.read("a").Status.Tunnels))
		applied, err := p.relays().ApplyStatus(p.ctx, p.tunnelsConfig(), as("one"))
		p.must("apply", err)
		p.show("tunnels", applied.Status.Tunnels)
	}),
	probe("status-through-main", func(p *P) {
		p.add("a")
		applied := p.tryApply("apply", p.tunnelsConfig("t"), as("me"))
		p.show("status", applied.Status)
		p.showFields("fields", applied)
	}),
	probe("status-conflict", func(p *P) {
		r := p.add("a")
		r.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: "True", Reason: "A", LastTransitionTime: metav1.NewTime(noon)}}
		_, err := p.relays().UpdateStatus(p.ctx, r, metav1.UpdateOptions{FieldManager: "reporter"})
		p.must("update status", err)
		_, err = p.relays().Patch(p.ctx, "a", types.ApplyPatchType,
			[]byte(`{`+relayType+`,"metadata":{"name":"a"},"status":{"conditions":[{"type":"Ready","status":"False"}]}}`), me, "status")
		p.err("apply status", err)
	}),
	probe("terminating", func(p *P) {
		p.terminating("a", finalizer)
		applied := p.tryApply("apply", p.config("a", spec().WithKeepalive(5)), as("me"))
		p.showMeta("answer", applied)
		p.tryApply("another finalizer", p.config("a", nil).WithFinalizers("example.com/late"), as("me"))
	}),
	probe("last-finalizer-of-terminating", func(p *P) {
		p.apply(p.config("a", nil).WithFinalizers(finalizer), "me")
		p.drop("a")
		p.tryApply("apply", p.config("a", nil), as("me"))
		p.exists("a")
	}),
	probe("deleted-and-applied", func(p *P) {
		before := p.apply(p.config("a", spec().WithMTU(1400)), "me")
		p.drop("a")
		after := p.tryApply("apply", p.config("a", spec().WithMTU(1400)), as("me"))
		p.show("new uid", before.UID != after.UID)
	}),
	probe("dry-run-create", func(p *P) {
		p.inhabit()
		applied := p.tryApply("apply", p.config("a", spec().WithMTU(1400)), metav1.ApplyOptions{FieldManager: "me", DryRun: []string{metav1.DryRunAll}})
		p.showMeta("answer", applied)
		p.exists("a")
	}),
	probe("dry-run-update", func(p *P) {
		before := p.apply(p.config("a", spec().WithMTU(1400)), "me")
		applied := p.tryApply("apply", p.config("a", spec().WithMTU(9000)), metav1.ApplyOptions{FieldManager: "me", DryRun: []string{metav1.DryRunAll}})
		p.printf("version: %s, generation: %d", compare(before.ResourceVersion, applied.ResourceVersion), applied.Generation)
		p.show("answer", applied.Spec)
		p.show("stored", p.read("a").Spec)
	}),
	probe("dry-run-conflict", func(p *P) {
		p.apply(p.config("a", spec().WithMTU(1400)), "one")
		p.tryApply("apply", p.config("a", spec().WithMTU(9000)), metav1.ApplyOptions{FieldManager: "two", DryRun: []string{metav1.DryRunAll}})
	}),
	probe("extract", func(p *P) {
		applied := p.apply(p.config("a", spec().WithMTU(1400).WithContacts("x")).WithLabels(map[string]string{"a": "b"}), "me")
		extracted, err := edgev1alpha1ac.ExtractRelay(applied, "me")
		p.must("extract", err)
		p.show("extracted", extracted)
		again := p.tryApply("apply", extracted, as("me"))
		p.printf("version: %s", compare(applied.ResourceVersion, again.ResourceVersion))
		none, err := edgev1alpha1ac.ExtractRelay(applied, "nobody")
		p.must("extract", err)
		p.show("of nobody", none)
	}),
	probe("extract-after-update", func(p *P) {
		p.apply(p.config("a", spec().WithMTU(1400).WithContacts("x")), "me")
		extracted, err := edgev1alpha1ac.ExtractRelay(p.edit("a", setMTU(9000)), "me")
		p.must("extract", err)
		p.show("extracted", extracted)
	}),
	probe("extract-status", func(p *P) {
		p.add("a")
		applied, err := p.relays().ApplyStatus(p.ctx, p.tunnelsConfig("t"), as("me"))
		p.must("apply status", err)
		extracted, err := edgev1alpha1ac.ExtractRelayStatus(applied, "me")
		p.must("extract", err)
		p.show("status", extracted)
		extracted, err = edgev1alpha1ac.ExtractRelay(applied, "me")
		p.must("extract", err)
		p.show("main", extracted)
	}),
	probe("update-takes-over", func(p *P) {
		p.apply(p.config("a", spec().WithMTU(1400).WithKeepalive(5)), "applier")
		p.showFields("after an update", p.edit("a", setMTU(9000)))
		p.tryApply("apply again", p.config("a", spec().WithMTU(1400).WithKeepalive(5)), as("applier"))
	}),
	probe("update-of-same-manager", func(p *P) {
		r := p.apply(p.config("a", spec().WithMTU(1400)), "me")
		r.Spec.MTU = 9000
		p.showFields("fields", p.tryUpdate("update", r, metav1.UpdateOptions{FieldManager: "me"}))
		p.tryApply("apply", p.config("a", spec().WithMTU(2000)), as("me"))
	}),
	probe("merge-patch-takes-over", func(p *P) {
		p.apply(p.config("a", spec().WithMTU(1400)), "applier")
		p.showFields("fields", p.mergePatch("a", `{"spec":{"mtu":9000}}`))
	}),
	probe("first-apply-after-create", func(p *P) {
		r := p.add("a", func(r *edgev1alpha1.Relay) { r.Spec.Contacts = []string{"x"} })
		applied := p.tryApply("apply", p.config("a", spec().WithMTU(1400).WithContacts("y")), as("me"))
		p.printf("version: %s", compare(r.ResourceVersion, applied.ResourceVersion))
		p.show("contacts", applied.Spec.Contacts)
		p.showFields("fields", applied)
	}),
	probe("after-managed-fields-reset", func(p *P) {
		p.add("a")
		p.edit("a", func(r *edgev1alpha1.Relay) { r.ManagedFields = []metav1.ManagedFieldsEntry{{}} })
		p.tryApply("apply", p.config("a", spec().WithMTU(9000)), as("me"))
		p.showFields("fields", p.read("a"))
	}),
	probe("cluster-scoped", func(p *P) {
		c := fleetv1ac.Region(p.id).WithSpec(fleetv1ac.RegionSpec().WithCountry("NO").WithEndpoint("https://a.example.com"))
		applied, err := p.regions().Apply(p.ctx, c, as("me"))
		p.must("apply", err)
		p.show("spec", applied.Spec)
		p.show("generation", applied.Generation)
	}),
	probe("kind-without-status", func(p *P) {
		c := fleetv1ac.Heartbeat("a", p.namespace).WithStatus(fleetv1ac.HeartbeatStatus().WithVersion("1"))
		applied, err := p.heartbeats().Apply(p.ctx, c, as("me"))
		p.must("apply", err)
		p.show("status", applied.Status)
		p.showFields("fields", applied)
	}),
	probe("owners", func(p *P) {
		p.tryPatch("one", types.ApplyPatchType, `{`+relayType+`,"metadata":{"name":"a","ownerReferences":[{"apiVersion":"v1","kind":"A","name":"a","uid":"u1"}]}}`,
			metav1.PatchOptions{FieldManager: "one"})
		applied := p.tryPatch("two", types.ApplyPatchType, `{`+relayType+`,"metadata":{"name":"a","ownerReferences":[{"apiVersion":"v1","kind":"B","name":"b","uid":"u2"}]}}`,
			metav1.PatchOptions{FieldManager: "two"})
		p.show("owners", applied.OwnerReferences)
	}),
	needsCRD("defaults", func(p *P) {
		c := fleetv1ac.Workload("a", p.namespace).WithSpec(fleetv1ac.WorkloadSpec().WithRegionName("north").
			WithTemplate(fleetv1ac.WorkloadTemplate().WithImage("image:1")))
		applied, err := p.workloads().Apply(p.ctx, c, as("me"))
		p.must("apply", err)
		p.show("spec", applied.Spec)
		p.showFields("fields", applied)
	}),
	needsCRD("invalid", func(p *P) { p.tryApply("apply", p.config("a", spec().WithMTU(1)), as("me")) }),
	needsCRD("unknown-field", func(p *P) {
		p.tryPatch("apply", types.ApplyPatchType, `{`+relayType+`,"metadata":{"name":"a"},"spec":{"color":"red"}}`, me)
		p.tryPatch("strict", types.ApplyPatchType, `{`+relayType+`,"metadata":{"name":"a"},"spec":{"color":"red"}}`,
			metav1.PatchOptions{FieldManager: "me", FieldValidation: metav1.FieldValidationStrict})
	}),
)
