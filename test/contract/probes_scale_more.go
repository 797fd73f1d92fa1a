package contract

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
)

// scaling is a request that sets the replicas of workload a.
type scaling struct {
	manager  string
	replicas int
	// how is the type of a patch of the scale, or empty for UpdateScale.
	how   types.PatchType
	force bool
}

// scaledBy returns a probe that scales a workload and records the managed fields after each request.
func scaledBy(short string, requests ...scaling) Probe {
	return needsCRD("owner-"+short, func(p *P) {
		p.addWorkload()
		for _, request := range requests {
			p.scale(request)
		}
	})
}

// scale scales workload a and records its managed fields.
func (p *P) scale(s scaling) {
	label := "as " + s.manager
	switch s.how {
	case "":
		scale, err := p.workloads().GetScale(p.ctx, "a", get)
		p.must("get scale", err)
		scale.Spec.Replicas = int32(s.replicas)
		p.tryScale(label, scale, metav1.UpdateOptions{FieldManager: s.manager})
	case types.ApplyPatchType:
		p.patchScale(label, s.how, `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"replicas":`+strconv.Itoa(s.replicas)+`}}`,
			metav1.PatchOptions{FieldManager: s.manager, Force: &s.force})
	case types.JSONPatchType:
		p.patchScale(label, s.how, `[{"op":"replace","path":"/spec/replicas","value":`+strconv.Itoa(s.replicas)+`}]`,
			metav1.PatchOptions{FieldManager: s.manager})
	default:
		p.patchScale(label, s.how, `{"spec":{"replicas":`+strconv.Itoa(s.replicas)+`}}`, metav1.PatchOptions{FieldManager: s.manager})
	}
	p.showWorkload(label)
}

func (p *P) patchScale(label string, how types.PatchType, patch string, options metav1.PatchOptions) {
	scale, err := p.workloads().PatchScale(p.ctx, "a", how, []byte(patch), options, "scale")
	if p.err(label, err) {
		p.show(label, scale.Spec)
	}
}

// showWorkload records what scaling changes in workload a.
func (p *P) showWorkload(label string) {
	w := p.readStable()
	p.show(label+", replicas", w.Spec.Replicas)
	p.show(label+", generation", w.Generation)
	p.showFields(label, w)
}

var scaleMoreProbes = group("scale",
	scaledBy("of-update", scaling{manager: "scaler", replicas: 5}),
	scaledBy("of-patch", scaling{manager: "scaler", replicas: 5, how: types.MergePatchType}),
	scaledBy("of-apply", scaling{manager: "scaler", replicas: 2, how: types.ApplyPatchType}),
	scaledBy("of-same", scaling{manager: "scaler", replicas: 2}),
	scaledBy("of-creator", scaling{manager: "creator", replicas: 5}),
	scaledBy("of-creator-apply", scaling{manager: "creator", replicas: 5, how: types.ApplyPatchType}),
	scaledBy("of-two", scaling{manager: "a", replicas: 5}, scaling{manager: "b", replicas: 6}, scaling{manager: "a", replicas: 7}),
	scaledBy("of-two-patches", scaling{manager: "a", replicas: 5, how: types.MergePatchType}, scaling{manager: "b", replicas: 6, how: types.JSONPatchType}),
	scaledBy("of-conflict", scaling{manager: "a", replicas: 2, how: types.ApplyPatchType}, scaling{manager: "b", replicas: 6, how: types.ApplyPatchType}),
	scaledBy("of-force", scaling{manager: "a", replicas: 5, how: types.ApplyPatchType, force: true},
		scaling{manager: "b", replicas: 6, how: types.ApplyPatchType, force: true}, scaling{manager: "a", replicas: 6, how: types.ApplyPatchType}),
	scaledBy("of-repeated", scaling{manager: "a", replicas: 5}, scaling{manager: "a", replicas: 6}, scaling{manager: "a", replicas: 6}),
	needsCRD("owner-of-object-afterwards", func(p *P) {
		p.addWorkload()
		p.scale(scaling{manager: "scaler", replicas: 5})
		w := p.readStable()
		w.Spec.Replicas = new(int32(6))
		_, err := p.workloads().Update(p.ctx, w, metav1.UpdateOptions{FieldManager: "scaler"})
		p.must("update", err)
		p.showWorkload("updated")
		p.scale(scaling{manager: "other", replicas: 7})
	}),
	needsCRD("owner-apply-object-and-scale", func(p *P) {
		config := v1.Workload("a", p.namespace).WithSpec(v1.WorkloadSpec().WithRegionName("north").WithReplicas(2).
			WithTemplate(v1.WorkloadTemplate().WithImage("image:1")))
		_, err := p.workloads().Apply(p.ctx, config, metav1.ApplyOptions{FieldManager: "applier"})
		p.must("apply", err)
		p.scale(scaling{manager: "applier", replicas: 3, how: types.ApplyPatchType})
		p.scale(scaling{manager: "scaler", replicas: 3, how: types.ApplyPatchType})
		p.scale(scaling{manager: "scaler", replicas: 4, how: types.ApplyPatchType, force: true})
		_, err = p.workloads().Apply(p.ctx, config, metav1.ApplyOptions{FieldManager: "applier"})
		p.err("apply again", err)
		p.showWorkload("apply again")
	}),
	needsCRD("owner-status-afterwards", func(p *P) {
		p.addWorkload()
		p.scale(scaling{manager: "scaler", replicas: 5})
		w := p.readStable()
		w.Status.Replicas = 5
		_, err := p.workloads().UpdateStatus(p.ctx, w, metav1.UpdateOptions{FieldManager: "reporter"})
		p.must("update status", err)
		p.showWorkload("updated")
	}),
	needsCRD("owner-through-old-version", func(p *P) {
		p.addBeta()
		p.scale(scaling{manager: "scaler", replicas: 5})
	}),
	needsCRD("owner-through-old-version-apply", func(p *P) {
		p.addBeta()
		p.scale(scaling{manager: "scaler", replicas: 1, how: types.ApplyPatchType})
	}),
	needsCRD("without-replicas", func(p *P) {
		_, err := p.workloads().Create(p.ctx, workload("a"), create)
		p.must("create", err)
		w, err := p.workloads().Patch(p.ctx, "a", types.MergePatchType, []byte(`{"spec":{"replicas":null}}`), me)
		p.must("patch", err)
		p.show("replicas", w.Spec.Replicas)
	}),
	needsCRD("apply-nothing", func(p *P) {
		p.addWorkload()
		p.patchScale("apply", types.ApplyPatchType, `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"}}`, me)
		p.showWorkload("apply")
	}),
	needsCRD("apply-gives-up", func(p *P) {
		p.addWorkload()
		p.scale(scaling{manager: "a", replicas: 2, how: types.ApplyPatchType})
		p.patchScale("apply", types.ApplyPatchType, `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{}}`,
			metav1.PatchOptions{FieldManager: "a"})
		p.showWorkload("apply")
	}),
	needsCRD("apply-metadata", func(p *P) {
		p.addWorkload()
		p.patchScale("apply", types.ApplyPatchType,
			`{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a","labels":{"a":"b"}},"spec":{"replicas":2}}`, me)
		p.showWorkload("apply")
	}),
	needsCRD("apply-wrong", func(p *P) {
		p.addWorkload()
		p.patchScale("type", types.ApplyPatchType, stableConfiguration(`{"replicas":5}`), me)
		p.patchScale("field", types.ApplyPatchType, `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"size":2}}`, me)
		p.patchScale("value", types.ApplyPatchType, `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"replicas":"x"}}`, me)
		p.patchScale("negative", types.ApplyPatchType, `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"replicas":-1}}`, force)
		p.patchScale("name", types.ApplyPatchType, `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"b"},"spec":{"replicas":2}}`, me)
		p.patchScale("no type", types.ApplyPatchType, `{"metadata":{"name":"a"},"spec":{"replicas":2}}`, me)
	}),
)

// force are the options of an apply that takes fields from other managers.
var force = metav1.PatchOptions{FieldManager: "me", Force: yes}
