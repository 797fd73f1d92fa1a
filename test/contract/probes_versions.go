package contract

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
)

// addBeta creates a workload in the old version and ends the probe if that fails.
func (p *P) addBeta() *fleetv1beta1.Workload {
	created, err := p.oldWorkloads().Create(p.ctx, oldWorkload("a"), metav1.CreateOptions{FieldManager: "creator"})
	p.must("create", err)
	return created
}

// readStable gets the workload in the new version and ends the probe if that fails.
func (p *P) readStable() *fleetv1.Workload {
	w, err := p.workloads().Get(p.ctx, "a", get)
	p.must("get as v1", err)
	return w
}

// readBeta is like readStable, for the old version.
func (p *P) readBeta() *fleetv1beta1.Workload {
	w, err := p.oldWorkloads().Get(p.ctx, "a", get)
	p.must("get as v1beta1", err)
	return w
}

// A conversion webhook decides which fields correspond, so all of these need the server's configuration.
var versionProbes = group("versions",
	needsCRD("create-old-read-new", func(p *P) {
		created := p.addBeta()
		w := p.readStable()
		p.show("image", w.Spec.Template.Image)
		p.show("replicas", w.Spec.Replicas)
		p.show("same uid", w.UID == created.UID)
		p.printf("version: %s", compare(created.ResourceVersion, w.ResourceVersion))
	}),
	needsCRD("create-new-read-old", func(p *P) {
		_, err := p.workloads().Create(p.ctx, workload("a"), create)
		p.must("create", err)
		p.show("spec", p.readBeta().Spec)
	}),
	needsCRD("duplicate-in-other-version", func(p *P) {
		p.addBeta()
		_, err := p.workloads().Create(p.ctx, workload("a"), create)
		p.err("create", err)
	}),
	needsCRD("update-old-read-new", func(p *P) {
		_, err := p.workloads().Create(p.ctx, workload("a"), create)
		p.must("create", err)
		old := p.readBeta()
		old.Spec.Image = "image:2"
		_, err = p.oldWorkloads().Update(p.ctx, old, update)
		p.must("update", err)
		p.show("spec", p.readStable().Spec)
	}),
	needsCRD("patch-old-read-new", func(p *P) {
		_, err := p.workloads().Create(p.ctx, workload("a"), create)
		p.must("create", err)
		_, err = p.oldWorkloads().Patch(p.ctx, "a", types.MergePatchType, []byte(`{"spec":{"image":"image:2"}}`), metav1.PatchOptions{})
		p.must("patch", err)
		p.show("template", p.readStable().Spec.Template)
	}),
	needsCRD("stale-across-versions", func(p *P) {
		old := p.addBeta()
		w := p.readStable()
		w.Spec.Paused = true
		_, err := p.workloads().Update(p.ctx, w, update)
		p.must("update as v1", err)
		old.Spec.Image = "image:2"
		_, err = p.oldWorkloads().Update(p.ctx, old, update)
		p.err("update as v1beta1", err)
	}),
	needsCRD("generation-across-versions", func(p *P) {
		old := p.addBeta()
		old.Spec.Image = "image:2"
		_, err := p.oldWorkloads().Update(p.ctx, old, update)
		p.must("update", err)
		p.show("generation", p.readStable().Generation)
	}),
	needsCRD("status-across-versions", func(p *P) {
		old := p.addBeta()
		old.Status.ReadyReplicas = 1
		_, err := p.oldWorkloads().UpdateStatus(p.ctx, old, update)
		p.must("update status", err)
		p.show("status", p.readStable().Status)
	}),
	needsCRD("delete-in-other-version", func(p *P) {
		p.addBeta()
		p.err("delete", p.workloads().Delete(p.ctx, "a", remove))
		_, err := p.oldWorkloads().Get(p.ctx, "a", get)
		p.err("get", err)
	}),
	needsCRD("list-in-other-version", func(p *P) {
		p.addBeta()
		list, err := p.workloads().List(p.ctx, all)
		p.must("list", err)
		for i := range list.Items {
			p.printf("%s %s", list.Items[i].Name, list.Items[i].Spec.Template.Image)
			p.show("type", list.Items[i].TypeMeta)
		}
	}),
	needsCRD("watch-in-other-version", func(p *P) {
		list, err := p.workloads().List(p.ctx, all)
		p.must("list", err)
		started, err := p.workloads().Watch(p.ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
		w := p.follow("watch", started, err)
		p.addBeta()
		if seen, ok := w.next().Object.(*fleetv1.Workload); ok {
			p.show("image", seen.Spec.Template.Image)
		}
	}),
	needsCRD("selectable-only-in-new", func(p *P) {
		p.addBeta()
		_, err := p.oldWorkloads().List(p.ctx, metav1.ListOptions{FieldSelector: "spec.regionName=north"})
		p.err("list as v1beta1", err)
	}),
	needsCRD("managed-fields-of-two-versions", func(p *P) {
		p.addBeta()
		w := p.readStable()
		w.Spec.Paused = true
		updated, err := p.workloads().Update(p.ctx, w, metav1.UpdateOptions{FieldManager: "updater"})
		p.must("update", err)
		p.show("paused", updated.Spec.Paused)
		p.showFields("fields", updated)
	}),
	needsCRD("conflict-across-versions", func(p *P) {
		_, err := p.oldWorkloads().Patch(p.ctx, "a", types.ApplyPatchType,
			[]byte(`{"apiVersion":"fleet.example.com/v1beta1","kind":"Workload","metadata":{"name":"a"},"spec":{"image":"image:1","regionName":"north","replicas":1}}`), me)
		p.must("apply as v1beta1", err)
		_, err = p.workloads().Patch(p.ctx, "a", types.ApplyPatchType,
			[]byte(`{"apiVersion":"fleet.example.com/v1","kind":"Workload","metadata":{"name":"a"},"spec":{"replicas":5,"template":{"image":"image:2"}}}`),
			metav1.PatchOptions{FieldManager: "two"})
		p.err("apply as v1", err)
	}),
	needsCRD("validation-of-requested-version", func(p *P) {
		sent := oldWorkload("a")
		sent.Spec.Image = ""
		_, err := p.oldWorkloads().Create(p.ctx, sent, create)
		p.err("create", err)
	}),
	needsCRD("default-of-other-version", func(p *P) {
		p.addBeta()
		p.show("spec", p.readStable().Spec)
	}),
	needsCRD("new-version-for-the-old-client", func(p *P) {
		sent := oldWorkload("a")
		sent.TypeMeta = metav1.TypeMeta{Kind: "Workload", APIVersion: fleetv1.SchemeGroupVersion.String()}
		_, err := p.oldWorkloads().Create(p.ctx, sent, create)
		p.err("create", err)
	}),
)
