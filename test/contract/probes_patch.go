package contract

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
)

// tryPatch patches a relay, and records the error.
func (p *P) tryPatch(label string, kind types.PatchType, patch string, options metav1.PatchOptions, subresources ...string) *edgev1alpha1.Relay {
	patched, err := p.relays().Patch(p.ctx, "a", kind, []byte(patch), options, subresources...)
	if !p.err(label, err) {
		return nil
	}
	return patched
}

// patchWith returns a probe that patches a relay and records the difference.
func patchWith(short string, kind types.PatchType, patch string, options metav1.PatchOptions, subresources ...string) Probe {
	return probe(short, func(p *P) {
		created := p.add("a", labeled(map[string]string{"a": "b"}), func(r *edgev1alpha1.Relay) {
			r.Spec.Contacts, r.Spec.Hints = []string{"x", "y"}, map[string]string{"k": "v"}
			r.Spec.Forwards = []edgev1alpha1.RelayForward{{Port: 80, Protocol: "TCP", Target: "t"}}
		})
		patched := p.tryPatch("patch", kind, patch, options, subresources...)
		after := p.read("a")
		if patched != nil {
			p.printf("version of the answer: %s, generation: %d", compare(created.ResourceVersion, patched.ResourceVersion), patched.Generation)
			p.printf("answer is stored: %t", patched.ResourceVersion == after.ResourceVersion && patched.Generation == after.Generation)
		}
		p.show("labels", after.Labels)
		p.show("spec", after.Spec)
		p.show("status", after.Status)
	})
}

func merge(short, patch string) Probe {
	return patchWith("merge-"+short, types.MergePatchType, patch, metav1.PatchOptions{})
}

func operations(short, patch string) Probe {
	return patchWith("json-"+short, types.JSONPatchType, patch, metav1.PatchOptions{})
}

var patchProbes = group("patch",
	merge("spec", `{"spec":{"mtu":9000}}`),
	merge("labels", `{"metadata":{"labels":{"c":"d"}}}`),
	merge("null-removes", `{"metadata":{"labels":{"a":null}},"spec":{"hints":{"k":null}}}`),
	merge("null-removes-map", `{"metadata":{"labels":null},"spec":{"hints":null}}`),
	merge("null-removes-spec", `{"spec":null}`),
	merge("replaces-list", `{"spec":{"contacts":["z"],"forwards":[{"port":1,"protocol":"UDP"}]}}`),
	merge("empties-list", `{"spec":{"contacts":[],"hints":{}}}`),
	merge("nothing", `{}`),
	merge("same-value", `{"spec":{"mtu":1400}}`),
	merge("missing-null", `{"spec":{"resolvers":null}}`),
	merge("garbage", `{"spec"`),
	merge("empty-body", ``),
	merge("array", `[]`),
	merge("text", `"text"`),
	merge("null", `null`),
	schemaBased(merge("wrong-type", `{"spec":{"mtu":"wide"}}`)),
	merge("wrong-type-of-labels", `{"metadata":{"labels":{"a":5}}}`),
	merge("wrong-type-of-metadata", `{"metadata":7}`),
	merge("name", `{"metadata":{"name":"b"}}`),
	merge("name-same", `{"metadata":{"name":"a"},"spec":{"mtu":9000}}`),
	merge("namespace", `{"metadata":{"namespace":"elsewhere"}}`),
	merge("uid", `{"metadata":{"uid":"other"}}`),
	merge("kind", `{"kind":"Tunnel"}`),
	merge("api-version", `{"apiVersion":"example.com/v9"}`),
	merge("generation", `{"metadata":{"generation":7}}`),
	merge("creation-time", `{"metadata":{"creationTimestamp":null}}`),
	merge("deletion-time", `{"metadata":{"deletionTimestamp":"2020-01-01T00:00:00Z"}}`),
	merge("labels-invalid", `{"metadata":{"labels":{"a b":"c"}}}`),
	merge("finalizer-and-status", `{"metadata":{"finalizers":["example.com/wait"]},"status":{"tunnels":["t"]}}`),
	merge("status", `{"status":{"tunnels":["t"]}}`),
	merge("version-garbage", `{"metadata":{"resourceVersion":"x"},"spec":{"mtu":9000}}`),
	merge("version-empty", `{"metadata":{"resourceVersion":""},"spec":{"mtu":9000}}`),
	merge("version-null", `{"metadata":{"resourceVersion":null},"spec":{"mtu":9000}}`),
	merge("version-zero", `{"metadata":{"resourceVersion":"0"},"spec":{"mtu":9000}}`),
	merge("duplicate-key", `{"spec":{"mtu":9000,"mtu":9001}}`),
	merge("managed-fields", `{"metadata":{"managedFields":[]}}`),
	operations("add", `[{"op":"add","path":"/metadata/labels/c","value":"d"}]`),
	operations("add-to-list", `[{"op":"add","path":"/spec/contacts/-","value":"z"},{"op":"add","path":"/spec/contacts/0","value":"w"}]`),
	operations("add-without-parent", `[{"op":"add","path":"/metadata/annotations/c","value":"d"}]`),
	operations("add-status", `[{"op":"add","path":"/status","value":{"tunnels":["t"]}}]`),
	operations("remove", `[{"op":"remove","path":"/metadata/labels/a"}]`),
	operations("remove-missing", `[{"op":"remove","path":"/metadata/labels/z"}]`),
	operations("replace", `[{"op":"replace","path":"/spec/mtu","value":9000}]`),
	operations("replace-missing", `[{"op":"replace","path":"/spec/keepalive","value":5}]`),
	operations("test", `[{"op":"test","path":"/spec/mtu","value":1400},{"op":"replace","path":"/spec/mtu","value":9000}]`),
	operations("test-fails", `[{"op":"replace","path":"/spec/mtu","value":9000},{"op":"test","path":"/spec/mtu","value":1400}]`),
	operations("test-version", `[{"op":"test","path":"/metadata/resourceVersion","value":"1"},{"op":"replace","path":"/spec/mtu","value":9000}]`),
	operations("move", `[{"op":"move","from":"/metadata/labels/a","path":"/metadata/labels/c"}]`),
	operations("copy", `[{"op":"copy","from":"/metadata/labels/a","path":"/metadata/labels/c"}]`),
	operations("escaped-path", `[{"op":"add","path":"/metadata/labels/example.com~1c","value":"d"}]`),
	operations("unknown", `[{"op":"eat","path":"/spec/mtu"}]`),
	operations("out-of-range", `[{"op":"replace","path":"/spec/contacts/7","value":"z"}]`),
	operations("empty", `[]`),
	operations("garbage", `[{"op"`),
	operations("object", `{"spec":{"mtu":9000}}`),
	patchWith("strategic", types.StrategicMergePatchType, `{"spec":{"mtu":9000}}`, metav1.PatchOptions{}),
	patchWith("unknown-type", "application/x-patch", `{"spec":{"mtu":9000}}`, metav1.PatchOptions{}),
	patchWith("through-status", types.MergePatchType, `{"spec":{"mtu":9000},"status":{"tunnels":["t"]}}`, metav1.PatchOptions{}, "status"),
	patchWith("through-status-labels", types.MergePatchType, `{"metadata":{"labels":{"a":"c"}},"status":{"tunnels":["t"]}}`,
		metav1.PatchOptions{}, "status"),
	patchWith("through-status-nothing", types.MergePatchType, `{}`, metav1.PatchOptions{}, "status"),
	patchWith("json-through-status", types.JSONPatchType, `[{"op":"add","path":"/status","value":{"tunnels":["t"]}}]`, metav1.PatchOptions{}, "status"),
	patchWith("unknown-subresource", types.MergePatchType, `{"spec":{"mtu":9000}}`, metav1.PatchOptions{}, "nothing"),
	patchWith("scale-of-a-kind-without", types.MergePatchType, `{"spec":{"replicas":1}}`, metav1.PatchOptions{}, "scale"),
	patchWith("force-without-apply", types.MergePatchType, `{"spec":{"mtu":9000}}`, metav1.PatchOptions{Force: yes}),
	patchWith("dry-run", types.MergePatchType, `{"spec":{"mtu":9000}}`, metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}}),
	patchWith("dry-run-unknown", types.MergePatchType, `{"spec":{"mtu":9000}}`, metav1.PatchOptions{DryRun: []string{"x"}}),
	patchWith("field-validation-garbage", types.MergePatchType, `{"spec":{"mtu":9000}}`, metav1.PatchOptions{FieldValidation: "x"}),
)
