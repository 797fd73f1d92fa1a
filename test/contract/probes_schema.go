package contract

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// patchGateway patches gateway a and records the outcome with the managed fields.
func (p *P) patchGateway(label string, how types.PatchType, patch string, options metav1.PatchOptions) {
	patched, err := p.gateways().Patch(p.ctx, "a", how, []byte(patch), options)
	if p.err(label, err) {
		p.show(label+", spec", patched.Spec)
		p.show(label+", generation", patched.Generation)
		p.showFields(label, patched)
	}
}

// mergeGateway returns a probe that patches a new gateway.
func mergeGateway(short, patch string, options metav1.PatchOptions) Probe {
	return needsCRD(short, func(p *P) {
		p.addGateway()
		p.patchGateway("patch", types.MergePatchType, patch, options)
	})
}

// applyGateways returns a probe that applies specs to a gateway, by several managers.
func applyGateways(short string, specs ...string) Probe {
	return needsCRD(short, func(p *P) {
		p.addGateway()
		for i, spec := range specs {
			manager := metav1.PatchOptions{FieldManager: string(rune('a' + i))}
			p.patchGateway("apply as "+manager.FieldManager, types.ApplyPatchType, gatewayConfiguration(`{"name":"a"}`, spec), manager)
		}
	})
}

var schemaProbes = group("schema",
	mergeGateway("free-form-object", `{"spec":{"options":{"a":{"b":1,"c":[1,2]},"d":null,"e":"f"}}}`, me),
	mergeGateway("free-form-value", `{"spec":{"anything":{"a":{"b":1}}}}`, me),
	mergeGateway("free-form-list", `{"spec":{"anything":[{"name":"a"},{"name":"b"}]}}`, me),
	mergeGateway("embedded-resource",
		`{"spec":{"manifest":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"a":"b"}},"spec":{"containers":[{"name":"a"}]}}}}`, me),
	mergeGateway("embedded-resource-with-schema",
		`{"spec":{"typedManifest":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"a":"b"}},"spec":{"a":"b"}}}}`, me),
	mergeGateway("embedded-resource-unknown-metadata",
		`{"spec":{"manifest":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","color":"red"}}}}`, strict),
	mergeGateway("embedded-resource-invalid", `{"spec":{"manifest":{"metadata":{"name":"A_"}}}}`, me),
	mergeGateway("integer-or-string", `{"spec":{"size":"5%"}}`, me),
	applyGateways("free-form-of-two-managers", `{"options":{"a":{"b":1}}}`, `{"options":{"a":{"c":1}}}`, `{"options":{"a":{"b":2}}}`),
	applyGateways("free-form-list-conflict", `{"options":{"a":[1]}}`, `{"options":{"a":[2]}}`),
	applyGateways("embedded-of-two-managers",
		`{"typedManifest":{"apiVersion":"v1","kind":"Pod","spec":{"a":"a"}}}`, `{"typedManifest":{"spec":{"b":"b"}}}`),
	applyGateways("apply-unknown-field", `{"color":"red"}`),
	applyGateways("apply-unknown-field-of-item", `{"listeners":[{"port":81,"workloadName":"web","color":"red"}]}`),
	applyGateways("apply-item-without-key", `{"listeners":[{"workloadName":"web"}]}`),
	applyGateways("apply-duplicate-item", `{"listeners":[{"port":81,"workloadName":"a"},{"port":81,"workloadName":"b"}]}`),
	applyGateways("apply-wrong-type", `{"listeners":{"port":81}}`),
	applyGateways("apply-wrong-scalar", `{"listeners":[{"port":"81","workloadName":"web"}]}`),
	applyGateways("apply-null", `{"listeners":null}`),
	applyGateways("apply-float", `{"listeners":[{"port":81.0,"workloadName":"web"}]}`),
	applyGateways("apply-unknown-embedded", `{"typedManifest":{"apiVersion":"v1","kind":"Pod","color":"red"}}`),
	mergeGateway("integer-as-float", `{"spec":{"listeners":[{"port":82.0,"workloadName":"web"}]}}`, me),
	mergeGateway("integer-as-exponent", `{"spec":{"listeners":[{"port":8e1,"workloadName":"web"}]}}`, me),
	mergeGateway("integer-as-fraction", `{"spec":{"listeners":[{"port":80.5,"workloadName":"web"}]}}`, me),
	mergeGateway("number-as-integer", `{"spec":{"number":2.0}}`, me),
)

// strict are the options of a patch with strict field validation.
var strict = metav1.PatchOptions{FieldManager: "me", FieldValidation: metav1.FieldValidationStrict}
