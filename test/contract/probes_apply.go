package contract

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	edgev1alpha1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/edge/v1alpha1"
)

type (
	relayConfig = edgev1alpha1ac.RelayApplyConfiguration
	specConfig  = edgev1alpha1ac.RelaySpecApplyConfiguration
)

func spec() *specConfig { return edgev1alpha1ac.RelaySpec() }

// tryApply applies a configuration, and records the error.
func (p *P) tryApply(label string, c *relayConfig, options metav1.ApplyOptions) *edgev1alpha1.Relay {
	applied, err := p.relays().Apply(p.ctx, c, options)
	if !p.err(label, err) {
		return nil
	}
	return applied
}

func as(manager string) metav1.ApplyOptions { return metav1.ApplyOptions{FieldManager: manager} }

func forced(manager string) metav1.ApplyOptions {
	return metav1.ApplyOptions{FieldManager: manager, Force: true}
}

// applyRaw returns a probe that applies JSON to a new or existing object.
func applyRaw(short string, exists bool, patch string, options metav1.PatchOptions) Probe {
	return probe(short, func(p *P) {
		if exists {
			p.add("a")
		}
		applied := p.tryPatch("apply", types.ApplyPatchType, patch, options)
		if applied != nil {
			p.show("spec", applied.Spec)
			p.showFields("fields", applied)
		}
	})
}

const relayType = `"apiVersion":"edge-network.example.com/v1alpha1","kind":"Relay"`

var me = metav1.PatchOptions{FieldManager: "me"}

var applyProbes = group("apply",
	probe("create", func(p *P) {
		applied := p.tryApply("apply", p.config("a", spec().WithMTU(1400)).WithLabels(map[string]string{"a": "b"}), as("me"))
		p.showMeta("answer", applied)
		p.show("spec", applied.Spec)
		p.show("type", applied.TypeMeta)
		p.showFields("fields", applied)
	}),
	probe("create-event", func(p *P) {
		w := p.since(all)
		p.apply(p.config("a", spec().WithMTU(1400)), "me")
		p.apply(p.config("a", spec().WithMTU(1400)), "me")
		p.apply(p.config("a", spec().WithMTU(9000)), "me")
		w.nextN(2)
	}),
	probe("update", func(p *P) {
		before := p.apply(p.config("a", spec().WithMTU(1400)), "me")
		after := p.tryApply("apply", p.config("a", spec().WithMTU(9000)), as("me"))
		p.printf("version: %s, generation: %d", compare(before.ResourceVersion, after.ResourceVersion), after.Generation)
		p.show("spec", after.Spec)
	}),
	probe("nothing", func(p *P) {
		before := p.apply(p.config("a", spec().WithMTU(1400)), "me")
		after := p.tryApply("apply", p.config("a", spec().WithMTU(1400)), as("me"))
		p.printf("version: %s, generation: %d", compare(before.ResourceVersion, after.ResourceVersion), after.Generation)
	}),
	probe("same-values-of-another", func(p *P) {
		before := p.apply(p.config("a", spec().WithMTU(1400)), "one")
		after := p.tryApply("apply", p.config("a", spec().WithMTU(1400)), as("two"))
		p.printf("version: %s, generation: %d", compare(before.ResourceVersion, after.ResourceVersion), after.Generation)
		p.showFields("fields", after)
	}),
	probe("conflict", func(p *P) {
		p.apply(p.config("a", spec().WithMTU(1400)), "one")
		p.tryApply("apply", p.config("a", spec().WithMTU(9000)), as("two"))
		p.show("spec", p.read("a").Spec)
	}),
	probe("conflict-of-two-fields", func(p *P) {
		p.apply(p.config("a", spec().WithMTU(1400).WithKeepalive(5)), "one")
		p.tryApply("apply", p.config("a", spec().WithMTU(9000).WithKeepalive(6)), as("two"))
	}),
	probe("conflict-with-two-managers", func(p *P) {
		p.apply(p.config("a", spec().WithMTU(1400)), "one")
		p.apply(p.config("a", spec().WithMTU(1400)), "two")
		p.tryApply("apply", p.config("a", spec().WithMTU(9000)), as("zero"))
		p.tryApply("one of the two", p.config("a", spec().WithMTU(9000)), as("one"))
	}),
	probe("conflict-with-an-update", func(p *P) {
		p.add("a")
		_, err := p.relays().Apply(p.ctx, p.config("a", spec().WithMTU(9000)), as("me"))
		p.err("apply", err)
	}),
	probe("conflict-in-lists", func(p *P) {
		p.apply(p.config("a", spec().WithForwards(forward(80, "TCP", "x"))), "one")
		p.tryApply("apply", p.config("a", spec().WithForwards(forward(80, "TCP", "y"))), as("two"))
	}),
	probe("conflict-in-atomic-list", func(p *P) {
		p.apply(p.config("a", spec().WithResolvers("x")), "one")
		p.tryApply("apply", p.config("a", spec().WithResolvers("y")), as("two"))
	}),
	probe("conflict-in-labels", func(p *P) {
		p.apply(p.config("a", nil).WithLabels(map[string]string{"example.com/a": "b"}), "one")
		p.tryApply("apply", p.config("a", nil).WithLabels(map[string]string{"example.com/a": "c"}), as("two"))
	}),
	probe("force", func(p *P) {
		p.apply(p.config("a", spec().WithMTU(1400).WithKeepalive(5)), "one")
		applied := p.tryApply("apply", p.config("a", spec().WithMTU(9000)), forced("two"))
		p.show("spec", applied.Spec)
		p.showFields("fields", applied)
	}),
	probe("force-over-an-update", func(p *P) {
		p.add("a")
		p.showFields("fields", p.tryApply("apply", p.config("a", spec().WithMTU(9000)), forced("me")))
	}),
	probe("drop-field", func(p *P) {
		p.apply(p.config("a", spec().WithMTU(1400).WithKeepalive(5)).WithLabels(map[string]string{"a": "b"}), "me")
		applied := p.tryApply("apply", p.config("a", spec().WithMTU(1400)), as("me"))
		p.show("spec", applied.Spec)
		p.show("labels", applied.Labels)
	}),
	probe("drop-shared-field", func(p *P) {
		p.apply(p.config("a", spec().WithMTU(1400).WithKeepalive(5)), "one")
		p.apply(p.config("a", spec().WithMTU(1400).WithKeepalive(5)), "two")
		applied := p.tryApply("apply", p.config("a", spec().WithMTU(1400)), as("one"))
		p.show("spec", applied.Spec)
		p.showFields("fields", applied)
	}),
	probe("drop-field-changed-by-update", func(p *P) {
		p.apply(p.config("a", spec().WithMTU(1400).WithKeepalive(5)), "me")
		p.edit("a", func(r *edgev1alpha1.Relay) { *r.Spec.Keepalive = 6 })
		applied := p.tryApply("apply", p.config("a", spec().WithMTU(1400)), as("me"))
		p.show("spec", applied.Spec)
		p.showFields("fields", applied)
	}),
	probe("drop-everything", func(p *P) {
		p.apply(p.config("a", spec().WithMTU(1400).WithContacts("x")), "me")
		applied := p.tryApply("apply", p.config("a", nil), as("me"))
		p.show("spec", applied.Spec)
		p.showFields("fields", applied)
	}),
	probe("set-list", func(p *P) {
		p.apply(p.config("a", spec().WithContacts("x", "y")), "one")
		p.show("both", p.tryApply("two", p.config("a", spec().WithContacts("z", "x")), as("two")).Spec.Contacts)
		p.show("without y", p.tryApply("one", p.config("a", spec().WithContacts("x")), as("one")).Spec.Contacts)
		p.show("without z and x", p.tryApply("two", p.config("a", spec()), as("two")).Spec.Contacts)
	}),
	probe("map-list", func(p *P) {
		p.apply(p.config("a", spec().WithForwards(forward(80, "TCP", "x"))), "one")
		both := p.tryApply("two", p.config("a", spec().WithForwards(forward(80, "UDP", "y"), forward(443, "TCP", "z"))), as("two"))
		p.show("both", both.Spec.Forwards)
		p.showFields("fields", both)
		p.show("one", p.tryApply("two", p.config("a", spec().WithForwards(forward(443, "TCP", "z"))), as("two")).Spec.Forwards)
	}),
	probe("map-list-duplicate", func(p *P) {
		p.tryApply("apply", p.config("a", spec().WithForwards(forward(80, "TCP", "x"), forward(80, "TCP", "y"))), as("me"))
	}),
	probe("set-duplicate", func(p *P) { p.tryApply("apply", p.config("a", spec().WithContacts("x", "x")), as("me")) }),
	probe("maps", func(p *P) {
		p.apply(p.config("a", spec().WithHints(map[string]string{"a": "1"}).WithKernelParameters(map[string]string{"k": "1"})), "one")
		applied := p.tryApply("granular", p.config("a", spec().WithHints(map[string]string{"b": "2"})), as("two"))
		p.show("hints", applied.Spec.Hints)
		p.tryApply("atomic", p.config("a", spec().WithKernelParameters(map[string]string{"l": "2"})), as("two"))
		applied = p.tryApply("atomic by force", p.config("a", spec().WithKernelParameters(map[string]string{"l": "2"})), forced("two"))
		p.show("kernel parameters", applied.Spec.KernelParameters)
		p.show("hints", applied.Spec.Hints)
	}),
	probe("atomic-struct", func(p *P) {
		p.apply(p.config("a", spec().WithSite(edgev1alpha1ac.RelaySite().WithCity("Oslo").WithStreet("1"))), "one")
		p.tryApply("apply", p.config("a", spec().WithSite(edgev1alpha1ac.RelaySite().WithCity("Bergen"))), as("two"))
		applied := p.tryApply("by force", p.config("a", spec().WithSite(edgev1alpha1ac.RelaySite().WithCity("Bergen"))), forced("two"))
		p.show("site", applied.Spec.Site)
		p.showFields("fields", applied)
	}),
	probe("finalizers", func(p *P) {
		p.apply(p.config("a", nil).WithFinalizers("example.com/one"), "one")
		both := p.tryApply("two", p.config("a", nil).WithFinalizers("example.com/two"), as("two"))
		p.show("both", both.Finalizers)
		p.show("second", p.tryApply("one", p.config("a", nil), as("one")).Finalizers)
	}),
	applyRaw("missing-manager", false, `{`+relayType+`,"metadata":{"name":"a"}}`, metav1.PatchOptions{}),
	applyRaw("missing-type", false, `{"metadata":{"name":"a"}}`, me),
	applyRaw("missing-kind", false, `{"apiVersion":"edge-network.example.com/v1alpha1","metadata":{"name":"a"}}`, me),
	applyRaw("wrong-kind", false, `{"apiVersion":"edge-network.example.com/v1alpha1","kind":"Tunnel","metadata":{"name":"a"}}`, me),
	applyRaw("wrong-version", false, `{"apiVersion":"edge-network.example.com/v9","kind":"Relay","metadata":{"name":"a"}}`, me),
	applyRaw("name-of-the-request", false, `{`+relayType+`,"metadata":{},"spec":{"mtu":1400}}`, me),
	applyRaw("name-wrong", false, `{`+relayType+`,"metadata":{"name":"b"},"spec":{"mtu":1400}}`, me),
	applyRaw("namespace-wrong", false, `{`+relayType+`,"metadata":{"name":"a","namespace":"elsewhere"},"spec":{"mtu":1400}}`, me),
	applyRaw("managed-fields-given", false, `{`+relayType+`,"metadata":{"name":"a","managedFields":[{"manager":"x"}]}}`, me),
	applyRaw("managed-fields-empty", true, `{`+relayType+`,"metadata":{"name":"a","managedFields":[]},"spec":{"keepalive":5}}`, me),
	applyRaw("garbage", false, `{"apiVersion"`, me),
	applyRaw("empty-body", false, ``, me),
	applyRaw("yaml", false, "apiVersion: edge-network.example.com/v1alpha1\nkind: Relay\nmetadata: {name: a}\nspec: {mtu: 1400}\n", me),
	applyRaw("wrong-type-of-field", false, `{`+relayType+`,"metadata":{"name":"a"},"spec":{"mtu":"wide"}}`, me),
	schemaBased(applyRaw("null", true, `{`+relayType+`,"metadata":{"name":"a"},"spec":{"mtu":null}}`,
		metav1.PatchOptions{FieldManager: "me", Force: yes})),
	applyRaw("generation-given", false, `{`+relayType+`,"metadata":{"name":"a","generation":7}}`, me),
	applyRaw("create-with-status", false, `{`+relayType+`,"metadata":{"name":"a"},"status":{"tunnels":["t"]}}`, me),
	applyRaw("options-dry-run-unknown", false, `{`+relayType+`}`, metav1.PatchOptions{FieldManager: "me", DryRun: []string{"x"}}),
	applyRaw("labels-invalid", false, `{`+relayType+`,"metadata":{"name":"a","labels":{"a b":"c"}}}`, me),
	applyRaw("uid-for-missing", false, `{`+relayType+`,"metadata":{"name":"a","uid":"u"}}`, me),
	applyRaw("uid-wrong", true, `{`+relayType+`,"metadata":{"name":"a","uid":"u"}}`, me),
	applyRaw("version-for-missing", false, `{`+relayType+`,"metadata":{"name":"a","resourceVersion":"1"}}`, me),
	applyRaw("version-stale", true, `{`+relayType+`,"metadata":{"name":"a","resourceVersion":"1"},"spec":{"keepalive":5}}`, me),
	applyRaw("version-garbage", true, `{`+relayType+`,"metadata":{"name":"a","resourceVersion":"x"},"spec":{"keepalive":5}}`, me),
)

func forward(port int32, protocol, target string) *edgev1alpha1ac.RelayForwardApplyConfiguration {
	return edgev1alpha1ac.RelayForward().WithPort(port).WithProtocol(protocol).WithTarget(target)
}

// tunnelsConfig is an apply configuration of a status.
func (p *P) tunnelsConfig(names ...string) *relayConfig {
	return p.config("a", nil).WithStatus(edgev1alpha1ac.RelayStatus().WithTunnels(names...))
}

// quoted returns a configuration with a resource version.
func quoted(version string) string {
	return fmt.Sprintf(`{%s,"metadata":{"name":"a","resourceVersion":%q},"spec":{"keepalive":5}}`, relayType, version)
}
