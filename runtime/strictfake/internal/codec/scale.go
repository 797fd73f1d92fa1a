package codec

import (
	"errors"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
)

// Steps splits a path such as ".spec.replicas" into names.
func Steps(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

// Scale returns the scale of an object in the version of the kind.
func (k *Kind) Scale(u *unstructured.Unstructured) (*autoscalingv1.Scale, error) {
	spec, status, selector := k.schema.ScalePaths()
	wanted, found, err := unstructured.NestedInt64(u.Object, Steps(spec)...)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	switch {
	case !found && k.BuiltIn:
		wanted = builtin.DefaultReplicas
	case !found:
		return nil, apierrors.NewInternalError(errors.New("the spec replicas field \"" + spec + "\" does not exist"))
	}
	scale := &autoscalingv1.Scale{}
	scale.Name, scale.Namespace, scale.UID = u.GetName(), u.GetNamespace(), u.GetUID()
	scale.ResourceVersion, scale.CreationTimestamp = u.GetResourceVersion(), u.GetCreationTimestamp()
	scale.Spec.Replicas = int32(wanted)
	if is, _, err := unstructured.NestedInt64(u.Object, Steps(status)...); err == nil {
		scale.Status.Replicas = int32(is)
	}
	if k.BuiltIn {
		if scale.Status.Selector, err = builtin.Selector(u); err != nil {
			return nil, apierrors.NewInternalError(err)
		}
	} else if selector != "" {
		scale.Status.Selector, _, _ = unstructured.NestedString(u.Object, Steps(selector)...) // servers ignore other types
	}
	return scale, nil
}

// SetReplicas sets the replicas of an object in the version of the kind.
func (k *Kind) SetReplicas(u *unstructured.Unstructured, replicas int64) error {
	path, _, _ := k.schema.ScalePaths()
	return unstructured.SetNestedField(u.Object, replicas, Steps(path)...)
}
