package contract

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

var yes = new(true)

// unknownField returns a probe that patches with a field that is not in the schema.
func unknownField(short, validation string) Probe {
	return needsCRD(short, func(p *P) {
		p.add("a")
		patched := p.tryPatch("patch", types.MergePatchType, `{"spec":{"mtu":9000,"color":"red"}}`,
			metav1.PatchOptions{FieldValidation: validation})
		if patched != nil {
			p.show("spec", patched.Spec)
		}
	})
}

// duplicateField returns a probe that patches with a duplicate field.
func duplicateField(short, validation string) Probe {
	return probe(short, func(p *P) {
		p.add("a")
		p.tryPatch("patch", types.MergePatchType, `{"spec":{"mtu":9000,"mtu":9001}}`, metav1.PatchOptions{FieldValidation: validation})
		p.show("spec", p.read("a").Spec)
	})
}

var patchMoreProbes = group("patch",
	unknownField("unknown-field-strict", metav1.FieldValidationStrict),
	unknownField("unknown-field-warn", metav1.FieldValidationWarn),
	unknownField("unknown-field-ignore", metav1.FieldValidationIgnore),
	unknownField("unknown-field-default", ""),
	duplicateField("duplicate-field-strict", metav1.FieldValidationStrict),
	duplicateField("duplicate-field-warn", metav1.FieldValidationWarn),
	probe("missing-object", func(p *P) {
		p.tryPatch("merge", types.MergePatchType, `{"spec":{"mtu":9000}}`, metav1.PatchOptions{})
		p.tryPatch("json", types.JSONPatchType, `[{"op":"replace","path":"/spec/mtu","value":9000}]`, metav1.PatchOptions{})
		p.tryPatch("status", types.MergePatchType, `{"status":{}}`, metav1.PatchOptions{}, "status")
	}),
	probe("missing-object-garbage", func(p *P) { p.tryPatch("merge", types.MergePatchType, `{"spec"`, metav1.PatchOptions{}) }),
	probe("missing-object-with-uid", func(p *P) {
		p.tryPatch("merge", types.MergePatchType, `{"metadata":{"uid":"u","resourceVersion":"1"}}`, metav1.PatchOptions{})
	}),
	probe("name-empty", func(p *P) {
		_, err := p.relays().Patch(p.ctx, "", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{})
		p.err("patch", err)
	}),
	probe("version-current", func(p *P) {
		created := p.add("a")
		patched := p.tryPatch("patch", types.MergePatchType,
			fmt.Sprintf(`{"metadata":{"resourceVersion":%q},"spec":{"mtu":9000}}`, created.ResourceVersion), metav1.PatchOptions{})
		p.printf("version: %s", compare(created.ResourceVersion, patched.ResourceVersion))
	}),
	probe("version-stale", func(p *P) {
		stale := p.add("a").ResourceVersion
		p.edit("a", setMTU(2000))
		p.tryPatch("merge", types.MergePatchType, fmt.Sprintf(`{"metadata":{"resourceVersion":%q},"spec":{"mtu":9000}}`, stale), metav1.PatchOptions{})
		p.tryPatch("json", types.JSONPatchType, fmt.Sprintf(`[{"op":"replace","path":"/metadata/resourceVersion","value":%q}]`, stale), metav1.PatchOptions{})
		p.tryPatch("status", types.MergePatchType, fmt.Sprintf(`{"metadata":{"resourceVersion":%q},"status":{"tunnels":["t"]}}`, stale),
			metav1.PatchOptions{}, "status")
		p.show("spec", p.read("a").Spec)
	}),
	probe("uid-current", func(p *P) {
		created := p.add("a")
		p.tryPatch("patch", types.MergePatchType, fmt.Sprintf(`{"metadata":{"uid":%q},"spec":{"mtu":9000}}`, created.UID), metav1.PatchOptions{})
	}),
	probe("managed-fields", func(p *P) {
		p.add("a")
		p.showFields("fields", p.mergePatch("a", `{"spec":{"mtu":9000,"contacts":["x"]},"metadata":{"labels":{"a":"b"}}}`))
	}),
	probe("managed-fields-of-status", func(p *P) {
		p.add("a")
		p.showFields("fields", p.tryPatch("patch", types.MergePatchType, `{"status":{"tunnels":["t"]}}`,
			metav1.PatchOptions{FieldManager: "reporter"}, "status"))
	}),
	probe("terminating", func(p *P) {
		p.terminating("a", finalizer)
		p.tryPatch("spec", types.MergePatchType, `{"spec":{"mtu":9000}}`, metav1.PatchOptions{})
		p.tryPatch("another finalizer", types.MergePatchType, `{"metadata":{"finalizers":["example.com/wait","example.com/late"]}}`, metav1.PatchOptions{})
		p.tryPatch("no finalizer", types.MergePatchType, `{"metadata":{"finalizers":[]}}`, metav1.PatchOptions{})
		p.exists("a")
	}),
	probe("finalizer-by-json", func(p *P) {
		p.terminating("a", finalizer)
		p.tryPatch("remove", types.JSONPatchType, `[{"op":"remove","path":"/metadata/finalizers/0"}]`, metav1.PatchOptions{})
		p.exists("a")
	}),
	probe("type-meta", func(p *P) {
		p.add("a")
		p.show("answer", p.mergePatch("a", `{"spec":{"mtu":9000}}`).TypeMeta)
	}),
	probe("owner-and-finalizer", func(p *P) {
		p.add("a")
		patched := p.mergePatch("a", `{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"c","uid":"u"}],"finalizers":["example.com/wait"]}}`)
		p.show("owners", patched.OwnerReferences)
		p.show("finalizers", patched.Finalizers)
		p.show("generation", patched.Generation)
	}),
	probe("heartbeat-status", func(p *P) {
		_, err := p.heartbeats().Create(p.ctx, heartbeat("a"), create)
		p.must("create", err)
		patched, err := p.heartbeats().Patch(p.ctx, "a", types.MergePatchType, []byte(`{"status":{"version":"2"}}`), metav1.PatchOptions{})
		p.must("patch", err)
		p.show("status", patched.Status)
		p.show("generation", patched.Generation)
	}),
	probe("cluster-scoped", func(p *P) {
		_, err := p.regions().Create(p.ctx, region(p.id), create)
		p.must("create", err)
		patched, err := p.regions().Patch(p.ctx, p.id, types.MergePatchType, []byte(`{"spec":{"holds":["x"]}}`), metav1.PatchOptions{})
		p.must("patch", err)
		p.show("spec", patched.Spec)
	}),
	probe("two-patches-of-one-map", func(p *P) {
		p.add("a")
		p.mergePatch("a", `{"metadata":{"annotations":{"x":"1"}}}`)
		p.show("annotations", p.mergePatch("a", `{"metadata":{"annotations":{"y":"2"}}}`).Annotations)
	}),
	probe("answer-not-shared", func(p *P) {
		p.add("a", labeled(map[string]string{"a": "b"}))
		p.mergePatch("a", `{"spec":{"mtu":9000}}`).Labels["a"] = "changed"
		p.show("labels", p.read("a").Labels)
	}),
	needsCRD("invalid-spec", func(p *P) {
		p.add("a")
		p.tryPatch("patch", types.MergePatchType, `{"spec":{"mtu":1}}`, metav1.PatchOptions{})
	}),
	needsCRD("required-removed", func(p *P) {
		_, err := p.tunnels().Create(p.ctx, tunnel("a"), create)
		p.must("create", err)
		_, err = p.tunnels().Patch(p.ctx, "a", types.MergePatchType, []byte(`{"spec":{"peer":null}}`), metav1.PatchOptions{})
		p.err("patch", err)
	}),
	needsCRD("null-restores-default", func(p *P) {
		created := tunnel("a")
		created.Spec.MTU = 9000
		_, err := p.tunnels().Create(p.ctx, created, create)
		p.must("create", err)
		patched, err := p.tunnels().Patch(p.ctx, "a", types.MergePatchType, []byte(`{"spec":{"mtu":null}}`), metav1.PatchOptions{})
		p.must("patch", err)
		p.show("spec", patched.Spec)
	}),
	probe("after-status", func(p *P) {
		r := p.add("a", func(r *edgev1alpha1.Relay) { r.Spec.Contacts = []string{"x"} })
		setTunnels("t")(r)
		p.tryStatus("update status", r, update)
		p.tryPatch("remove status", types.MergePatchType, `{"status":null}`, metav1.PatchOptions{})
		p.show("status", p.read("a").Status)
		p.tryPatch("remove status", types.MergePatchType, `{"status":null}`, metav1.PatchOptions{}, "status")
		p.show("status", p.read("a").Status)
	}),
)
