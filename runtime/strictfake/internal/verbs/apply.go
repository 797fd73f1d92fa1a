package verbs

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strictyaml "sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// decodeApply returns the result of a server-side apply. It creates a missing object, unless it is for a subresource.
func (r *request) decodeApply(p Patch) (*unstructuredObject, error) {
	configuration, err := r.configuration(p)
	if err != nil {
		return nil, err
	}
	if err := r.load(); err != nil && (r.live != nil || r.subresource != "") {
		return nil, err
	}
	r.writer().LimitConfiguration(configuration)
	uid := configuration.GetUID()
	u, err := r.writer().Apply(r.old, configuration, p.isForced())
	if err != nil {
		return nil, err
	}
	if err := p.rejectDuplicates(); err != nil {
		return nil, err
	}
	r.isOwned = true
	if r.old == nil && uid != "" {
		return nil, apierrors.NewConflict(r.name(), r.key.Name, fmt.Errorf(
			"uid mismatch: the provided object specified uid %s, and no existing object was found", uid))
	}
	if err := r.checkName(u); err != nil {
		return nil, err
	}
	metadata := u.Object["metadata"]
	if _, err := object.CoerceMetadata(u); err != nil {
		return nil, err
	}
	if r.old == nil {
		if !r.dryRun {
			u.SetResourceVersion("")
		}
		return u, nil
	}
	// An apply that removes the last label leaves an empty map. A server stores it, and drops it when it reads the object.
	r.untidy = !object.SameJSON(metadata, u.Object["metadata"])
	return u, nil
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

// decodeApplyScale returns the stored object with the replicas of its scale after a server-side apply.
func (r *request) decodeApplyScale(p Patch) (*unstructuredObject, error) {
	if err := r.load(); err != nil {
		return nil, err
	}
	scale, err := r.kind.ScaleToChange(r.old)
	if err != nil {
		return nil, err
	}
	configuration, err := decodeConfiguration(p.Data)
	if err != nil {
		return nil, err
	}
	if scale, err = r.writer().ApplyScale(scale, configuration, p.isForced()); err != nil {
		return nil, err
	}
	if err := p.rejectDuplicates(); err != nil {
		return nil, err
	}
	return r.scaled(scale)
}
