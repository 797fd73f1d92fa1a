package strict

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/tools/cache"
)

// empty returns an empty object.
func (k *served) empty() *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetGroupVersionKind(k.GroupVersionKind)
	return u
}

// store stores an object, unless the request is a dry run, and returns it as clients receive it.
func (s *Server) store(r *request, key cache.ObjectName, u *unstructured.Unstructured) (runtime.Object, error) {
	if r.dryRun {
		return s.answer(r.served, newRecord(u))
	}
	stored, err := s.inVersion(r.storage, u)
	if err != nil {
		return nil, err
	}
	kept := newRecord(stored)
	kept.untidy = r.untidy
	if r.typed != nil && r.storage == r.served {
		kept.typed[r.GroupVersion()] = r.typed
	}
	s.put(r.resource, key, kept)
	defer s.collect()
	return s.answer(r.served, kept)
}

func (s *Server) update(r *request, object runtime.Object, options metav1.UpdateOptions) (runtime.Object, error) {
	r.setWrite(options.FieldManager, options.DryRun)
	if accessor, ok := object.(metav1.Object); ok {
		r.key.Name = accessor.GetName()
	}
	if err := r.route(statusSubresource, scaleSubresource); err != nil {
		return nil, err
	}
	if err := r.checkPath(); err != nil {
		return nil, err
	}
	if err := optionsError("UpdateOptions", metav1validation.ValidateUpdateOptions(&options)); err != nil {
		return nil, err
	}
	if scale, ok := object.(*autoscalingv1.Scale); ok && r.subresource == scaleSubresource {
		return s.updateScale(r, scale)
	}
	u, err := encode(r.served, object)
	if err != nil {
		return nil, err
	}
	if err := r.receive(u, options.FieldValidation); err != nil {
		return nil, err
	}
	if err := r.fixNamespace(u); err != nil {
		return nil, err
	}
	live, err := r.live()
	if err != nil {
		return nil, err
	}
	if uid := u.GetUID(); uid != "" && uid != live.object.GetUID() {
		return nil, r.uidConflict(uid, live.object.GetUID())
	}
	return s.replace(r, live, u)
}

// uidConflict returns the error for an update whose UID is not that of the stored object.
func (r *request) uidConflict(wanted, found types.UID) error {
	key := fmt.Sprintf("/registry/%s/%s/%s", r.name.Group, r.name.Resource, r.key)
	return apierrors.NewConflict(r.name, r.key.Name, fmt.Errorf(
		"StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s",
		key, wanted, found))
}

// replace replaces an object with its updated or patched version.
func (s *Server) replace(r *request, live *record, u *unstructured.Unstructured) (runtime.Object, error) {
	old, err := s.inVersion(r.served, live.object)
	if err != nil {
		return nil, err
	}
	uniqueOwners(u)
	u = r.reset(old, u)
	if err := s.own(r, old, u); err != nil {
		return nil, err
	}
	return s.commit(r, live, old, u)
}

// reset reverts the fields that a request cannot change: the status or, for the subresource status, everything else.
func (r *request) reset(old, u *unstructured.Unstructured) *unstructured.Unstructured {
	if r.subresource != statusSubresource {
		r.dropStatus(u, old)
		return u
	}
	version := u.GetResourceVersion()
	managed := ownersOf(u)
	kept := clone(old)
	if status, ok := u.Object["status"]; ok {
		kept.Object["status"] = status
	} else {
		delete(kept.Object, "status")
	}
	u.Object = kept.Object
	u.SetResourceVersion(version)
	u.SetManagedFields(nil)
	if metadata, ok := u.Object["metadata"].(map[string]any); ok && managed != nil {
		metadata["managedFields"] = managed
	}
	return u
}

// dropStatus restores the status of the old object, or removes the status, if the kind has the subresource status.
func (k *served) dropStatus(u, old *unstructured.Unstructured) {
	if !k.has(statusSubresource) {
		return
	}
	delete(u.Object, "status")
	if old == nil {
		return
	}
	if status, ok := old.Object["status"]; ok {
		u.Object["status"] = status
	}
}

// commit stores an updated object, whose managed fields are set.
func (s *Server) commit(r *request, live *record, old, u *unstructured.Unstructured) (runtime.Object, error) {
	if r.BuiltIn && u.GetResourceVersion() == "" {
		u.SetResourceVersion(old.GetResourceVersion())
	}
	if _, err := parseNumber(u.GetResourceVersion()); err != nil {
		return nil, err
	}
	switch version := u.GetResourceVersion(); {
	case version == "" || version == "0":
		kind := schema.GroupKind{Group: r.name.Group, Kind: r.name.Resource}
		return nil, apierrors.NewInvalid(kind, r.key.Name, field.ErrorList{
			field.Invalid(field.NewPath("metadata", "resourceVersion"), uint64(0), "must be specified for an update"),
		})
	case version != strconv.FormatUint(live.revision, 10):
		return nil, apierrors.NewConflict(r.name, r.key.Name, errors.New(
			"the object has been modified; please apply your changes to the latest version and try again"))
	}
	r.carryOver(old, u)
	if err := s.validate(r, u, live); err != nil {
		return nil, err
	}
	keepTimes(old, u)
	if u.GetDeletionTimestamp() != nil && len(u.GetFinalizers()) == 0 {
		return s.finish(r, u)
	}
	if sameJSON(old.Object, u.Object) && !live.untidy {
		return s.answer(r.served, live)
	}
	return s.store(r, r.key, u)
}

// carryOver sets the immutable metadata and the generation.
func (r *request) carryOver(old, u *unstructured.Unstructured) {
	u.SetGeneration(old.GetGeneration())
	if !r.NoGeneration && r.subresource != statusSubresource && !sameContent(old, u) {
		u.SetGeneration(old.GetGeneration() + 1)
	}
	if u.GetUID() == "" {
		u.SetUID(old.GetUID())
	}
	u.SetCreationTimestamp(old.GetCreationTimestamp())
	if deleted := old.GetDeletionTimestamp(); deleted != nil {
		u.SetDeletionTimestamp(deleted)
	}
	if period := old.GetDeletionGracePeriodSeconds(); period != nil && u.GetDeletionGracePeriodSeconds() == nil {
		u.SetDeletionGracePeriodSeconds(period)
	}
}

// sameContent reports whether two objects only differ in their metadata.
func sameContent(a, b *unstructured.Unstructured) bool {
	differs := func(u, other *unstructured.Unstructured) bool {
		for name, value := range u.Object {
			if there, ok := other.Object[name]; name != "metadata" && (!ok || !sameJSON(value, there)) {
				return true
			}
		}
		return false
	}
	return !differs(a, b) && (len(a.Object) == len(b.Object) || !differs(b, a))
}

// keepTimes keeps the times of managed fields if nothing else has changed, so that a write without changes has no effect.
func keepTimes(old, u *unstructured.Unstructured) {
	if u.GetGeneration() != old.GetGeneration() {
		return
	}
	was, is := ownersOf(old), ownersOf(u)
	if len(was) != len(is) {
		return
	}
	candidate, entries := clone(u), slices.Clone(is)
	for i := range is {
		before, ok := was[i].(map[string]any)
		entry, isEntry := is[i].(map[string]any)
		if ok && isEntry {
			entry = maps.Clone(entry)
			entry["time"] = before["time"]
			entries[i] = entry
		}
	}
	if len(is) > 0 {
		candidate.Object["metadata"].(map[string]any)["managedFields"] = entries
	}
	if sameJSON(old.Object, candidate.Object) {
		u.Object = candidate.Object
	}
}

// ownersOf returns the managed fields of an object in JSON form. They must not be modified.
func ownersOf(u *unstructured.Unstructured) []any {
	value, _, _ := unstructured.NestedFieldNoCopy(u.Object, "metadata", "managedFields") // nil without metadata
	entries, _ := value.([]any)
	return entries
}
