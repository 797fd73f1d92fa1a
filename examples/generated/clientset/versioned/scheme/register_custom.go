package scheme

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// ExtraAddToScheme adds the type of the scale subresource, so that a Scale goes out with its kind and version set.
func ExtraAddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(autoscalingv1.SchemeGroupVersion, &autoscalingv1.Scale{})
	return nil
}
