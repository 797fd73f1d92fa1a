package verbs

import (
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
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
	r.isOwned = true
	if r.old == nil && uid != "" {
		return nil, apierrors.NewConflict(r.name(), r.key.Name, fmt.Errorf(
			"uid mismatch: the provided object specified uid %s, and no existing object was found", uid))
	}
	if err := r.checkName(u); err != nil {
		return nil, err
	}
	metadata := u.Object["metadata"]
	if err := object.CoerceMetadata(u); err != nil {
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
	configuration := &unstructuredObject{}
	if err := yaml.Unmarshal(p.Data, &configuration.Object); err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	return configuration, nil
}

// decodeApplyScale returns the result of a server-side apply of a scale, which only owns the replicas.
func (r *request) decodeApplyScale(p Patch) (*unstructuredObject, error) {
	if err := r.load(); err != nil {
		return nil, err
	}
	if _, err := r.kind.Scale(r.old); err != nil {
		return nil, err
	}
	var wanted struct {
		Spec struct {
			Replicas *int64 `json:"replicas"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(p.Data, &wanted); err != nil {
		return nil, apierrors.NewBadRequest("error decoding patch: " + err.Error())
	}
	configuration := r.kind.Empty()
	configuration.SetName(r.key.Name)
	configuration.SetNamespace(r.key.Namespace)
	if wanted.Spec.Replicas != nil {
		if err := r.kind.SetReplicas(configuration, *wanted.Spec.Replicas); err != nil {
			return nil, err
		}
	}
	r.isOwned = true
	return codec.Writer{Kind: r.kind, Subresource: r.subresource, Manager: r.manager}.Apply(r.old, configuration, p.isForced())
}
