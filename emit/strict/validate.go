package strict

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/rest"
)

// validate returns an error if an object is invalid, or cannot replace the old one.
func (s *Server) validate(r *request, u *unstructured.Unstructured, live *record) error {
	is, err := r.accept(u)
	if err != nil {
		return err
	}
	metadata := field.NewPath("metadata")
	var errs field.ErrorList
	switch {
	case live == nil && r.own:
		if errs = r.schema.Validate(u.Object, nil, r.subresource); len(errs) == 0 {
			errs = apivalidation.ValidateObjectMetaAccessor(is, r.Namespaced, pathSegment, metadata)
		}
	case live == nil:
		validName := apivalidation.ValidateNameFunc(apivalidation.NameIsDNSSubdomain)
		if r.BuiltIn {
			validName = pathSegment // some kinds have other rules: a role may be named "system:node"
		}
		errs = apivalidation.ValidateObjectMetaAccessor(is, r.Namespaced, validName, metadata)
		errs = append(errs, r.schema.Validate(u.Object, nil, r.subresource)...)
	default:
		old, err := s.inVersion(r.served, live.object)
		if err != nil {
			return err
		}
		was, err := s.as(r.served, live)
		if err != nil {
			return err
		}
		before, err := meta.Accessor(was)
		if err != nil {
			return err
		}
		changes := apivalidation.ValidateObjectMetaAccessorUpdate(is, before, metadata)
		errs = append(apivalidation.ValidateObjectMetaAccessor(is, r.Namespaced, pathSegment, metadata), changes...)
		if !r.own {
			errs = append(errs, changes...) // a server reports these twice
		}
		errs = append(errs, r.schema.Validate(u.Object, old.Object, r.subresource)...)
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(r.GroupKind(), u.GetName(), errs)
	}
	return nil
}

// accept decodes an object into its Go type and returns its metadata. It returns an error if the kind is wrong or the object does not
// fit the type, which validation reports if there is a schema.
func (r *request) accept(u *unstructured.Unstructured) (metav1.Object, error) {
	var errs field.ErrorList
	if u.GetKind() != r.Kind.Kind {
		errs = append(errs, field.Invalid(field.NewPath("kind"), u.GetKind(), "must be "+r.Kind.Kind))
	}
	if version := r.GroupVersion().String(); u.GetAPIVersion() != version {
		errs = append(errs, field.Invalid(field.NewPath("apiVersion"), u.GetAPIVersion(), "must be "+version))
	}
	if len(errs) > 0 {
		return nil, apierrors.NewInvalid(u.GroupVersionKind().GroupKind(), u.GetName(), errs)
	}
	if r.own {
		return u, nil
	}
	typed, err := r.decode(r.withoutOwners(u))
	if err != nil {
		return nil, apierrors.NewInvalid(r.GroupKind(), u.GetName(), field.ErrorList{field.Invalid(nil, "", err.Error())})
	}
	r.typed = typed
	accessor, err := meta.Accessor(typed)
	if err == nil && r.owners != nil {
		accessor.SetManagedFields(r.owners)
	}
	return accessor, err
}

// withoutOwners returns an object without managed fields, unless they have to be decoded.
func (r *request) withoutOwners(u *unstructured.Unstructured) *unstructured.Unstructured {
	metadata, ok := u.Object["metadata"].(map[string]any)
	if !ok || r.owners == nil {
		return u
	}
	part := &unstructured.Unstructured{Object: maps.Clone(u.Object)}
	metadata = maps.Clone(metadata)
	delete(metadata, "managedFields")
	part.Object["metadata"] = metadata
	return part
}

// pathSegment is an apivalidation.ValidateNameFunc that accepts names that can be part of a path.
func pathSegment(name string, prefix bool) []string {
	if prefix {
		return rest.IsValidPathSegmentPrefix(name)
	}
	return rest.IsValidPathSegmentName(name)
}

// receive prunes and defaults an object, as servers do when they decode it.
func (r *request) receive(u *unstructured.Unstructured, validation string) error {
	if !r.own {
		return nil // Go objects have no unknown fields
	}
	if unknown := r.schema.Prune(u.Object); len(unknown) > 0 && validation == metav1.FieldValidationStrict {
		return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %s", r.Kind.Kind, r.Version, r.Kind.Kind, strictMessage(unknown)))
	}
	r.schema.Default(u.Object)
	return nil
}

// uniqueOwners drops duplicate owner references.
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
