package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"k8s.io/utils/ptr"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
)

// keptAnnotation has the fields that v1beta1 lacks, so that a client of v1beta1 that changes a workload does not remove them.
const keptAnnotation = "fleet.example.com/v1"

// kept is the value of keptAnnotation.
type kept struct {
	Spec   fleetv1.WorkloadSpec   `json:"spec"`
	Status fleetv1.WorkloadStatus `json:"status"`
}

func toV1beta1(_ context.Context, from *fleetv1.Workload, to *fleetv1beta1.Workload) error {
	text, err := json.Marshal(kept{Spec: from.Spec, Status: from.Status})
	if err != nil {
		return err
	}
	from.ObjectMeta.DeepCopyInto(&to.ObjectMeta)
	if to.Annotations == nil {
		to.Annotations = map[string]string{}
	}
	to.Annotations[keptAnnotation] = string(text)
	to.Spec = fleetv1beta1.WorkloadSpec{
		Replicas:   ptr.Deref(from.Spec.Replicas, 1),
		Image:      from.Spec.Template.Image,
		RegionName: from.Spec.RegionName,
	}
	to.Status = fleetv1beta1.WorkloadStatus{ReadyReplicas: from.Status.ReadyReplicas, Conditions: from.Status.Conditions}
	return nil
}

func fromV1beta1(_ context.Context, from *fleetv1beta1.Workload, to *fleetv1.Workload) error {
	var k kept
	if text, ok := from.Annotations[keptAnnotation]; ok {
		if err := json.Unmarshal([]byte(text), &k); err != nil {
			return fmt.Errorf("annotation %s: %w", keptAnnotation, err)
		}
	}
	from.ObjectMeta.DeepCopyInto(&to.ObjectMeta)
	maps.DeleteFunc(to.Annotations, func(key, _ string) bool { return key == keptAnnotation })
	to.Spec, to.Status = k.Spec, k.Status
	// v1beta1 may have changed what both versions have. It says 1 for replicas that v1 leaves unset.
	if ptr.Deref(k.Spec.Replicas, 1) != from.Spec.Replicas {
		to.Spec.Replicas = &from.Spec.Replicas
	}
	to.Spec.Template.Image, to.Spec.RegionName = from.Spec.Image, from.Spec.RegionName
	to.Status.ReadyReplicas, to.Status.Conditions = from.Status.ReadyReplicas, from.Status.Conditions
	return nil
}
