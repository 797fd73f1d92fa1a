package contract

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	edgev1alpha1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/edge/v1alpha1"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// createWith returns a probe that creates a relay with some metadata, and shows the part of the answer that show returns.
func createWith(short string, mutate func(*edgev1alpha1.Relay), show func(*edgev1alpha1.Relay) any) Probe {
	return probe(short, func(p *P) {
		created := p.tryCreate("create", relay("a", mutate), create)
		if created != nil && show != nil {
			p.show("answer", show(created))
		}
	})
}

func owner(kind, name, uid string) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: "example.com/v1", Kind: kind, Name: name, UID: types.UID(uid)}
}

func owned(owners ...metav1.OwnerReference) func(*edgev1alpha1.Relay) {
	return func(r *edgev1alpha1.Relay) { r.OwnerReferences = owners }
}

func ownersOf(r *edgev1alpha1.Relay) any { return r.OwnerReferences }

// noon has fractional seconds and a custom time zone.
var noon = time.Date(2020, 2, 3, 12, 0, 0, 123456789, time.FixedZone("", 2*60*60))

var createMetadataProbes = group("create",
	createWith("resource-version", func(r *edgev1alpha1.Relay) { r.ResourceVersion = "1" }, nil),
	createWith("resource-version-zero", func(r *edgev1alpha1.Relay) { r.ResourceVersion = "0" }, nil),
	createWith("resource-version-garbage", func(r *edgev1alpha1.Relay) { r.ResourceVersion = "x" }, nil),
	createWith("uid", func(r *edgev1alpha1.Relay) { r.UID = "mine" }, func(r *edgev1alpha1.Relay) any { return r.UID == "mine" }),
	createWith("creation-time", func(r *edgev1alpha1.Relay) { r.CreationTimestamp = metav1.NewTime(noon) },
		func(r *edgev1alpha1.Relay) any { return r.CreationTimestamp.Year() == noon.Year() }),
	createWith("creation-time-whole-seconds", func(*edgev1alpha1.Relay) {},
		func(r *edgev1alpha1.Relay) any { return r.CreationTimestamp.Nanosecond() == 0 }),
	createWith("generation", func(r *edgev1alpha1.Relay) { r.Generation = 7 }, func(r *edgev1alpha1.Relay) any { return r.Generation }),
	createWith("deletion-time", func(r *edgev1alpha1.Relay) {
		r.DeletionTimestamp, r.Finalizers = new(metav1.NewTime(noon)), []string{finalizer}
	}, func(r *edgev1alpha1.Relay) any { return r.DeletionTimestamp != nil }),
	createWith("deletion-grace-period", func(r *edgev1alpha1.Relay) { r.DeletionGracePeriodSeconds = new(int64(5)) },
		func(r *edgev1alpha1.Relay) any { return r.DeletionGracePeriodSeconds }),
	createWith("self-link", func(r *edgev1alpha1.Relay) { r.SetSelfLink("/here") }, func(r *edgev1alpha1.Relay) any { return r.GetSelfLink() }),
	createWith("status", func(r *edgev1alpha1.Relay) { r.Status.Tunnels = []string{"t"} },
		func(r *edgev1alpha1.Relay) any { return r.Status }),
	probe("managed-fields-given", func(p *P) {
		sent := relay("a", func(r *edgev1alpha1.Relay) {
			r.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "forger", Operation: metav1.ManagedFieldsOperationApply,
				APIVersion: edgev1alpha1.GroupVersion.String(), FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:mtu":{}}}`)}}
		})
		if created := p.tryCreate("create", sent, metav1.CreateOptions{FieldManager: "me"}); created != nil {
			p.showFields("fields", created)
		}
	}),
	probe("managed-fields", func(p *P) {
		created := p.tryCreate("create", relay("a", labeled(map[string]string{"a": "b"}), func(r *edgev1alpha1.Relay) {
			r.Spec.Contacts = []string{"x"}
			r.Spec.Forwards = []edgev1alpha1.RelayForward{{Port: 1, Protocol: "TCP"}}
		}), metav1.CreateOptions{FieldManager: "me"})
		p.showFields("fields", created)
	}),
	probe("managed-fields-default-manager", func(p *P) { p.showFields("fields", p.tryCreate("create", relay("a"), create)) }),
	createWith("label-key-invalid", labeled(map[string]string{"a b": "c"}), nil),
	createWith("label-key-long", labeled(map[string]string{strings.Repeat("a", 64): "c"}), nil),
	createWith("label-prefix-invalid", labeled(map[string]string{"UPPER.example.com/a": "c"}), nil),
	createWith("label-value-invalid", labeled(map[string]string{"a": "b c"}), nil),
	createWith("label-value-long", labeled(map[string]string{"a": strings.Repeat("b", 64)}), nil),
	createWith("label-value-empty", labeled(map[string]string{"a": ""}), func(r *edgev1alpha1.Relay) any { return r.Labels }),
	createWith("annotation-key-invalid", func(r *edgev1alpha1.Relay) { r.Annotations = map[string]string{"a b": "c"} }, nil),
	createWith("annotations-too-large", func(r *edgev1alpha1.Relay) {
		r.Annotations = map[string]string{"a": strings.Repeat("b", 256<<10)}
	}, nil),
	createWith("annotation-value-free", func(r *edgev1alpha1.Relay) { r.Annotations = map[string]string{"A.b/C": "any text\n"} },
		func(r *edgev1alpha1.Relay) any { return r.Annotations }),
	createWith("finalizer-unqualified", finalized("wait"), func(r *edgev1alpha1.Relay) any { return r.Finalizers }),
	createWith("finalizer-invalid", finalized("a b"), nil),
	createWith("finalizer-empty", finalized(""), nil),
	createWith("finalizer-twice", finalized(finalizer, finalizer), func(r *edgev1alpha1.Relay) any { return r.Finalizers }),
	createWith("finalizers-orphan-and-foreground", finalized(metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents), nil),
	createWith("owner", owned(owner("Thing", "t", "u1")), ownersOf),
	createWith("owner-without-uid", owned(owner("Thing", "t", "")), nil),
	createWith("owner-without-name", owned(owner("Thing", "", "u1")), nil),
	createWith("owner-without-kind", owned(owner("", "t", "u1")), nil),
	createWith("owner-without-version", owned(metav1.OwnerReference{Kind: "Thing", Name: "t", UID: "u1"}), nil),
	createWith("owner-of-banned-kind", owned(metav1.OwnerReference{APIVersion: "v1", Kind: "Event", Name: "t", UID: "u1"}), nil),
	createWith("owner-twice", owned(owner("Thing", "t", "u1"), owner("Thing", "t", "u1")), ownersOf),
	createWith("two-owners", owned(owner("Thing", "t", "u1"), owner("Thing", "s", "u2")), ownersOf),
	createWith("two-controllers", func(r *edgev1alpha1.Relay) {
		a, b := owner("Thing", "t", "u1"), owner("Thing", "s", "u2")
		a.Controller, b.Controller = new(true), new(true)
		r.OwnerReferences = []metav1.OwnerReference{a, b}
	}, nil),
	createWith("many-mistakes", func(r *edgev1alpha1.Relay) {
		r.Labels, r.Finalizers = map[string]string{"a b": "c", "-": "d"}, []string{"a b"}
		r.Annotations = map[string]string{"x y": "z"}
	}, nil),
	createWith("empty-labels", labeled(map[string]string{}), func(r *edgev1alpha1.Relay) any { return r.Labels }),
	createWith("empty-finalizers", finalized([]string{}...), func(r *edgev1alpha1.Relay) any { return r.Finalizers }),
	createWith("empty-slices-and-maps", func(r *edgev1alpha1.Relay) {
		r.Spec.Contacts, r.Spec.Hints, r.Spec.Forwards = []string{}, map[string]string{}, []edgev1alpha1.RelayForward{}
	}, func(r *edgev1alpha1.Relay) any { return []any{r.Spec.Contacts, r.Spec.Hints, r.Spec.Forwards} }),
	createWith("empty-struct-in-map", func(r *edgev1alpha1.Relay) {
		r.Spec.Interfaces = map[string]edgev1alpha1.RelayInterface{"eth0": {}}
	}, func(r *edgev1alpha1.Relay) any { return r.Spec.Interfaces }),
	createWith("empty-value-in-map", func(r *edgev1alpha1.Relay) { r.Spec.Hints = map[string]string{"a": ""} },
		func(r *edgev1alpha1.Relay) any { return r.Spec.Hints }),
	probe("micro-time", func(p *P) {
		sent := heartbeat("a")
		sent.Status.RenewTime = new(metav1.NewMicroTime(noon))
		created, err := p.heartbeats().Create(p.ctx, sent, create)
		p.must("create", err)
		p.show("nanoseconds", created.Status.RenewTime.Nanosecond())
		p.show("same second", created.Status.RenewTime.Truncate(time.Second).Equal(noon.Truncate(time.Second)))
		p.show("zone of the client", created.Status.RenewTime.Location() == time.Local) //nolint:gosmopolitan // as clients decode it
	}),
	probe("time-in-status", func(p *P) {
		created, err := p.tunnels().Create(p.ctx, tunnel("a"), create)
		p.must("create", err)
		created.Status.LastHandshake = new(metav1.NewTime(noon))
		updated, err := p.tunnels().UpdateStatus(p.ctx, created, update)
		p.must("update status", err)
		p.show("nanoseconds", updated.Status.LastHandshake.Nanosecond())
		p.show("same second", updated.Status.LastHandshake.Unix() == noon.Unix())
	}),
	probe("status-without-subresource", func(p *P) {
		created, err := p.heartbeats().Create(p.ctx, &fleetv1.Heartbeat{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Status: fleetv1.HeartbeatStatus{Version: "7"}}, create)
		p.must("create", err)
		p.show("status", created.Status)
		p.show("generation", created.Generation)
	}),
)
