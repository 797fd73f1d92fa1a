package contract

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// strictly returns a probe that patches a new gateway with strict field validation.
func strictly(short string, how types.PatchType, patch string) Probe {
	return needsCRD(short, func(p *P) {
		p.addGateway()
		p.patchGateway("patch", how, patch, strict)
	})
}

// strictlyMerged is like strictly, for merge patches.
func strictlyMerged(short, patch string) Probe {
	return strictly("merge-"+short, types.MergePatchType, patch)
}

// strictlyApplied is like strictly, for apply configurations with some metadata and without a spec.
func strictlyApplied(short, metadata string) Probe {
	return strictly("apply-"+short, types.ApplyPatchType, gatewayConfiguration(metadata, `{}`))
}

// scaledStrictly returns a probe that patches the scale of a workload with strict field validation.
func scaledStrictly(short string, how types.PatchType, patch string) Probe {
	return needsCRD("scale-"+short, func(p *P) {
		p.addWorkload()
		scale, err := p.workloads().PatchScale(p.ctx, "a", how, []byte(patch), strict, "scale")
		if p.err("patch scale", err) {
			p.show("spec", scale.Spec)
		}
	})
}

// colored is an owner reference with a field too many.
const colored = `{"apiVersion":"v1","kind":"A","name":"a","uid":"u","color":"red"}`

var strictProbes = group("strict",
	strictlyMerged("metadata", `{"metadata":{"color":"red"}}`),
	strictlyMerged("metadata-and-spec", `{"metadata":{"color":"red","size":1},"spec":{"color":"red"},"color":"red"}`),
	strictlyMerged("metadata-case", `{"metadata":{"Labels":{"a":"b"}}}`),
	strictlyMerged("metadata-null", `{"metadata":{"color":null}}`),
	strictlyMerged("owner-reference", `{"metadata":{"ownerReferences":[`+colored+`]}}`),
	strictlyMerged("managed-fields", `{"metadata":{"managedFields":[{"manager":"x","color":"red"}]}}`),
	strictlyMerged("metadata-wrong-type", `{"metadata":{"labels":5,"color":"red"}}`),
	strictlyMerged("kind-case", `{"Kind":"Gateway"}`),
	strictlyMerged("embedded-metadata-and-metadata",
		`{"metadata":{"color":"red"},"spec":{"typedManifest":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","color":"red"},"color":"red"}}}`),
	strictlyMerged("duplicate-metadata", `{"metadata":{"labels":{"a":"b"}},"metadata":{"labels":{"a":"c"}}}`),
	strictlyMerged("duplicate-labels", `{"metadata":{"labels":{"a":"b"},"labels":{"a":"c"}}}`),
	strictlyMerged("duplicate-label", `{"metadata":{"labels":{"a":"b","a":"c"}}}`),
	strictlyMerged("duplicate-in-list", `{"spec":{"listeners":[{"port":80,"port":81,"workloadName":"web"}]}}`),
	strictlyMerged("duplicate-and-unknown", `{"metadata":{"color":"red"},"spec":{"color":"red","color":"blue","color":"green"},"spec":{}}`),
	strictlyMerged("duplicate-in-free-form", `{"spec":{"options":{"a":1,"a":2}}}`),
	strictlyMerged("duplicate-and-broken", `{"metadata":{"labels":{"a":"b","a":"c"}},"spec":[]}`),
	strictlyMerged("duplicate-and-not-an-object", `[{"a":1,"a":2}]`),
	strictly("json-metadata", types.JSONPatchType, `[{"op":"add","path":"/metadata/color","value":"red"}]`),
	strictly("json-unknown-field", types.JSONPatchType, `[{"op":"add","path":"/spec/number","value":1,"color":"red"},{"op":"test","path":"/kind","value":"Gateway","Op":"x"}]`),
	strictly("json-duplicate-field", types.JSONPatchType, `[{"op":"add","op":"add","path":"/spec/number","value":1}]`),
	strictly("json-duplicate-in-value", types.JSONPatchType, `[{"op":"add","path":"/spec/options","value":{"a":1,"a":2}}]`),
	strictly("json-mistakes", types.JSONPatchType, `[{"op":"add","path":"/spec/color","value":1,"color":"red"}]`),
	strictlyApplied("metadata", `{"name":"a","color":"red"}`),
	strictlyApplied("owner-reference", `{"name":"a","ownerReferences":[`+colored+`]}`),
	strictlyApplied("duplicate-label", `{"name":"a","labels":{"a":"b","a":"c"}}`),
	strictlyApplied("duplicate-labels", `{"name":"a","labels":{"a":"b"},"labels":{"a":"c"}}`),
	strictly("apply-duplicate-yaml", types.ApplyPatchType,
		"apiVersion: fleet.example.com/v1beta1\nkind: Gateway\nmetadata:\n  name: a\n  labels:\n    a: b\n    a: c\n  labels: {a: d}\n"),
	strictly("apply-duplicate-and-unknown", types.ApplyPatchType, gatewayConfiguration(`{"name":"a","labels":{"a":"b","a":"c"}}`, `{"color":"red"}`)),
	needsCRD("warn", func(p *P) {
		p.addGateway()
		warn := metav1.PatchOptions{FieldManager: "me", FieldValidation: metav1.FieldValidationWarn}
		p.patchGateway("merge", types.MergePatchType, `{"metadata":{"color":"red","labels":{"a":"b","a":"c"}}}`, warn)
		p.patchGateway("json", types.JSONPatchType, `[{"op":"add","path":"/metadata/labels","value":{"a":1,"a":"d"},"color":"red"}]`, warn)
		p.patchGateway("apply", types.ApplyPatchType, gatewayConfiguration(`{"name":"a","labels":{"b":"b","b":"c"}}`, `{}`), warn)
	}),
	needsCRD("apply-duplicate-creates", func(p *P) {
		p.patchGateway("apply", types.ApplyPatchType, gatewayConfiguration(`{"name":"a","labels":{"a":"b","a":"c"}}`, `{"listeners":[{"port":80,"workloadName":"web"}]}`), strict)
		_, err := p.gateways().Get(p.ctx, "a", get)
		p.err("get", err)
	}),
	needsCRD("status", func(p *P) {
		p.addGateway()
		_, err := p.gateways().Patch(p.ctx, "a", types.MergePatchType,
			[]byte(`{"metadata":{"color":"red"},"status":{"addresses":["192.0.2.2"],"color":"red"},"spec":{"color":"red"}}`), strict, "status")
		p.err("patch", err)
	}),
	needsCRD("old-version", func(p *P) {
		p.addBeta()
		p.patchBeta("merge", types.MergePatchType, `{"metadata":{"color":"red"},"spec":{"template":{}}}`, strict)
	}),
	scaledStrictly("metadata", types.MergePatchType, `{"metadata":{"color":"red"},"spec":{"replicas":5}}`),
	scaledStrictly("spec", types.MergePatchType, `{"spec":{"replicas":5,"color":"red"},"color":"red"}`),
	scaledStrictly("duplicate", types.MergePatchType, `{"spec":{"replicas":5,"replicas":6}}`),
	scaledStrictly("case", types.MergePatchType, `{"spec":{"Replicas":5}}`),
	scaledStrictly("json", types.JSONPatchType, `[{"op":"add","path":"/spec/color","value":"red"}]`),
	scaledStrictly("apply", types.ApplyPatchType, `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"replicas":5,"color":"red"}}`),
	scaledStrictly("apply-duplicate", types.ApplyPatchType, `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"replicas":5,"replicas":6}}`),
)
