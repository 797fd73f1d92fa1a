package webhooks

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// regionGetter is the part of the client that the validation uses.
type regionGetter interface {
	Get(ctx context.Context, name string, options metav1.GetOptions) (*fleetv1.Region, error)
}

// validator rejects workloads whose region does not exist: a rule that needs another object, which the schema cannot express.
type validator struct{ regions regionGetter }

var _ admission.Validator[*fleetv1.Workload] = validator{}

// ValidateCreate implements admission.Validator.
func (v validator) ValidateCreate(ctx context.Context, workload *fleetv1.Workload) (admission.Warnings, error) {
	_, err := v.regions.Get(ctx, workload.Spec.RegionName, metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		return nil, err
	}
	return nil, apierrors.NewInvalid(fleetv1.Kind("Workload"), workload.Name, field.ErrorList{
		field.NotFound(field.NewPath("spec", "regionName"), workload.Spec.RegionName),
	})
}

// ValidateUpdate implements admission.Validator. The region cannot be changed, so it is not looked up again: a workload must not
// become read-only when its region is deleted.
func (v validator) ValidateUpdate(context.Context, *fleetv1.Workload, *fleetv1.Workload) (admission.Warnings, error) {
	return nil, nil
}

// ValidateDelete implements admission.Validator.
func (v validator) ValidateDelete(context.Context, *fleetv1.Workload) (admission.Warnings, error) {
	return nil, nil
}
