package contract

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
)

// Untyper is a clientset whose API also takes objects without Go types.
type Untyper interface {
	Untyped() (dynamic.Interface, error)
}

// untyped returns the client without Go types, or ends the probe.
func (p *P) untyped() dynamic.Interface {
	of, ok := p.client.(Untyper)
	p.needs(ok)
	client, err := of.Untyped()
	p.must("client", err)
	return client
}

// untypedGateways returns the client for gateways without Go types, or ends the probe.
func (p *P) untypedGateways() dynamic.ResourceInterface {
	return p.untyped().Resource(fleetv1beta1.SchemeGroupVersion.WithResource("gateways")).Namespace(p.namespace)
}

// showContent records parts of a gateway. It leaves free-form fields to the managed fields: the Go type does not have them, and untyped
// clients of fakes only see fields of Go types.
func (p *P) showContent(label string, u *unstructured.Unstructured) {
	listeners, _, err := unstructured.NestedSlice(u.Object, "spec", "listeners")
	p.must("listeners", err)
	p.show(label+", listeners", listeners)
	p.show(label+", status", u.Object["status"])
	p.show(label+", labels", u.GetLabels())
	metadata, _ := u.Object["metadata"].(map[string]any) // nil without metadata
	p.show(label+", color", []any{u.Object["color"], metadata["color"]})
	p.showFields(label, u)
}

// redGateway returns an untyped gateway with some metadata and spec, and a field too many.
func (p *P) redGateway(metadata, spec string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	p.must("decode", json.Unmarshal([]byte(gatewayConfiguration(metadata, spec)), &u.Object))
	u.Object["color"] = "red"
	return u
}

// createUntyped returns a probe that creates a gateway.
func createUntyped(short, validation, metadata, spec string) Probe {
	return needsCRD("create-"+short, func(p *P) {
		created, err := p.untypedGateways().Create(p.ctx, p.redGateway(metadata, spec),
			metav1.CreateOptions{FieldManager: "creator", FieldValidation: validation})
		if p.err("create", err) {
			p.showContent("create", created)
		}
	})
}

// updateUntyped returns a probe that updates a gateway.
func updateUntyped(short, validation, metadata, spec string) Probe {
	return needsCRD("update-"+short, func(p *P) {
		gateways := p.untypedGateways()
		u := p.redGateway(metadata, spec)
		u.SetResourceVersion(p.addGateway().ResourceVersion)
		updated, err := gateways.Update(p.ctx, u, metav1.UpdateOptions{FieldManager: "updater", FieldValidation: validation})
		if p.err("update", err) {
			p.showContent("update", updated)
		}
	})
}

const (
	coloredName = `{"name":"a","color":"red","labels":{"a":"b"},"ownerReferences":[` + colored + `]}`
	coloredSpec = `{"listeners":[{"port":80,"workloadName":"web","color":"red"}],"color":"red"}`
)

var untypedProbes = group("untyped",
	createUntyped("strict", metav1.FieldValidationStrict, coloredName, coloredSpec),
	createUntyped("warn", metav1.FieldValidationWarn, coloredName, coloredSpec),
	createUntyped("ignore", metav1.FieldValidationIgnore, coloredName, coloredSpec),
	createUntyped("labels-wrong", "", `{"name":"a","labels":5}`, coloredSpec),
	createUntyped("labels-wrong-strict", metav1.FieldValidationStrict, `{"name":"a","labels":{"a":5},"color":"red"}`, coloredSpec),
	createUntyped("wrong-type", "", `{"name":"a"}`, `{"listeners":{"port":80}}`),
	createUntyped("null", "", `{"name":"a","labels":null}`, `{"listeners":[{"port":80,"workloadName":"web"}],"options":null,"number":null}`),
	createUntyped("numbers", "", `{"name":"a"}`,
		`{"listeners":[{"port":80,"workloadName":"web"}],"number":2.5,"options":{"a":2.0,"b":1e3},"size":"5%"}`),
	createUntyped("embedded", "", `{"name":"a"}`, `{"listeners":[{"port":80,"workloadName":"web"}],
		"typedManifest":{"apiVersion":"v1","kind":"Pod","color":"red","metadata":{"name":"a","color":"red","creationTimestamp":null},"spec":{"a":"b","c":"d"}},
		"manifest":{"apiVersion":"v1","kind":"Pod","color":"red","metadata":{"name":"a","color":"red","annotations":{"a":"b"}}}}`),
	createUntyped("embedded-labels-wrong", "", `{"name":"a"}`, `{"listeners":[{"port":80,"workloadName":"web"}],
		"manifest":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"a":5}}}}`),
	updateUntyped("strict", metav1.FieldValidationStrict, coloredName, coloredSpec),
	updateUntyped("warn", metav1.FieldValidationWarn, coloredName, coloredSpec),
	updateUntyped("labels-wrong", "", `{"name":"a","labels":5}`, coloredSpec),
	updateUntyped("numbers", "", `{"name":"a"}`, `{"listeners":[{"port":80,"workloadName":"web"}],"number":2,"options":{"a":2.0}}`),
)
