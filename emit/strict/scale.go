package strict

import (
	"encoding/json"
	"errors"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// steps splits a path into names.
func steps(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

// scaleOf returns the scale of an object.
func (s *Server) scaleOf(r *request, live *record) (*autoscalingv1.Scale, error) {
	u, err := s.inVersion(r.served, live.object)
	if err != nil {
		return nil, err
	}
	return r.toScale(u)
}

func (r *request) toScale(u *unstructured.Unstructured) (*autoscalingv1.Scale, error) {
	spec, status, selector := r.schema.ScalePaths()
	wanted, found, err := unstructured.NestedInt64(u.Object, steps(spec)...)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	if !found {
		return nil, apierrors.NewInternalError(errors.New("the spec replicas field \"" + spec + "\" does not exist"))
	}
	scale := &autoscalingv1.Scale{}
	scale.Name, scale.Namespace, scale.UID = u.GetName(), u.GetNamespace(), u.GetUID()
	scale.ResourceVersion, scale.CreationTimestamp = u.GetResourceVersion(), u.GetCreationTimestamp()
	scale.Spec.Replicas = int32(wanted)
	if is, _, err := unstructured.NestedInt64(u.Object, steps(status)...); err == nil {
		scale.Status.Replicas = int32(is)
	}
	if selector != "" {
		scale.Status.Selector, _, _ = unstructured.NestedString(u.Object, steps(selector)...) // servers ignore other types
	}
	return scale, nil
}

// updateScale sets the replicas of an object.
func (s *Server) updateScale(r *request, scale *autoscalingv1.Scale) (runtime.Object, error) {
	live, err := r.live()
	if err != nil {
		return nil, err
	}
	if scale.Namespace != "" && scale.Namespace != r.key.Namespace {
		return nil, apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if scale.UID != "" && scale.UID != live.object.GetUID() {
		return nil, r.uidConflict(scale.UID, live.object.GetUID())
	}
	return s.scaleTo(r, live, scale)
}

// scaleTo updates an object with its updated or patched scale.
func (s *Server) scaleTo(r *request, live *record, scale *autoscalingv1.Scale) (runtime.Object, error) {
	old, err := s.inVersion(r.served, live.object)
	if err != nil {
		return nil, err
	}
	u := old.DeepCopy()
	path, _, _ := r.schema.ScalePaths()
	if err := unstructured.SetNestedField(u.Object, int64(scale.Spec.Replicas), steps(path)...); err != nil {
		return nil, err
	}
	if scale.ResourceVersion != "" {
		u.SetResourceVersion(scale.ResourceVersion)
	}
	if err := s.own(r, old, u); err != nil {
		return nil, err
	}
	entries := u.GetManagedFields()
	for i := range entries {
		if entries[i].Subresource == scaleSubresource {
			entries[i].Time = nil // as servers do
		}
	}
	u.SetManagedFields(entries)
	r.owners = nil
	return s.commitScale(r, live, old, u)
}

// commitScale stores an object whose scale has changed, and returns its scale.
func (s *Server) commitScale(r *request, live *record, old, u *unstructured.Unstructured) (runtime.Object, error) {
	if _, err := s.commit(r, live, old, u); err != nil {
		return nil, err
	}
	if r.dryRun {
		return r.toScale(u)
	}
	if now, ok := r.objects[r.key]; ok {
		return s.scaleOf(r, now)
	}
	return r.toScale(u)
}

// patchScale patches the scale of an object.
func (s *Server) patchScale(r *request, p patch) (runtime.Object, error) {
	live, err := r.live()
	if err != nil {
		return nil, err
	}
	scale, err := s.scaleOf(r, live)
	if err != nil {
		return nil, err
	}
	if p.kind == applyPatchType {
		return s.applyScale(r, live, p)
	}
	data, err := json.Marshal(scale)
	if err != nil {
		return nil, err
	}
	if data, err = changeJSON(data, p); err != nil {
		return nil, err
	}
	patched := &autoscalingv1.Scale{}
	if err := json.Unmarshal(data, patched); err != nil {
		return nil, invalidPatch(data, err.Error())
	}
	return s.scaleTo(r, live, patched)
}

// applyScale performs a server-side apply of a scale, which only owns the replicas.
func (s *Server) applyScale(r *request, live *record, p patch) (runtime.Object, error) {
	var wanted struct {
		Spec struct {
			Replicas *int64 `json:"replicas"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(p.data, &wanted); err != nil {
		return nil, apierrors.NewBadRequest("error decoding patch: " + err.Error())
	}
	old, err := s.inVersion(r.served, live.object)
	if err != nil {
		return nil, err
	}
	configuration := r.empty()
	configuration.SetName(r.key.Name)
	configuration.SetNamespace(r.key.Namespace)
	if wanted.Spec.Replicas != nil {
		path, _, _ := r.schema.ScalePaths()
		if err := unstructured.SetNestedField(configuration.Object, *wanted.Spec.Replicas, steps(path)...); err != nil {
			return nil, err
		}
	}
	u, err := s.applied(r, old, configuration, p.options.Force != nil && *p.options.Force)
	if err != nil {
		return nil, err
	}
	return s.commitScale(r, live, old, u)
}
