package contract

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	fleetv1beta1client "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/typed/fleet/v1beta1"
)

// gateways returns the client of a kind with defaults in its status and with free-form fields, see package extended.
func (p *P) gateways() fleetv1beta1client.GatewayInterface {
	return p.client.FleetV1beta1().Gateways(p.namespace)
}

func gateway(name string) *fleetv1beta1.Gateway {
	return &fleetv1beta1.Gateway{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: fleetv1beta1.GatewaySpec{
		Listeners: []fleetv1beta1.GatewayListener{{Port: 80, WorkloadName: "web"}},
	}}
}

// addGateway creates a gateway and ends the probe if that fails.
func (p *P) addGateway() *fleetv1beta1.Gateway {
	created, err := p.gateways().Create(p.ctx, gateway("a"), metav1.CreateOptions{FieldManager: "creator"})
	p.must("create", err)
	return created
}

// gatewayConfiguration returns an apply configuration of a gateway.
func gatewayConfiguration(metadata, spec string) string {
	return `{"apiVersion":"fleet.example.com/v1beta1","kind":"Gateway","metadata":` + metadata + `,"spec":` + spec + `}`
}

var defaultProbes = group("defaults",
	needsCRD("status-default-create", func(p *P) {
		sent := gateway("a")
		sent.Status.Addresses = []string{"sent"}
		created, err := p.gateways().Create(p.ctx, sent, create)
		p.must("create", err)
		p.show("created", created.Status)
		p.showFields("created", created)
		read, err := p.gateways().Get(p.ctx, "a", get)
		p.must("get", err)
		p.show("read", read.Status)
		list, err := p.gateways().List(p.ctx, all)
		p.must("list", err)
		for i := range list.Items {
			p.show("listed", list.Items[i].Status)
		}
	}),
	needsCRD("status-default-dry-run", func(p *P) {
		p.inhabit()
		created, err := p.gateways().Create(p.ctx, gateway("a"), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		p.must("create", err)
		p.show("created", created.Status)
	}),
	needsCRD("status-default-apply", func(p *P) {
		created, err := p.gateways().Patch(p.ctx, "a", types.ApplyPatchType,
			[]byte(gatewayConfiguration(`{"name":"a"}`, `{"listeners":[{"port":80,"workloadName":"web"}]}`)), me)
		p.must("apply", err)
		p.show("created", created.Status)
		p.showFields("created", created)
		again, err := p.gateways().Patch(p.ctx, "a", types.ApplyPatchType,
			[]byte(gatewayConfiguration(`{"name":"a"}`, `{"listeners":[{"port":80,"workloadName":"web"}]}`)), me)
		p.must("apply again", err)
		p.printf("version: %s", compare(created.ResourceVersion, again.ResourceVersion))
		p.showFields("again", again)
	}),
	needsCRD("status-default-events", func(p *P) {
		list, err := p.gateways().List(p.ctx, all)
		p.must("list", err)
		w, err := p.gateways().Watch(p.ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
		events := p.follow("watch", w, err)
		p.addGateway()
		if seen, ok := events.next().Object.(*fleetv1beta1.Gateway); ok {
			p.show("added", seen.Status)
		}
		p.must("delete", p.gateways().Delete(p.ctx, "a", remove))
		if seen, ok := events.next().Object.(*fleetv1beta1.Gateway); ok {
			p.show("deleted", seen.Status)
		}
	}),
	needsCRD("status-default-update-unchanged", func(p *P) {
		created := p.addGateway()
		first, err := p.gateways().Update(p.ctx, created, metav1.UpdateOptions{FieldManager: "updater"})
		p.must("update", err)
		p.printf("first update: %s, generation %d", compare(created.ResourceVersion, first.ResourceVersion), first.Generation)
		p.showFields("first update", first)
		second, err := p.gateways().Update(p.ctx, first, metav1.UpdateOptions{FieldManager: "updater"})
		p.must("update", err)
		p.printf("second update: %s, generation %d", compare(first.ResourceVersion, second.ResourceVersion), second.Generation)
	}),
	needsCRD("status-default-update-dry-run", func(p *P) {
		created := p.addGateway()
		updated, err := p.gateways().Update(p.ctx, created, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
		p.must("update", err)
		p.printf("update: %s", compare(created.ResourceVersion, updated.ResourceVersion))
		p.show("updated", updated.Status)
	}),
	needsCRD("status-default-update-status", func(p *P) {
		created := p.addGateway()
		updated, err := p.gateways().UpdateStatus(p.ctx, created, metav1.UpdateOptions{FieldManager: "updater"})
		p.must("update status", err)
		p.printf("unchanged: %s, generation %d", compare(created.ResourceVersion, updated.ResourceVersion), updated.Generation)
		p.showFields("unchanged", updated)
		updated.Status.Addresses = nil
		updated, err = p.gateways().UpdateStatus(p.ctx, updated, metav1.UpdateOptions{FieldManager: "updater"})
		p.must("update status", err)
		p.show("without addresses", updated.Status)
		updated.Status.Addresses = []string{"192.0.2.2"}
		updated, err = p.gateways().UpdateStatus(p.ctx, updated, metav1.UpdateOptions{FieldManager: "updater"})
		p.must("update status", err)
		p.show("changed", updated.Status)
		p.showFields("changed", updated)
	}),
	needsCRD("status-default-patch", func(p *P) {
		created := p.addGateway()
		patched, err := p.gateways().Patch(p.ctx, "a", types.MergePatchType, []byte(`{}`), me)
		p.must("patch", err)
		p.printf("unchanged: %s, generation %d", compare(created.ResourceVersion, patched.ResourceVersion), patched.Generation)
		p.showFields("unchanged", patched)
	}),
	needsCRD("update-unchanged-through-lossy-version", func(p *P) {
		sent := workload("a")
		sent.Spec.Template.Labels = map[string]string{"a": "b"}
		created, err := p.workloads().Create(p.ctx, sent, metav1.CreateOptions{FieldManager: "creator"})
		p.must("create", err)
		updated, err := p.oldWorkloads().Update(p.ctx, p.readBeta(), metav1.UpdateOptions{FieldManager: "updater"})
		p.must("update", err)
		p.printf("first update: %s, generation %d", compare(created.ResourceVersion, updated.ResourceVersion), updated.Generation)
		p.showFields("first update", updated)
		stable := p.readStable()
		p.show("labels", stable.Spec.Template.Labels)
		p.showFields("v1", stable)
		again, err := p.oldWorkloads().Update(p.ctx, updated, metav1.UpdateOptions{FieldManager: "updater"})
		p.must("update", err)
		p.printf("second update: %s", compare(updated.ResourceVersion, again.ResourceVersion))
	}),
	needsCRD("update-unchanged-through-newer-version", func(p *P) {
		created := p.addBeta()
		again, err := p.oldWorkloads().Update(p.ctx, created, metav1.UpdateOptions{FieldManager: "updater"})
		p.must("update as v1beta1", err)
		p.printf("v1beta1: %s, generation %d", compare(created.ResourceVersion, again.ResourceVersion), again.Generation)
		updated, err := p.workloads().Update(p.ctx, p.readStable(), metav1.UpdateOptions{FieldManager: "updater"})
		p.must("update as v1", err)
		p.printf("v1: %s, generation %d", compare(again.ResourceVersion, updated.ResourceVersion), updated.Generation)
		p.showFields("v1", updated)
	}),
)
