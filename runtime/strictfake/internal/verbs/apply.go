package verbs

import (
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strictyaml "sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// decodeApply returns the result of a server-side apply. It creates a missing object, unless it is for a subresource.
func (r *request) decodeApply(p Patch) (d decoded, err error) {
	configuration, err := r.configuration(p)
	if err != nil {
		return d, err
	}
	live, err := r.load()
	if err != nil && (live != nil || r.subresource != "") {
		return d, err
	}
	var old *unstructuredObject
	if live != nil {
		old = live.old
	}
	r.writer().LimitConfiguration(configuration)
	uid := configuration.GetUID()
	u, err := r.writer().Apply(old, configuration, p.isForced())
	if err != nil {
		return d, err
	}
	if err := p.rejectDuplicates(); err != nil {
		return d, err
	}
	if live == nil && uid != "" {
		return d, apierrors.NewConflict(r.name(), r.key.Name, fmt.Errorf(
			"uid mismatch: the provided object specified uid %s, and no existing object was found", uid))
	}
	if err := r.checkName(u); err != nil {
		return d, err
	}
	metadata := u.Object["metadata"]
	if _, err := object.CoerceMetadata(u); err != nil {
		return d, err
	}
	if live == nil && !r.dryRun {
		u.SetResourceVersion("")
	}
	// An apply that removes the last label leaves an empty map. A server stores it, and drops it when it reads the object.
	untidy := live != nil && !object.SameJSON(metadata, u.Object["metadata"])
	return decoded{draft{u, live, untidy}, true}, nil
}

// configuration returns the apply configuration of a request.
func (r *request) configuration(p Patch) (*unstructuredObject, error) {
	if p.Configuration != nil {
		return r.kind.Encode(p.Configuration)
	}
	return decodeConfiguration(p.Data)
}

// decodeConfiguration returns the apply configuration in the body of a request.
func decodeConfiguration(data []byte) (*unstructuredObject, error) {
	configuration := &unstructuredObject{}
	if err := yaml.Unmarshal(data, &configuration.Object); err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	return configuration, nil
}

// rejectDuplicates returns an error for an apply configuration with duplicate fields if field validation is strict.
func (p Patch) rejectDuplicates() error {
	if p.Options.FieldValidation != metav1.FieldValidationStrict || p.Configuration != nil {
		return nil
	}
	if err := strictyaml.UnmarshalStrict(p.Data, &map[string]any{}); err != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("error strict decoding patch: %v", err))
	}
	return nil
}

// applyScale returns a scale after a server-side apply.
func (r *request) applyScale(old *autoscalingv1.Scale, p Patch) (*autoscalingv1.Scale, error) {
	configuration, err := decodeConfiguration(p.Data)
	if err != nil {
		return nil, err
	}
	scale, err := r.writer().ApplyScale(old, configuration, p.isForced())
	if err != nil {
		return nil, err
	}
	return scale, p.rejectDuplicates()
}
