package contract

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	corev1 "k8s.io/api/core/v1"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
)

// createWorkload returns a probe that creates a workload that only the schema rejects.
func createWorkload(short string, mutate func(*fleetv1.Workload)) Probe {
	return needsCRD(short, func(p *P) {
		sent := workload("a")
		mutate(sent)
		_, err := p.workloads().Create(p.ctx, sent, create)
		p.err("create", err)
	})
}

// createRelay is like createWorkload, for relays.
func createRelay(short string, mutate func(*edgev1alpha1.Relay)) Probe {
	return needsCRD(short, func(p *P) { p.tryCreate("create", relay("a", mutate), create) })
}

// createRegion is like createWorkload, for regions.
func createRegion(short string, mutate func(*fleetv1.Region)) Probe {
	return needsCRD(short, func(p *P) {
		sent := region(p.id)
		mutate(sent)
		_, err := p.regions().Create(p.ctx, sent, create)
		p.err("create", err)
	})
}

var createSchemaProbes = group("create",
	needsCRD("defaults", func(p *P) {
		created, err := p.workloads().Create(p.ctx, workload("a"), create)
		p.must("create", err)
		p.show("spec", created.Spec)
	}),
	needsCRD("default-of-zero-value", func(p *P) {
		created, err := p.tunnels().Create(p.ctx, tunnel("a"), create)
		p.must("create", err)
		p.show("spec", created.Spec)
	}),
	needsCRD("defaults-keep-values", func(p *P) {
		sent := workload("a")
		sent.Spec.Replicas, sent.Spec.Update.Strategy = ptr.To[int32](0), fleetv1.RecreateUpdate
		created, err := p.workloads().Create(p.ctx, sent, create)
		p.must("create", err)
		p.show("spec", created.Spec)
	}),
	needsCRD("defaults-managed", func(p *P) {
		created, err := p.workloads().Create(p.ctx, workload("a"), metav1.CreateOptions{FieldManager: "me"})
		p.must("create", err)
		p.showFields("fields", created)
	}),
	createWorkload("below-minimum", func(w *fleetv1.Workload) { w.Spec.Replicas = ptr.To[int32](-1) }),
	createWorkload("below-min-length", func(w *fleetv1.Workload) { w.Spec.RegionName = "" }),
	createWorkload("not-in-enum", func(w *fleetv1.Workload) { w.Spec.Update.Strategy = "Later" }),
	createWorkload("two-mistakes", func(w *fleetv1.Workload) { w.Spec.RegionName, w.Spec.Template.Image = "", "" }),
	createWorkload("mistakes-in-metadata-and-spec", func(w *fleetv1.Workload) {
		w.Spec.RegionName, w.Labels = "", map[string]string{"a b": "c"}
	}),
	createWorkload("duplicate-key-of-list-map", func(w *fleetv1.Workload) {
		w.Spec.Template.Env = []corev1.EnvVar{{Name: "A", Value: "1"}, {Name: "A", Value: "2"}}
	}),
	createRelay("mtu-below-minimum", func(r *edgev1alpha1.Relay) { r.Spec.MTU = 1 }),
	createRelay("above-maximum", func(r *edgev1alpha1.Relay) {
		r.Spec.Interfaces = map[string]edgev1alpha1.RelayInterface{"eth0": {VLAN: 5000}}
	}),
	createRelay("duplicate-in-set", func(r *edgev1alpha1.Relay) { r.Spec.Contacts = []string{"a", "b", "a"} }),
	createRelay("duplicate-of-two-keys", func(r *edgev1alpha1.Relay) {
		r.Spec.Forwards = []edgev1alpha1.RelayForward{{Port: 1, Protocol: "TCP"}, {Port: 1, Protocol: "UDP"}, {Port: 1, Protocol: "TCP"}}
	}),
	createRelay("enum-in-list", func(r *edgev1alpha1.Relay) {
		r.Spec.Forwards = []edgev1alpha1.RelayForward{{Port: 1, Protocol: "TCP"}, {Port: 2, Protocol: "SCTP"}}
	}),
	createRelay("atomic-list-with-duplicates", func(r *edgev1alpha1.Relay) { r.Spec.Resolvers = []string{"a", "a"} }),
	createRegion("pattern", func(r *fleetv1.Region) { r.Spec.Country = "Norway" }),
	createRegion("format", func(r *fleetv1.Region) { r.Spec.Endpoint = "no uri" }),
	needsCRD("required-list-nil", func(p *P) {
		_, err := p.client.FleetV1beta1().PlacementPolicies(p.namespace).Create(p.ctx, &fleetv1beta1.PlacementPolicy{
			ObjectMeta: metav1.ObjectMeta{Name: "a"},
		}, create)
		p.err("create", err)
	}),
	needsCRD("required-list-empty", func(p *P) {
		_, err := p.client.FleetV1beta1().PlacementPolicies(p.namespace).Create(p.ctx, &fleetv1beta1.PlacementPolicy{
			ObjectMeta: metav1.ObjectMeta{Name: "a"}, Spec: fleetv1beta1.PlacementPolicySpec{Countries: []string{}},
		}, create)
		p.err("create", err)
	}),
	needsCRD("invalid-status-is-dropped", func(p *P) {
		created := p.tryCreate("create", relay("a", func(r *edgev1alpha1.Relay) { r.Status.Tunnels = []string{"a", "a"} }), create)
		if created != nil {
			p.show("status", created.Status)
		}
	}),
	probe("too-large", func(p *P) {
		_, err := p.relays().Create(p.ctx, relay("a", func(r *edgev1alpha1.Relay) { r.Spec.Hints = map[string]string{"a": strings.Repeat("b", 4<<20)} }), create)
		text, _, _ := strings.Cut(describe(err), " limit")
		p.printf("create: %.120s", text)
	}),
)
