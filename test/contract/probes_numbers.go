package contract

import "k8s.io/apimachinery/pkg/types"

var numberProbes = group("numbers",
	mergeGateway("float-of-generation", `{"metadata":{"generation":2.0}}`, me),
	mergeGateway("float-of-grace-period", `{"metadata":{"deletionGracePeriodSeconds":2.0}}`, me),
	mergeGateway("big-float", `{"spec":{"listeners":[{"port":1e3,"workloadName":"web"}]}}`, me),
	mergeGateway("too-big", `{"spec":{"listeners":[{"port":1e30,"workloadName":"web"}]}}`, me),
	mergeGateway("int-or-string-float", `{"spec":{"size":2.0}}`, me),
	mergeGateway("int-or-string-fraction", `{"spec":{"size":2.5}}`, me),
	mergeGateway("free-form-float", `{"spec":{"options":{"a":2.0,"b":2}}}`, me),
	mergeGateway("number-fraction", `{"spec":{"number":2.5}}`, me),
	needsCRD("json-float", func(p *P) {
		p.addGateway()
		p.patchGateway("replace", types.JSONPatchType, `[{"op":"replace","path":"/spec/listeners/0/port","value":81.0}]`, me)
		p.patchGateway("test", types.JSONPatchType, `[{"op":"test","path":"/spec/listeners/0/port","value":81}]`, me)
	}),
	needsCRD("float-unchanged", func(p *P) {
		p.addGateway()
		p.patchGateway("set", types.MergePatchType, `{"spec":{"number":2.0}}`, me)
		p.patchGateway("integer", types.MergePatchType, `{"spec":{"number":2}}`, me)
		p.patchGateway("float", types.MergePatchType, `{"spec":{"number":2.0}}`, me)
		p.patchGateway("exponent", types.MergePatchType, `{"spec":{"number":20e-1}}`, me)
	}),
	applyGateways("applied", `{"listeners":[{"port":80,"workloadName":"web"}],"number":2.0}`, `{"number":2}`, `{"number":2.5}`),
	scaleNumber("scale-float", types.MergePatchType, `{"spec":{"replicas":5.0}}`),
	scaleNumber("scale-fraction", types.MergePatchType, `{"spec":{"replicas":5.5}}`),
	scaleNumber("scale-exponent", types.MergePatchType, `{"spec":{"replicas":5e0}}`),
	scaleNumber("scale-too-big", types.MergePatchType, `{"spec":{"replicas":3000000000}}`),
	scaleNumber("scale-applied", types.ApplyPatchType, `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"replicas":5.0}}`),
)

// scaleNumber returns a probe that patches the scale of a workload.
func scaleNumber(short string, how types.PatchType, patch string) Probe {
	return needsCRD(short, func(p *P) {
		p.addWorkload()
		scale, err := p.workloads().PatchScale(p.ctx, "a", how, []byte(patch), me, "scale")
		if p.err("patch scale", err) {
			p.show("spec", scale.Spec)
		}
	})
}
