package contract

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// addWorkload creates a workload with two replicas and reports one as ready.
func (p *P) addWorkload() *fleetv1.Workload {
	sent := workload("a")
	sent.Spec.Replicas = ptr.To[int32](2)
	created, err := p.workloads().Create(p.ctx, sent, metav1.CreateOptions{FieldManager: "creator"})
	p.must("create", err)
	created.Status.Replicas, created.Status.Selector = 1, "app=a"
	created, err = p.workloads().UpdateStatus(p.ctx, created, metav1.UpdateOptions{FieldManager: "reporter"})
	p.must("update status", err)
	return created
}

// tryScale updates the scale of workload a, and records the error.
func (p *P) tryScale(label string, scale *autoscalingv1.Scale, options metav1.UpdateOptions) *autoscalingv1.Scale {
	updated, err := p.workloads().UpdateScale(p.ctx, "a", scale, options)
	if !p.err(label, err) {
		return nil
	}
	return updated
}

// scaleTo returns a probe that updates the scale to a number of replicas.
func scaleTo(short string, mutate func(*autoscalingv1.Scale)) Probe {
	return needsCRD(short, func(p *P) {
		p.addWorkload()
		scale, err := p.workloads().GetScale(p.ctx, "a", get)
		p.must("get scale", err)
		mutate(scale)
		if updated := p.tryScale("update scale", scale, update); updated != nil {
			p.show("spec", updated.Spec)
			p.show("status", updated.Status)
		}
		w, err := p.workloads().Get(p.ctx, "a", get)
		p.must("get", err)
		p.show("replicas", w.Spec.Replicas)
		p.show("generation", w.Generation)
	})
}

// patchScale returns a probe that patches the scale.
func patchScale(short, patch string) Probe {
	return needsCRD(short, func(p *P) {
		p.addWorkload()
		scale, err := p.workloads().PatchScale(p.ctx, "a", types.MergePatchType, []byte(patch), metav1.PatchOptions{}, "scale")
		if p.err("patch scale", err) {
			p.show("spec", scale.Spec)
		}
	})
}

var scaleProbes = group("scale",
	needsCRD("get", func(p *P) {
		created := p.addWorkload()
		scale, err := p.workloads().GetScale(p.ctx, "a", get)
		p.must("get scale", err)
		p.show("type", scale.TypeMeta)
		p.show("spec", scale.Spec)
		p.show("status", scale.Status)
		p.printf("name=%s same uid=%t version: %s generation=%d", scale.Name, scale.UID == created.UID,
			compare(created.ResourceVersion, scale.ResourceVersion), scale.Generation)
		p.show("labels and annotations", []any{scale.Labels, scale.Annotations})
	}),
	needsCRD("get-without-replicas", func(p *P) {
		_, err := p.workloads().Create(p.ctx, workload("a"), create)
		p.must("create", err)
		scale, err := p.workloads().GetScale(p.ctx, "a", get)
		p.must("get scale", err)
		p.show("spec", scale.Spec)
		p.show("status", scale.Status)
	}),
	probe("get-missing", func(p *P) {
		_, err := p.workloads().GetScale(p.ctx, "a", get)
		p.err("get scale", err)
	}),
	scaleTo("up", func(s *autoscalingv1.Scale) { s.Spec.Replicas = 5 }),
	scaleTo("to-zero", func(s *autoscalingv1.Scale) { s.Spec.Replicas = 0 }),
	scaleTo("same", func(*autoscalingv1.Scale) {}),
	scaleTo("negative", func(s *autoscalingv1.Scale) { s.Spec.Replicas = -1 }),
	scaleTo("status-ignored", func(s *autoscalingv1.Scale) { s.Status.Replicas = 9 }),
	scaleTo("without-version", func(s *autoscalingv1.Scale) { s.Spec.Replicas, s.ResourceVersion = 5, "" }),
	scaleTo("version-garbage", func(s *autoscalingv1.Scale) { s.Spec.Replicas, s.ResourceVersion = 5, "x" }),
	scaleTo("uid-wrong", func(s *autoscalingv1.Scale) { s.Spec.Replicas, s.UID = 5, "other" }),
	scaleTo("name-wrong", func(s *autoscalingv1.Scale) { s.Spec.Replicas, s.Name = 5, "b" }),
	scaleTo("name-missing", func(s *autoscalingv1.Scale) { s.Spec.Replicas, s.Name = 5, "" }),
	scaleTo("namespace-wrong", func(s *autoscalingv1.Scale) { s.Spec.Replicas, s.Namespace = 5, "elsewhere" }),
	scaleTo("labels-ignored", func(s *autoscalingv1.Scale) { s.Labels = map[string]string{"a": "b"} }),
	needsCRD("version-stale", func(p *P) {
		created := p.addWorkload()
		scale, err := p.workloads().GetScale(p.ctx, "a", get)
		p.must("get scale", err)
		created.Labels = map[string]string{"a": "b"}
		_, err = p.workloads().Update(p.ctx, created, update)
		p.must("update", err)
		scale.Spec.Replicas = 5
		p.tryScale("update scale", scale, update)
	}),
	probe("update-missing", func(p *P) {
		p.tryScale("update scale", &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, update)
	}),
	needsCRD("dry-run", func(p *P) {
		p.addWorkload()
		scale, err := p.workloads().GetScale(p.ctx, "a", get)
		p.must("get scale", err)
		scale.Spec.Replicas = 5
		p.show("answer", p.tryScale("update scale", scale, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}}).Spec)
		scale, err = p.workloads().GetScale(p.ctx, "a", get)
		p.must("get scale", err)
		p.show("stored", scale.Spec)
	}),
	needsCRD("managed-fields", func(p *P) {
		p.addWorkload()
		scale, err := p.workloads().GetScale(p.ctx, "a", get)
		p.must("get scale", err)
		p.showFields("scale", scale)
		scale.Spec.Replicas = 5
		p.showFields("answer", p.tryScale("update scale", scale, metav1.UpdateOptions{FieldManager: "scaler"}))
		w, err := p.workloads().Get(p.ctx, "a", get)
		p.must("get", err)
		p.showFields("workload", w)
	}),
	needsCRD("event", func(p *P) {
		w, err := p.workloads().Watch(p.ctx, metav1.ListOptions{ResourceVersion: p.addWorkload().ResourceVersion})
		events := p.follow("watch", w, err)
		scale, err := p.workloads().GetScale(p.ctx, "a", get)
		p.must("get scale", err)
		scale.Spec.Replicas = 5
		p.tryScale("update scale", scale, update)
		events.next()
	}),
	patchScale("patch", `{"spec":{"replicas":5}}`),
	patchScale("patch-negative", `{"spec":{"replicas":-1}}`),
	patchScale("patch-null", `{"spec":{"replicas":null}}`),
	patchScale("patch-nothing", `{}`),
	patchScale("patch-wrong-type", `{"spec":{"replicas":"x"}}`),
	probe("patch-missing", func(p *P) {
		_, err := p.workloads().PatchScale(p.ctx, "a", types.MergePatchType, []byte(`{"spec":{"replicas":5}}`), metav1.PatchOptions{}, "scale")
		p.err("patch scale", err)
	}),
	needsCRD("conflict-with-applier", func(p *P) {
		p.addWorkload()
		_, err := p.workloads().PatchScale(p.ctx, "a", types.MergePatchType, []byte(`{"spec":{"replicas":5}}`), metav1.PatchOptions{FieldManager: "scaler"}, "scale")
		p.must("patch scale", err)
		_, err = p.workloads().Patch(p.ctx, "a", types.ApplyPatchType,
			[]byte(`{"apiVersion":"fleet.example.com/v1","kind":"Workload","metadata":{"name":"a"},"spec":{"replicas":3}}`), me)
		p.err("apply", err)
	}),
)
