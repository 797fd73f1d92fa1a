package strict

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/tools/cache"
)

const (
	// generatedAttempts is how often a server generates a name before it gives up.
	generatedAttempts = 8
	// suffixLength and maxNameLength are those of generated names.
	suffixLength, maxNameLength = 5, 63
)

func (s *Server) create(r *request, object runtime.Object, options metav1.CreateOptions) (runtime.Object, error) {
	r.setWrite(options.FieldManager, options.DryRun)
	if err := s.route(r); err != nil {
		return nil, err
	}
	if err := optionsError("CreateOptions", metav1validation.ValidateCreateOptions(&options)); err != nil {
		return nil, err
	}
	u, err := encode(r.served, object)
	if err != nil {
		return nil, err
	}
	if err := r.receive(u, options.FieldValidation); err != nil {
		return nil, err
	}
	u.SetUID("")
	u.SetCreationTimestamp(metav1.Time{})
	u.SetDeletionTimestamp(nil)
	u.SetDeletionGracePeriodSeconds(nil)
	if err := r.setNamespace(u); err != nil {
		return nil, err
	}
	uniqueOwners(u)
	s.dropStatus(r.served, u, nil)
	if err := s.own(r, s.empty(r.served), u); err != nil {
		return nil, err
	}
	generated := u.GetName() == "" && u.GetGenerateName() != ""
	for attempt := 1; ; attempt++ {
		if generated {
			u.SetName(generateName(u.GetGenerateName()))
		}
		created, err := s.insert(r, u.DeepCopy())
		if err == nil || !apierrors.IsAlreadyExists(err) {
			return created, err
		}
		if !generated {
			return nil, err
		}
		if attempt == generatedAttempts {
			return nil, apierrors.NewGenerateNameConflict(r.name, u.GetName(), 1)
		}
	}
}

func generateName(prefix string) string {
	return prefix[:min(len(prefix), maxNameLength-suffixLength)] + utilrand.String(suffixLength)
}

// insert stores a new object whose managed fields are set.
func (s *Server) insert(r *request, u *unstructured.Unstructured) (runtime.Object, error) {
	u.SetDeletionTimestamp(nil)
	u.SetDeletionGracePeriodSeconds(nil)
	u.SetCreationTimestamp(s.now())
	u.SetUID(uuid.NewUUID())
	u.SetGeneration(1)
	if err := s.validate(r, u, nil); err != nil {
		return nil, err
	}
	key := cache.ObjectName{Namespace: u.GetNamespace(), Name: u.GetName()}
	if existing, ok := r.objects[key]; ok {
		err := apierrors.NewAlreadyExists(r.name, key.Name)
		if existing.object.GetDeletionTimestamp() != nil {
			err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
		}
		return nil, err
	}
	if u.GetResourceVersion() != "" && u.GetResourceVersion() != "0" {
		return nil, errors.New("resourceVersion should not be set on objects to be created")
	}
	u.SetResourceVersion("")
	return s.store(r, key, u)
}

// seed stores an object for Add.
func (s *Server) seed(k *served, object runtime.Object) error {
	u, err := encode(k, object)
	if err != nil {
		return err
	}
	r := &request{served: k, key: cache.ObjectName{Namespace: u.GetNamespace(), Name: u.GetName()}, manager: defaultManager}
	if err := r.receive(u, ""); err != nil {
		return err
	}
	if u.GetName() == "" && u.GetGenerateName() != "" {
		r.key.Name = generateName(u.GetGenerateName())
		u.SetName(r.key.Name)
	}
	if u.GetUID() == "" {
		u.SetUID(uuid.NewUUID())
	}
	if created := u.GetCreationTimestamp(); created.IsZero() {
		u.SetCreationTimestamp(s.now())
	}
	if u.GetGeneration() == 0 {
		u.SetGeneration(1)
	}
	u.SetResourceVersion("")
	if len(u.GetManagedFields()) == 0 {
		if err := s.own(r, s.empty(k), u); err != nil {
			return err
		}
	}
	if err := s.validate(r, u, nil); err != nil {
		return err
	}
	if _, ok := r.objects[r.key]; ok {
		return apierrors.NewAlreadyExists(r.name, r.key.Name)
	}
	_, err = s.store(r, r.key, u)
	return err
}

// empty returns a new object without content.
func (s *Server) empty(k *served) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetGroupVersionKind(k.GroupVersionKind)
	return u
}

// store stores an object, unless the request is a dry run, and returns it as the client gets it.
func (s *Server) store(r *request, key cache.ObjectName, u *unstructured.Unstructured) (runtime.Object, error) {
	if r.dryRun {
		return s.answer(r.served, &record{object: u, typed: map[schema.GroupVersion]runtime.Object{}})
	}
	stored, err := s.inVersion(r.storage, u)
	if err != nil {
		return nil, err
	}
	kept := s.put(r.resource, key, stored)
	defer s.collect()
	return s.answer(r.served, kept)
}

func (s *Server) update(r *request, object runtime.Object, options metav1.UpdateOptions) (runtime.Object, error) {
	r.setWrite(options.FieldManager, options.DryRun)
	if accessor, ok := object.(metav1.Object); ok {
		r.key.Name = accessor.GetName()
	}
	if err := s.route(r, statusSubresource, scaleSubresource); err != nil {
		return nil, err
	}
	if r.key.Name == "" {
		return nil, errors.New("resource name may not be empty")
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
	if err := r.setNamespace(u); err != nil {
		return nil, err
	}
	live, err := s.live(r)
	if err != nil {
		return nil, err
	}
	if uid := u.GetUID(); uid != "" && uid != live.object.GetUID() {
		return nil, s.uidConflict(r, uid, live.object.GetUID())
	}
	return s.replace(r, live, u)
}

// uidConflict returns the error for an update that names another object than the stored one.
func (s *Server) uidConflict(r *request, wanted, found types.UID) error {
	key := fmt.Sprintf("/registry/%s/%s/%s", r.name.Group, r.name.Resource, r.key)
	return apierrors.NewConflict(r.name, r.key.Name, fmt.Errorf(
		"StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s",
		key, wanted, found))
}

// replace replaces an object by what a client sent or a patch made of it.
func (s *Server) replace(r *request, live *record, u *unstructured.Unstructured) (runtime.Object, error) {
	old, err := s.inVersion(r.served, live.object)
	if err != nil {
		return nil, err
	}
	uniqueOwners(u)
	u = s.reset(r, old, u)
	if err := s.own(r, old, u); err != nil {
		return nil, err
	}
	return s.commit(r, live, old, u)
}

// reset takes back what a request must not change: the status, or all but the status.
func (s *Server) reset(r *request, old, u *unstructured.Unstructured) *unstructured.Unstructured {
	if r.subresource != statusSubresource {
		s.dropStatus(r.served, u, old)
		return u
	}
	version, managed := u.GetResourceVersion(), u.GetManagedFields()
	kept := old.DeepCopy()
	if status, ok := u.Object["status"]; ok {
		kept.Object["status"] = status
	} else {
		delete(kept.Object, "status")
	}
	u.Object = kept.Object
	u.SetResourceVersion(version)
	u.SetManagedFields(managed)
	return u
}

// dropStatus sets the status to that of the old object, if it has a way of its own.
func (s *Server) dropStatus(k *served, u, old *unstructured.Unstructured) {
	if !k.has(statusSubresource) {
		return
	}
	delete(u.Object, "status")
	if old == nil {
		return
	}
	if status, ok := old.Object["status"]; ok {
		u.Object["status"] = runtime.DeepCopyJSONValue(status)
	}
}

// commit stores the new version of an object, whose managed fields are set.
func (s *Server) commit(r *request, live *record, old, u *unstructured.Unstructured) (runtime.Object, error) {
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
	s.carryOver(r, old, u)
	if err := s.validate(r, u, old); err != nil {
		return nil, err
	}
	keepTimes(old, u)
	if u.GetDeletionTimestamp() != nil && len(u.GetFinalizers()) == 0 {
		return s.finish(r, live, u)
	}
	if equality.Semantic.DeepEqual(old.Object, u.Object) {
		return s.answer(r.served, live)
	}
	return s.store(r, r.key, u)
}

// carryOver sets the metadata that no update can change, and the generation.
func (s *Server) carryOver(r *request, old, u *unstructured.Unstructured) {
	u.SetGeneration(old.GetGeneration())
	if r.subresource != statusSubresource && !sameContent(old, u) {
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

// sameContent reports whether two objects differ in nothing but their metadata.
func sameContent(a, b *unstructured.Unstructured) bool {
	for name, value := range a.Object {
		if other, ok := b.Object[name]; name != "metadata" && (!ok || !equality.Semantic.DeepEqual(value, other)) {
			return false
		}
	}
	for name := range b.Object {
		if _, ok := a.Object[name]; !ok && name != "metadata" {
			return false
		}
	}
	return true
}

// keepTimes keeps the times of managed fields if nothing else has changed, so that writes without effect stay without effect.
func keepTimes(old, u *unstructured.Unstructured) {
	if u.GetGeneration() != old.GetGeneration() {
		return
	}
	was, _, _ := unstructured.NestedSlice(old.Object, "metadata", "managedFields")
	is, _, _ := unstructured.NestedSlice(u.Object, "metadata", "managedFields")
	if len(was) != len(is) {
		return
	}
	candidate := &unstructured.Unstructured{Object: maps.Clone(u.Object)}
	candidate.Object["metadata"] = maps.Clone(u.Object["metadata"].(map[string]any))
	for i := range is {
		before, ok := was[i].(map[string]any)
		entry, isEntry := is[i].(map[string]any)
		if ok && isEntry {
			entry["time"] = before["time"]
		}
	}
	if len(is) > 0 {
		candidate.Object["metadata"].(map[string]any)["managedFields"] = is
	}
	if equality.Semantic.DeepEqual(old.Object, candidate.Object) {
		u.Object = candidate.Object
	}
}

// metadataOf returns the metadata of an object in its Go type, which is faster to read than JSON.
func metadataOf(u *unstructured.Unstructured) (*metav1.ObjectMeta, error) {
	var metadata metav1.ObjectMeta
	content, _ := u.Object["metadata"].(map[string]any) // an object without metadata has no name
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(content, &metadata)
	return &metadata, err
}

// validate returns an error if an object is not valid, or must not replace the old one.
func (s *Server) validate(r *request, u, old *unstructured.Unstructured) error {
	metadata := field.NewPath("metadata")
	is, err := metadataOf(u)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	var errs field.ErrorList
	if old == nil {
		if errs = r.schema.Validate(u.Object, nil, r.subresource); len(errs) == 0 {
			errs = apivalidation.ValidateObjectMetaAccessor(is, r.Namespaced, path.ValidatePathSegmentName, metadata)
		}
	} else {
		was, err := metadataOf(old)
		if err != nil {
			return err
		}
		errs = apivalidation.ValidateObjectMetaAccessor(is, r.Namespaced, path.ValidatePathSegmentName, metadata)
		errs = append(errs, apivalidation.ValidateObjectMetaAccessorUpdate(is, was, metadata)...)
		errs = append(errs, r.schema.Validate(u.Object, old.Object, r.subresource)...)
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(u.GroupVersionKind().GroupKind(), u.GetName(), errs)
	}
	return nil
}

// receive does what a server does when it decodes an object: it drops what the schema does not have, and sets defaults.
func (r *request) receive(u *unstructured.Unstructured, validation string) error {
	if !r.own {
		return nil // what was a Go object has no other fields
	}
	if unknown := r.schema.Prune(u.Object); len(unknown) > 0 && validation == metav1.FieldValidationStrict {
		return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %s", r.Kind.Kind, r.Version, r.Kind.Kind, strictMessage(unknown)))
	}
	r.schema.Default(u.Object)
	return nil
}

// uniqueOwners drops owner references that are there twice.
func uniqueOwners(u *unstructured.Unstructured) {
	owners := u.GetOwnerReferences()
	seen := map[types.UID][]metav1.OwnerReference{}
	unique := slices.DeleteFunc(slices.Clone(owners), func(owner metav1.OwnerReference) bool {
		if slices.ContainsFunc(seen[owner.UID], func(other metav1.OwnerReference) bool { return equality.Semantic.DeepEqual(owner, other) }) {
			return true
		}
		seen[owner.UID] = append(seen[owner.UID], owner)
		return false
	})
	if len(unique) < len(owners) {
		u.SetOwnerReferences(unique)
	}
}
