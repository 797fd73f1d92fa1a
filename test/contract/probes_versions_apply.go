package contract

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// patchBeta patches or applies workload a in the old version and records the outcome with the managed fields.
func (p *P) patchBeta(label string, how types.PatchType, patch string, options metav1.PatchOptions) {
	patched, err := p.oldWorkloads().Patch(p.ctx, "a", how, []byte(patch), options)
	if p.err(label, err) {
		p.show(label, patched.Spec)
		p.showFields(label, patched)
	}
}

func betaConfiguration(spec string) string {
	return `{"apiVersion":"fleet.example.com/v1beta1","kind":"Workload","metadata":{"name":"a"},"spec":` + spec + `}`
}

func stableConfiguration(spec string) string {
	return `{"apiVersion":"fleet.example.com/v1","kind":"Workload","metadata":{"name":"a"},"spec":` + spec + `}`
}

var versionApplyProbes = group("versions",
	needsCRD("apply-old-version", func(p *P) {
		p.patchBeta("apply", types.ApplyPatchType, betaConfiguration(`{"image":"image:1","regionName":"north","replicas":1}`), me)
		p.showFields("as v1", p.readStable())
		p.patchBeta("apply again", types.ApplyPatchType, betaConfiguration(`{"image":"image:2","regionName":"north","replicas":1}`), me)
		p.showFields("as v1", p.readStable())
	}),
	needsCRD("apply-old-version-to-new", func(p *P) {
		_, err := p.workloads().Create(p.ctx, workload("a"), metav1.CreateOptions{FieldManager: "creator"})
		p.must("create", err)
		p.patchBeta("apply", types.ApplyPatchType, betaConfiguration(`{"image":"image:1"}`), me)
		p.patchBeta("conflict", types.ApplyPatchType, betaConfiguration(`{"image":"image:2"}`), me)
	}),
	needsCRD("apply-both-versions", func(p *P) {
		p.patchBeta("apply as v1beta1", types.ApplyPatchType, betaConfiguration(`{"image":"image:1","regionName":"north","replicas":1}`), me)
		w, err := p.workloads().Patch(p.ctx, "a", types.ApplyPatchType,
			[]byte(stableConfiguration(`{"regionName":"north","template":{"image":"image:2"}}`)), me)
		p.must("apply as v1", err)
		p.show("spec", w.Spec)
		p.showFields("apply as v1", w)
	}),
	needsCRD("apply-gives-up-across-versions", func(p *P) {
		_, err := p.workloads().Patch(p.ctx, "a", types.ApplyPatchType,
			[]byte(stableConfiguration(`{"regionName":"north","template":{"image":"image:1","labels":{"a":"b"}},"config":{"a":"b"}}`)), me)
		p.must("apply as v1", err)
		p.patchBeta("apply as v1beta1", types.ApplyPatchType, betaConfiguration(`{"image":"image:1","regionName":"north"}`), me)
		w := p.readStable()
		p.show("spec", w.Spec)
		p.showFields("as v1", w)
	}),
	needsCRD("apply-unknown-in-old-version", func(p *P) {
		p.addBeta()
		p.patchBeta("apply", types.ApplyPatchType, betaConfiguration(`{"template":{"image":"image:1"}}`), me)
	}),
	needsCRD("patch-old-version", func(p *P) {
		_, err := p.workloads().Create(p.ctx, workload("a"), metav1.CreateOptions{FieldManager: "creator"})
		p.must("create", err)
		p.patchBeta("patch", types.MergePatchType, `{"spec":{"image":"image:2"}}`, me)
		p.showFields("as v1", p.readStable())
	}),
)
